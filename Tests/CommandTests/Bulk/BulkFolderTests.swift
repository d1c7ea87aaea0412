import Foundation
import StrictJSON
import TestSupport
import Testing

/// `assay decrypt` of a folder, and results as CSV.
@Suite(.blocking) struct BulkFolderTests {
  @Test func `each file has its result, in the order of bytes, and nothing but files is read`() throws {
    let bulk = try BulkFolder(1)
    let secret = try bulk.minted.folder.write(bulk.tokens[0], to: "elsewhere.json")
    let folder = bulk.minted.folder.url.appending(path: "in")
    let files = FileManager.default
    try files.createDirectory(at: folder.appending(path: "m-folder"), withIntermediateDirectories: true)
    for name in ["b.json", "B.json", "ä.json", "a\u{1B}[2J.json", ".hidden"] {
      try bulk.tokens[0].write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
    }
    try "{}".write(to: folder.appending(path: "c.json"), atomically: false, encoding: .utf8)
    try files.createSymbolicLink(at: folder.appending(path: "d-link"), withDestinationURL: URL(filePath: secret))
    #expect(mkfifo(folder.appending(path: "e-fifo").path, 0o600) == 0)
    let outcome = try bulk.decrypt(folder.path)
    #expect(outcome.status == 2)
    let documents = try outcome.documents()
    #expect(
      documents.map { $0["file"]?.string } == [
        "B.json", "a\u{1B}[2J.json", "b.json", "c.json", "d-link", "e-fifo", "m-folder", "ä.json",
      ])
    #expect(
      documents.map { $0["accepted"] } == [
        .boolean(true), .boolean(true), .boolean(true), .boolean(false), .null, .null, .null, .boolean(true),
      ])
    #expect(!outcome.text.contains("\u{1B}") && !outcome.error.contains("\u{1B}"))
  }

  @Test func `input that is also the output is refused`() throws {
    let bulk = try BulkFolder()
    let lines = try bulk.write(bulk.tokens)
    let before = try FileText.text(lines)
    _ = try bulk.minted.folder.write(bulk.tokens[0], to: "in/a.json")
    for (command, status) in [
      ("decrypt in \"$@\" > results.jsonl", 0), ("decrypt --lines lines.jsonl \"$@\" >> results.jsonl", 0),
      ("decrypt in \"$@\" > in/results.jsonl", 64), ("decrypt --lines lines.jsonl \"$@\" >> lines.jsonl", 64),
      ("decrypt --lines - \"$@\" < lines.jsonl >> lines.jsonl", 64),
    ] as [(String, Int32)] {
      let outcome = try Program.shell("assay \(command)", bulk.minted.options, in: bulk.minted.folder)
      #expect(outcome.status == status, "\(command): \(outcome.error)")
    }
    #expect(try FileText.text(lines) == before)
    #expect(try FileText.text(bulk.minted.folder.path("in/results.jsonl")).isEmpty)
    #expect(try FileText.text(bulk.minted.folder.path("results.jsonl")).split(separator: "\n").count == 4)
  }

  @Test func `a file whose name is not UTF-8 is undecided, and none is read in its place`() throws {
    let bulk = try BulkFolder(1)
    let folder = bulk.minted.folder.path("in")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    _ = try bulk.minted.folder.write("{}", to: "bad")
    let script = #"""
      cp token.json "in/a$(printf '\357\277\275')"; cp bad "in/a$(printf '\377')"; cp token.json in/b
      """#
    #expect(try Program.shell(script, in: bulk.minted.folder).status == 0)
    let outcome = try bulk.decrypt(folder)
    #expect(outcome.status == 2)
    #expect(try outcome.documents().map { $0["accepted"] } == [.null, .null, .boolean(true)])
  }

  @Test func `a folder without files is a success without results`() throws {
    let bulk = try BulkFolder(1)
    let folder = bulk.minted.folder.path("empty")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let outcome = try bulk.decrypt(folder)
    #expect(outcome.status == 0 && outcome.text.isEmpty)
  }

  @Test func `a file that vanishes is undecided, and the others are decided`() throws {
    let bulk = try BulkFolder(1)
    let folder = bulk.minted.folder.url.appending(path: "in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let count = 600
    for number in 0..<count {
      try FileManager.default.linkItem(
        atPath: bulk.minted.token, toPath: folder.appending(path: "\(1_000 + number)").path)
    }
    let output = Pipe()
    let process = try Program.start(
      ["decrypt", folder.path, "--jobs", "1", "--quiet"] + bulk.minted.options, output: output)
    // All names are known before the first result. The rest of the results is more than fits into the pipe.
    var text = output.fileHandleForReading.availableData
    try FileManager.default.removeItem(at: folder.appending(path: "\(1_000 + count - 1)"))
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    process.blockUntilExit()
    #expect(process.terminationStatus == 2)
    let results = try text.split(separator: UInt8(ascii: "\n")).map { try JSON(data: Data($0))["accepted"] }
    #expect(results == [JSON?](repeating: .boolean(true), count: count - 1) + [.null])
  }

  @Test(arguments: ["fast", "reference"])
  func `CSV has the columns that are named, masked unless revealed, and no formulas`(_ engine: String) throws {
    let name = "=SUM(A1),\"x\""
    let bulk = try BulkFolder(1, ["--cardholder", name])
    let columns = "line,accepted,code,stage,member,applicationPrimaryAccountNumber,pan-last4,cardholderName,keyFile"
    func rows(_ more: [String]) throws -> [String] {
      try bulk.decrypt(
        lines: [bulk.tokens[0], "", "{}"],
        ["--output", "csv", "--columns", columns, "--engine", engine] + more
      ).lines
    }
    let key = bulk.minted.folder.path("merchant.key")
    let masked = try rows([])
    #expect(masked[0] == columns)
    #expect(masked[1] == "1,true,,,,411111******1111,1111,***,\(key)")
    #expect(masked[2].hasPrefix("3,false,missingMember,3,") && masked[2].hasSuffix(",,,,"))
    #expect(masked.count == 3)
    let revealed = try rows(["--reveal"])
    #expect(revealed[1] == "1,true,,,,\(MintedFolder.accountNumber),1111,\"'=SUM(A1),\"\"x\"\"\",\(key)")
  }

  @Test func `without columns CSV has those that most want, and every column may be named`() throws {
    let bulk = try BulkFolder(1)
    let usual = try bulk.decrypt(lines: bulk.tokens, ["--output", "csv"]).lines
    #expect(usual[0].hasPrefix("line,accepted,") && usual.count == 2)
    let message = try Program.run(["decrypt", "--lines", "--output", "csv", "--columns", "?"] + bulk.minted.options)
      .error
    let list = try #require(message.split(separator: "The columns are ").last?.split(separator: ".").first)
    let names = String(list.replacing(" ", with: ""))
    let all = try bulk.decrypt(lines: bulk.tokens, ["--output", "csv", "--columns", names]).lines
    #expect(all[0] == names)
    // No column has the whole account number.
    #expect(all[1].contains("411111******1111") && !all[1].contains(MintedFolder.accountNumber))
    #expect(all[1].split(separator: ",", omittingEmptySubsequences: false).count == names.split(separator: ",").count)
  }
}
