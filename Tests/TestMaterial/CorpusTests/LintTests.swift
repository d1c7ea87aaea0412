import Corpus
import FastDecryption
import Foundation
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import TestCases
import Testing

struct LintTests {
  static let lint = CorpusLint { keys, anchors in
    [try FastDecryptor(keys: keys, anchors: anchors), try ReferenceDecryptor(keys: keys, anchors: anchors)]
  }

  /// A small valid file with a few of the generator's tests, changed by `edit`.
  static func file(_ edit: (inout VectorFile) throws -> Void = { _ in }) throws -> VectorFile {
    var file = try made.get()
    try edit(&file)
    return file
  }

  private static let made = Result {
    var file = try #require(try GeneratorTests.files().first { $0.path == "vectors/merchant-keys.json" }).file
    file.groups = [file.groups[0]]
    file.groups[0].cases = Array(file.groups[0].cases.prefix(3))
    file.notes = file.notes.filter { note in file.groups[0].cases.contains { $0.flags.contains(note.flag) } }
    return file
  }

  static func reasons(_ files: [(String, VectorFile)]) -> [String] {
    lint.findings(
      in: files.map { CorpusFile(path: $0.0, bytes: VectorWriter.write($0.1)) }, expected: nil
    ).map(\.reason)
  }

  @Test func `what the generator makes is clean`() throws {
    #expect(Self.reasons([("vectors/merchant-keys.json", try Self.file())]) == [])
    let wrong = try Self.file { $0.groups[0].cases[0].expected = .accept(plaintext: [1]) }
    #expect(Self.reasons([("vectors/merchant-keys.json", wrong)]).count == 2, "one wrong verdict, by two engines")
  }

  @Test func `a wrong verdict, code, member or plaintext is found by both engines`() throws {
    for verdict in [
      TestVerdict.reject(TokenFault(.decryptionFailed)), .accept(plaintext: [1]),
      .reject(TokenFault(.unknownMerchantKey, member: .publicKeyHash)),
    ] {
      let file = try Self.file { $0.groups[0].cases[0].expected = verdict }
      let reasons = Self.reasons([("vectors/a.json", file)])
      #expect(reasons.count == 2, "\(reasons)")
      #expect(reasons.contains { $0.hasPrefix("the fast engine says") })
      #expect(reasons.contains { $0.hasPrefix("the reference engine says") })
    }
  }

  @Test func `ids, names, flags, clauses and comments are checked`() throws {
    let edits: [(String, (inout VectorFile) -> Void)] = [
      ("the id is not positive and unique", { $0.groups[0].cases[1].id = $0.groups[0].cases[0].id }),
      ("the id is not positive and unique", { $0.groups[0].cases[0].id = "0" }),
      ("has no flag", { $0.groups[0].cases[0].flags = [] }),
      ("flag Other is not explained", { $0.groups[0].cases[0].flags.append("Other") }),
      ("has a flag twice", { $0.groups[0].cases[0].flags += $0.groups[0].cases[0].flags }),
      (
        "no test has the flag Amount, which is explained",
        { file in
          file.notes.append(VectorNote(flag: "Amount", bugType: "PARSER", description: "d", effect: "e"))
        }
      ),
      (
        "flag MerchantKey is not explained in full",
        { file in
          for index in file.notes.indices where file.notes[index].flag == "MerchantKey" {
            file.notes[index].effect = ""
          }
        }
      ),
      ("names no clause", { $0.groups[0].cases[0].clauses = [] }),
      ("there is no clause 10.2", { $0.groups[0].cases[0].clauses.append("10.2") }),
      ("has no comment", { $0.groups[0].cases[0].comment = "" }),
    ]
    for (reason, edit) in edits {
      let reasons = Self.reasons([("vectors/a.json", try Self.file(edit))])
      #expect(reasons.contains(reason), "\(reason): \(reasons)")
    }
  }

  @Test func `an envelope of no known name is found`() throws {
    let text = String(decoding: VectorWriter.write(try Self.file()), as: UTF8.self)
    let renamed = text.replacingOccurrences(of: #""envelope":"apple""#, with: #""envelope":"paypal""#)
    let file = CorpusFile(path: "vectors/a.json", bytes: Array(renamed.utf8))
    #expect(Self.lint.findings(in: [file], expected: nil).map(\.reason) == ["groups[0].policy.envelope is no envelope"])
  }

  @Test func `a repeated test is found, in one file or in two`() throws {
    let file = try Self.file()
    let reasons = Self.reasons([("vectors/a.json", file), ("vectors/b.json", file)])
    #expect(reasons.contains { $0.hasPrefix("asks the same as vectors/a.json") })
    #expect(reasons.contains { $0.hasPrefix("has the name of vectors/a.json") })
  }

  @Test func `Apple's own root is found as PEM, in base64, and in base64 of JSON`() throws {
    let root = TrustAnchors.apple.certificates[0]
    #expect(GenuineMaterial.isIn(root))
    #expect(GenuineMaterial.isIn(Array(PEM.certificate(root).utf8)))
    let encoded = Base64.encode([1] + root)
    #expect(GenuineMaterial.isIn(Array(#"{"signature":"\#(encoded)"}"#.utf8)))
    let escaped = encoded.replacingOccurrences(of: "/", with: #"\/"#)
    #expect(GenuineMaterial.isIn(Array(#"{"signature":"\#(escaped)"}"#.utf8)))
    let letters = encoded.map { $0 == "A" ? #"\u0041"# : String($0) }.joined()
    #expect(letters != encoded && GenuineMaterial.isIn(Array(#"{"signature":"\#(letters)"}"#.utf8)))
    let nested = Base64.encode(Array(#"{"signature":"\#(escaped)"}"#.utf8))
    #expect(GenuineMaterial.isIn(Array(#"{"payment_token":"\#(nested)"}"#.utf8)))
    func quoted(_ text: String) -> String { String(decoding: JSONPiece.quoted(Array(text.utf8)), as: UTF8.self) }
    for inner in [#"{"signature":"\#(escaped)"}"#, #"{"pem":\#(quoted(PEM.certificate(root)))}"#] {
      #expect(GenuineMaterial.isIn(Array(#"{"paymentToken":\#(quoted(inner))}"#.utf8)))
    }
    #expect(!GenuineMaterial.isIn(try GeneratorTests.outputs.get()[0].bytes))
    let trusting = try Self.file { $0.groups[0].setting.rootsPem.append(PEM.certificate(root)) }
    #expect(Self.reasons([("vectors/a.json", trusting)]).contains("trusts Apple's own root"))
  }

  @Test func `a seed under another name than its content's is found`() {
    let files = [
      CorpusFile(path: "seeds/apple/EC_v1/0000000000000000.json", bytes: [1]),
      CorpusFile(path: SeedPath(of: [2], envelope: "apple", version: "EC_v1").path, bytes: [2]),
    ]
    #expect(Self.lint.findings(in: files, expected: nil).map(\.path) == [files[0].path])
  }

  @Test func `a file that is missing, altered or no longer made is found, and so are gaps`() throws {
    let expected = try GeneratorTests.outputs.get().filter { $0.path == "vectors/merchant-keys.json" }
    let findings = Self.lint.findings(in: [], expected: expected)
    #expect(findings.contains { $0.reason.hasPrefix("is missing") })
    #expect(findings.contains { $0.reason == "no vector names clause 7.1" })
    #expect(findings.contains { $0.reason == "fewer than 3 vectors end in untrustedChain" })
    let altered = VectorWriter.write(try Self.file { $0.groups[0].cases.removeFirst() })
    let others = [
      CorpusFile(path: expected[0].path, bytes: altered), CorpusFile(path: "vectors/old.json", bytes: altered),
    ]
    let reasons = Self.lint.findings(in: others, expected: expected).map(\.reason)
    #expect(reasons.contains("is not what assay corpus generate makes"))
    #expect(reasons.contains("names assay corpus generate, which does not make it"))
    let spaced = CorpusFile(path: "vectors/a.json", bytes: Array(" ".utf8) + altered)
    #expect(Self.lint.findings(in: [spaced], expected: nil).contains { $0.reason.hasPrefix("is not written as") })
    let broken = CorpusFile(path: "vectors/a.json", bytes: Array(altered.dropLast(9)))
    #expect(Self.lint.findings(in: [broken], expected: nil).count == 1)
  }
}
