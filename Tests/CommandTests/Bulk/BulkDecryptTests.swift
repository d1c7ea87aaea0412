import BulkDecryption
import FastDecryption
import Foundation
import Minting
import NamedCases
import PaymentToken
import StrictJSON
import TestCases
import TestSupport
import Testing

/// `assay decrypt` of many requests: their results, order, counts and exit codes.
@Suite(.blocking) struct BulkDecryptTests {
  @Test(arguments: ["1", "4"])
  func `every line has its result, in order, however many threads there are`(_ jobs: String) throws {
    let bulk = try BulkFolder(20)
    // The reference engine decides each token alone, not in batches.
    let known = try bulk.decrypt(lines: bulk.tokens, ["--engine", "reference"]).documents()
    let identifiers = known.compactMap { $0["transactionId"]?.string }
    #expect(Set(identifiers).count == 20)
    // Several batches for each thread; no two batches have the same tokens.
    let order = (0..<700).map { ($0 * $0 + $0 / 64) % 20 }
    let outcome = try bulk.decrypt(lines: order.map { bulk.tokens[$0] }, ["--jobs", jobs])
    let documents = try outcome.documents()
    #expect(outcome.status == 0)
    #expect(documents.map { $0["transactionId"]?.string } == order.map { identifiers[$0] })
    #expect(documents.map { $0["line"]?.integer(Int.self) } == (1...700).map { $0 })
  }

  @Test(arguments: [[], ["--reveal"]])
  func `a result is the document of the request alone, with its line`(_ options: [String]) throws {
    let kinds = [
      [], ["--type", "emv"], ["--cardholder", "Zoë \u{200B}\"O'Hara\""], ["--merchant-token"], ["--version", "RSA_v1"],
      ["--application-data", String(repeating: "ab", count: 32)], ["--envelope", "mpgs"], ["--eci", "none"],
    ]
    for kind in kinds {
      let bulk = try BulkFolder(1, kind)
      let request = bulk.minted.folder.path(kind.first == "--envelope" ? "request.json" : "token.json")
      for engine in ["fast", "reference"] {
        let words = ["decrypt", request, "--json", "--engine", engine] + bulk.minted.options + options
        let single = try Program.run(words)
        let line = try bulk.decrypt(request, ["--lines", "--engine", engine] + options)
        #expect(single.status == 0 && line.status == 0)
        #expect(line.text == single.text.dropLast(2) + ",\"line\":1}\n", "\(kind) \(engine)")
      }
    }
  }

  @Test func `an open token is written as its copy is`() throws {
    let minter = try Minter(seed: 7, at: UnixTime(secondsSinceEpoch: 1_795_000_000))
    let keys = try minter.merchantKeySet()
    var count = 0
    for (number, recipe) in CaseRecipe.all.enumerated()
    where Ring.isDeep || recipe.clause.hasPrefix("13.") || number.isMultiple(of: 40) {
      let test = try minter.make(recipe)
      let engine = try FastDecryptor(keys: keys, anchors: test.trustAnchors)
      let context = test.test.context
      for reveal in [false, true] {
        func writer() -> ResultWriter {
          ResultWriter(engine: "fast", form: .json, reveal: reveal) { _, version in "\(version)\u{1B}" }
        }
        var (open, copied) = (writer(), writer())
        guard var workspace = BatchWorkspace() else {
          Issue.record("there is no memory")
          continue
        }
        engine.decryptBatch(
          [test.test.request], at: context.now, under: context.policy.verificationPolicy(), in: &workspace,
          opened: { _, token throws(TokenFault) in
            try open.add(token, archival: false, at: .file("a\u{7F}"))
            copied.add(.accepted(try token.copy(), archival: false), at: .file("a\u{7F}"))
            count += 1
          }, refused: { _, _ in })
        #expect(open.bytes == copied.bytes, "\(test.test.name)")
      }
    }
    #expect(count > 40)
  }

  @Test func `each kind of bad line has the code of the request alone, and none ends the run`() throws {
    let bulk = try BulkFolder(1)
    let token = bulk.tokens[0]
    let bad = [
      "{}", "null", "nonsense", "{\"a\":\"\u{0}\"}", String(repeating: "[", count: 60_000), token + "x",
      token.replacing("EC_v1", with: "EC_v9"), token.replacing("\"version\":\"EC_v1\"", with: "\"version\":7"),
      String(repeating: " ", count: 65_536 - 20) + token, String(repeating: "9", count: 65_537),
      String(repeating: "{", count: 900_000),
    ]
    var lines = bad.flatMap { [Data($0.utf8), Data(token.utf8)] }
    // Not UTF-8.
    lines.append(Data([0x7B, 0x22, 0xFF, 0xC0, 0x22, 0x3A, 0x31, 0x7D]))
    let file = bulk.minted.folder.url.appending(path: "lines.jsonl")
    try Data(lines.joined(separator: [0x0A])).write(to: file)
    let outcome = try bulk.decrypt(file.path, ["--lines"])
    #expect(outcome.status == 1)
    let codes = try outcome.codes()
    #expect(codes.count == lines.count)
    let alone = bulk.minted.folder.url.appending(path: "alone.json")
    for (line, code) in zip(lines, codes) {
      guard line != Data(token.utf8) else {
        #expect(code == nil)
        continue
      }
      try line.write(to: alone)
      let single = try Program.run(["decrypt", alone.path, "--json"] + bulk.minted.options)
      #expect(single.status == 1)
      let document = try JSON(data: single.output)
      #expect(document["error"]?["code"]?.string == code)
    }
    #expect(codes.compactMap { $0 }.count(where: { $0 == "tokenTooLarge" }) == 4)
    let total = outcome.counts.compactMap { Int($0[2]) }.reduce(0, +)
    #expect(total == bad.count + 1 && outcome.counts.contains(["tokenTooLarge", "0", "3"]))
  }

  @Test func `line ends of Windows, blank lines and a last line without an end are no faults`() throws {
    let bulk = try BulkFolder()
    let text = bulk.tokens[0] + "\r\n\r\n \t\n\n" + bulk.tokens[1] + "\r\n" + bulk.tokens[2]
    let outcome = try bulk.decrypt(bulk.minted.folder.write(text, to: "lines"), ["--lines"])
    #expect(outcome.status == 0)
    #expect(try outcome.documents().map { $0["line"]?.integer(Int.self) } == [1, 5, 6])
  }

  @Test func `a request around the token, and a token in base64, are read as alone`() throws {
    let bulk = try BulkFolder(1, ["--envelope", "bambora"])
    let token = try Data(BulkFolder(1).tokens[0].utf8).base64EncodedString()
    let outcome = try bulk.decrypt(lines: [bulk.tokens[0], token])
    #expect(outcome.status == 0)
    #expect(try outcome.documents().map { $0["envelope"]?.string } == ["bambora", "bambora"])
  }

  @Test func `an expectation from each request rejects those that differ, and leaves those without it undecided`()
    throws
  {
    let bulk = try BulkFolder(1, ["--envelope", "mpgs"])
    let request = bulk.tokens[0]
    let other = request.replacing("12.50", with: "12.51")
    let without = request.replacing("\"amount\":\"12.50\",", with: "").replacing(",\"amount\":\"12.50\"", with: "")
    #expect(other != request && without != request)
    let outcome = try bulk.decrypt(
      lines: [request, other, without], ["--envelope", "mpgs", "--expect-amount", "request"])
    #expect(outcome.status == 2)
    let documents = try outcome.documents()
    #expect(documents.map { $0["accepted"] } == [.boolean(true), .boolean(false), .null])
    #expect(try outcome.codes() == [nil, "amountMismatch", nil])
    try JSONSchema.exercise(Data(outcome.lines[2].utf8))
  }

  @Test func `an empty input is a success without results`() throws {
    let bulk = try BulkFolder(1)
    for text in ["", "\n", "\r\n\n"] {
      let outcome = try bulk.decrypt(bulk.minted.folder.write(text, to: "lines"), ["--lines"])
      #expect(outcome.status == 0 && outcome.text.isEmpty)
      #expect(outcome.error.hasPrefix("assay: 0 results"))
    }
    // A closed standard input, as a daemon has it, is not an empty one.
    let closed = try Program.shell("assay decrypt \"$@\" --lines <&-", bulk.minted.options)
    #expect(closed.status == 2 && closed.output.isEmpty)
  }

  @Test func `options that one request, or many, cannot have end with 64`() throws {
    let bulk = try BulkFolder(1)
    let token = bulk.minted.token
    for words in [
      [token, "--output", "csv"], [token, "--jobs", "2"], [token, "--columns", "code"],
      [token, "--lines", "--output", "text"], [token, "--lines", "--output", "mpgs"],
      [token, "--lines", "--jobs", "0"],
      [token, "--lines", "--columns", "code"], [token, "--lines", "--output", "csv", "--columns", "code,colour"],
      [token, "--lines", "--output", "csv", "--columns", ""], [bulk.minted.folder.url.path, "--output", "plaintext"],
    ] {
      let outcome = try Program.run(["decrypt"] + words + bulk.minted.options)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(words)")
    }
  }
}
