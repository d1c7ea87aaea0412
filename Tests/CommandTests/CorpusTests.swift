import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct CorpusTests {
  static let root = Package.folder.appending(path: "Corpus")

  /// A corpus in a temporary folder with one file of vectors.
  static func small() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let vectors = folder.url.appending(path: "vectors")
    try FileManager.default.createDirectory(at: vectors, withIntermediateDirectories: true)
    let name = "vectors/merchant-keys.json"
    try FileManager.default.copyItem(at: root.appending(path: name), to: folder.url.appending(path: name))
    return folder
  }

  /// Copies with `cp`: FileManager would keep the owner, who may be another user.
  private static func copy(_ name: String, to folder: TemporaryFolder) throws {
    let words = ["-R", root.appending(path: name).path, folder.path(name)]
    #expect(try Program.run(words, program: URL(filePath: "/bin/cp")).status == 0)
  }

  static func corpus(_ words: [String], in folder: TemporaryFolder) throws -> Program.Outcome {
    try Program.run(["corpus"] + words + ["--corpus", folder.url.path])
  }

  @Test func `lint ends with 0 for what holds, with 1 for what does not, with 2 for nothing`() throws {
    let folder = try Self.small()
    let clean = try Self.corpus(["lint", "--foreign", "--json"], in: folder)
    #expect(clean.status == 0)
    #expect(try clean.json()["clean"] as? Bool == true)
    let path = folder.url.appending(path: "vectors/merchant-keys.json")
    let text = try String(contentsOf: path, encoding: .utf8)
    try text.replacingOccurrences(of: #""code":"unknownMerchantKey""#, with: #""code":"decryptionFailed""#)
      .write(to: path, atomically: true, encoding: .utf8)
    let wrong = try Self.corpus(["lint", "--foreign"], in: folder)
    #expect(wrong.status == 1)
    #expect(wrong.text.contains("the fast engine says unknownMerchantKey"))
    #expect(try Program.run(["corpus", "lint", "--corpus", "/nonexistent"]).status == 2)
  }

  @Test func `list says what is there`() throws {
    let folder = try Self.small()
    let list = try Self.corpus(["list", "--code", "accept", "--json"], in: folder)
    let vectors = try #require(try list.json()["vectors"] as? [[String: Any]])
    #expect(list.status == 0 && vectors.count > 4)
    #expect(vectors.allSatisfy { $0["result"] as? String == "accept" })
    #expect(try Self.corpus(["list", "--clause", "3.1"], in: folder).text.isEmpty)
    #expect(try Self.corpus(["list", "--flag", "MerchantKey"], in: folder).text.contains("unknownMerchantKey"))
  }

  @Test func `add files an input by its content, once`() throws {
    let minted = try MintedFolder()
    let folder = try TemporaryFolder()
    let first = try Self.corpus(["add", minted.token, "--json"], in: folder)
    #expect(first.status == 0)
    let added = try #require(try first.json()["added"] as? [String])
    #expect(added.count == 1 && added[0].hasPrefix("seeds/apple/EC_v1/"))
    let again = try Self.corpus(["add", minted.token, "--json"], in: folder)
    #expect((try again.json()["added"] as? [String])?.isEmpty == true)
    #expect(try again.json()["known"] as? Int == 1)
    #expect(try Self.corpus(["lint", "--foreign"], in: folder).status == 0)
    #expect(try Self.corpus(["add", "/nonexistent"], in: folder).status == 2)
  }

  @Test func `add refuses what holds a certificate under Apple's own root`() throws {
    let folder = try TemporaryFolder()
    let input = try folder.write(
      #"{"signature":"\#(Data("xxApple Root CA - G3 and more".utf8).base64EncodedString())"}"#, to: "genuine.json")
    let outcome = try Self.corpus(["add", input, "--json"], in: folder)
    #expect(outcome.status == 1)
    #expect(try outcome.json()["refused"] as? [String] == [input])
  }

  @Test func `a regression comes in when both engines agree with it, and not otherwise`() throws {
    let source = try Self.small()
    let own = source.path("vectors/merchant-keys.json")
    let folder = try TemporaryFolder()
    let words = ["add", "--regression", own, "--comment", "what broke", "--json"]
    let outcome = try Self.corpus(words, in: folder)
    #expect(outcome.status == 0)
    #expect(try outcome.json()["imported"] as? Bool == true)
    let added = try FileManager.default.contentsOfDirectory(atPath: folder.path("regressions"))
    #expect(added.count == 1 && added[0].hasPrefix("found-"))
    #expect(try FileText.text(folder.path("regressions/\(added[0])")).contains(#""comment":"what broke""#))
    // A second time it replaces itself. It is refused in a corpus that has its tests already, or with a wrong verdict.
    #expect(try Self.corpus(words, in: folder).status == 0)
    #expect(try Self.corpus(["add", "--regression", own], in: source).status == 1)
    // The same tokens at another time have its name, and do not take its place.
    let later = try folder.write(
      try FileText.text(own).replacingOccurrences(of: "T12:00:00Z\",\"window", with: "T12:00:01Z\",\"window"),
      to: "later.json")
    let second = try Self.corpus(["add", "--regression", later], in: folder)
    #expect(second.status == 1 && second.text.contains("regressions/\(added[0])"))
    #expect(try FileText.text(folder.path("regressions/\(added[0])")).contains(#""comment":"what broke""#))
    let wrong = try folder.write(
      try FileText.text(own).replacingOccurrences(of: #""code":"unknownMerchantKey""#, with: #""code":"invalidHex""#),
      to: "wrong.json")
    let refused = try TemporaryFolder()
    #expect(try Self.corpus(["add", "--regression", wrong], in: refused).text.hasSuffix("nothing imported\n"))
    #expect(!FileManager.default.fileExists(atPath: refused.path("regressions")))
    // Several files are reported in one document, and are added together or not at all.
    let both = try Self.corpus(["add", "--regression", own, wrong, "--json"], in: refused).json()
    #expect(!FileManager.default.fileExists(atPath: refused.path("regressions")))
    #expect((both["findings"] as? [[String: Any]])?.allSatisfy { $0["file"] as? String == wrong } == true)
    #expect(both["imported"] as? Bool == false && (both["findings"] as? [Any])?.isEmpty == false)
    let count = try #require(outcome.json()["vectors"] as? Int)
    #expect(both["vectors"] as? Int == 2 * count)
    #expect(try Self.corpus(["add", "--regression", try folder.write("{}", to: "none.json")], in: folder).status == 2)
  }

  @Test func `links among the seeds are passed over`() throws {
    let folder = try TemporaryFolder()
    try Self.copy("seeds", to: folder)
    let secret = try folder.write("secret", to: "secret")
    let link = folder.path("seeds/apple/EC_v1/link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: secret)
    #expect(try Self.corpus(["lint", "--foreign"], in: folder).status == 0)
    // A file in place of the link is found.
    try FileManager.default.removeItem(atPath: link)
    _ = try folder.write("secret", to: "seeds/apple/EC_v1/link.json")
    #expect(try Self.corpus(["lint", "--foreign"], in: folder).status == 1)
  }

  @Test(.deep(.counts)) func `generate makes what lies in the project, and changes nothing that is so`() throws {
    let folder = try TemporaryFolder()
    for name in ["core.json", "numbers.txt", "vectors", "regressions", "seeds"] { try Self.copy(name, to: folder) }
    // Only the altered file is written.
    let path = "vectors/merchant-keys.json"
    let whole = try Data(contentsOf: folder.url.appending(path: path))
    _ = try folder.write("", to: path)
    let outcome = try Self.corpus(["generate", "--json"], in: folder)
    #expect(outcome.status == 0)
    #expect(try outcome.json()["written"] as? [String] == [path])
    #expect(try Data(contentsOf: folder.url.appending(path: path)) == whole)
  }

  @Test func `export writes a suite as JSON Lines`() throws {
    let folder = try Self.small()
    let lines = try Self.corpus(["export", "--suite", "strict", "--out", folder.path("out"), "--json"], in: folder)
    #expect(lines.status == 0)
    let files = try #require(try lines.json()["files"] as? [[String: Any]])
    #expect(files.map { $0["path"] as? String } == [folder.path("out/strict.jsonl")])
    let text = try String(contentsOfFile: folder.path("out/strict.jsonl"), encoding: .utf8)
    let first = try #require(text.split(separator: "\n").first)
    let count = text.split(separator: "\n").count - 1
    #expect(count > 4 && first.contains(#""suite":"strict","version":6,"count":\#(count),"#))
    #expect(try Program.run(["corpus", "export", "--corpus", "/nonexistent"]).status == 2)
    #expect(try Program.run(["corpus", "export", "--suite", "all"]).status == 64)
  }

  @Test func `the vectors of core.json count once, and are checked`() throws {
    let folder = try Self.small()
    func count() throws -> Int? {
      (try Self.corpus(["list", "--json"], in: folder).json()["vectors"] as? [Any])?.count
    }
    let alone = try #require(try count())
    let name = "core.json"
    try FileManager.default.copyItem(at: Self.root.appending(path: name), to: folder.url.appending(path: name))
    #expect(try count() == alone && alone > 0)
    // A wrong verdict in core.json is still found.
    let path = folder.path("core.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(of: #""code":"untrustedChain""#, with: #""code":"signerMismatch""#)
      .write(toFile: path, atomically: true, encoding: .utf8)
    let lint = try Self.corpus(["lint", "--foreign"], in: folder)
    #expect(lint.status == 1 && lint.text.contains("core.json test"))
  }

  @Test func `diff runs the vectors of a suite, of a corpus or a file`() throws {
    let core = Self.root.appending(path: "core.json").path
    let whole = try Program.run(["diff", core, "--engine", "fast", "--quiet", "--json"]).json()
    let chosen = try Program.run(["diff", core, "--suite", "core", "--engine", "fast", "--quiet", "--json"]).json()
    #expect(whole["tests"] as? Int ?? 0 > 130 && whole["tests"] as? Int == chosen["tests"] as? Int)
    let folder = try Self.small()
    let path = folder.url.path
    let part = try Program.run(["diff", path, "--suite", "strict", "--engine", "fast", "--quiet", "--json"]).json()
    let all = try Program.run(["diff", path, "--engine", "fast", "--quiet", "--json"]).json()
    #expect(part["tests"] as? Int ?? 0 > 4 && part["tests"] as? Int ?? 0 < all["tests"] as? Int ?? 0)
    #expect((part["sources"] as? [String])?.last?.hasSuffix("in the suite strict") == true)
  }
}
