import Corpus
import Foundation
import Gateways
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

struct GeneratorTests {
  static let root = Package.folder

  /// The committed files that are generated; `assay corpus lint` compares them with what the generator makes.
  static let outputs = Result {
    try CorpusFolder(path: root.appending(path: "Corpus").path).files([.core, .vectors, .regressions, .seeds])
  }

  private static let read = Result {
    try outputs.get().filter { [.vectors, .regressions].contains($0.kind) }
      .map { (path: $0.path, file: try VectorReader.read($0.bytes)) }
  }

  static func files() throws -> [(path: String, file: VectorFile)] { try read.get() }

  @Test func `the rules are those that the document numbers`() throws {
    let text = try String(contentsOf: Self.root.appending(path: "Docs/Verification.md"), encoding: .utf8)
    let rules = text.split(separator: "\n").compactMap { line in
      line.prefixMatch(of: #/<a id="rule-(\d{1,2})-(\d{1,2})"></a>\*\*(\d{1,2}\.\d{1,2})\*\* /#)
    }
    #expect(rules.map { String($0.3) } == RuleClauses.all)
    #expect(rules.map { "\($0.1).\($0.2)" } == RuleClauses.all, "each rule has the anchor of its number")
  }

  @Test func `rules that the sources link have an anchor in the document`() throws {
    let document = try FileText.text(Self.root.appending(path: "Docs/Verification.md").path)
    let sources = Self.root.appending(path: "Sources")
    let paths = try #require(FileManager.default.subpaths(atPath: sources.path)).filter { $0.hasSuffix(".swift") }
    var anchors: Set<String> = []
    for path in paths {
      let text = try FileText.text(sources.appending(path: path).path)
      anchors.formUnion(text.matches(of: /Verification\.md#(rule-\d{1,2}-\d{1,2})/).map { String($0.1) })
    }
    #expect(anchors.count >= 25)
    let missing = anchors.filter { !document.contains("<a id=\"\($0)\"></a>") }
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test func `every case that the format can express is a vector with its name, here or in the exhaustive corpus`()
    throws
  {
    let names = Set(try Self.files().flatMap { $0.file.cases }.map(\.name))
    let exhaustive = Set(CaseRecipe.all.filter { $0.traits.contains(.exhaustiveOnly) }.map(\.name))
    #expect(!exhaustive.isEmpty && names.isDisjoint(with: exhaustive))
    let missing = CaseRecipe.all.map(\.name).filter { !names.contains($0) && !exhaustive.contains($0) }
    let minter = try Minter(seed: VectorGenerator.seed, at: VectorGenerator.time)
    for name in missing {
      let made = try minter.make(try #require(CaseRecipe.named(name)))
      #expect(Self.isInexpressible(made), "\(name)")
    }
  }

  /// Whether the policy cannot be written in a vector: archival mode, or detection among some envelopes only.
  private static func isInexpressible(_ made: MintedCase) -> Bool {
    if case .automatic(let envelopes) = made.test.context.policy.envelope, envelopes != Envelope.all { return true }
    return made.test.context.policy.freshness == .signingTime
  }

  @Test func `every forgery has vectors of each version that it applies to`() throws {
    let tests = try Self.files().flatMap { $0.file.cases }
    for letter in "ABCDEFGHIJKLM" {
      let flagged = tests.filter { $0.flags.contains("Forgery\(letter)") }
      #expect(flagged.contains { !$0.flags.contains("RSAv1") }, "\(letter)")
      // The shared secret and the curve exist in EC_v1 only.
      guard !"IK".contains(letter) else { continue }
      #expect(flagged.contains { $0.flags.contains("RSAv1") }, "\(letter)")
    }
  }

  @Test func `flags are explained in full, under unique names`() {
    #expect(Set(VectorFlag.all.map(\.name)).count == VectorFlag.all.count)
    for note in VectorFlag.all.map(\.note) {
      #expect(note.description.hasSuffix(".") && note.effect.hasSuffix("."), "\(note.flag)")
    }
  }

  @Test func `every forgery names published bugs of its class, and all references are well-formed`() {
    for note in VectorFlag.all.map(\.note) {
      #expect(!note.flag.hasPrefix("Forgery") || !(note.cves + note.links).isEmpty, "\(note.flag)")
      #expect(note.cves.allSatisfy { $0.wholeMatch(of: /CVE-\d{4}-\d{4,}/) != nil }, "\(note.flag)")
      #expect(note.links.allSatisfy { $0.hasPrefix("https://") }, "\(note.flag)")
    }
  }

  @Test func `the schema knows every code, and no other`() throws {
    let data = try Data(contentsOf: Self.root.appending(path: "Corpus/vectors/schema.json"))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let test = (schema["$defs"] as? [String: [String: Any]])?["test"]?["properties"] as? [String: [String: Any]]
    let codes = try #require(test?["code"]?["enum"] as? [Any]).compactMap { $0 as? String }
    #expect(Set(codes) == Set(TokenFault.Code.allCases.map(\.rawValue)))
    let members = try #require(test?["member"]?["enum"] as? [Any]).compactMap { $0 as? String }
    #expect(Set(members) == Set(TokenMember.allCases.map(\.path)))
  }

  @Test(arguments: [
    ("vectors/schema.json", "envelope", ["auto"] + (Envelope.all + Envelope.ofCallers).map(\.name)),
    ("gateways/schema.json", "gateway", Gateway.all.map(\.name)),
  ])
  func `each schema lists every gateway, and no other`(path: String, member: String, names: [String]) throws {
    let schema = try String(contentsOf: Self.root.appending(path: "Corpus/\(path)"), encoding: .utf8)
    let rest = try #require(schema.components(separatedBy: "\"\(member)\": {").dropFirst().first)
    let list = rest.drop { $0 != "[" }.prefix { $0 != "]" }
    #expect(list.matches(of: /"([a-z-]+)"/).map { String($0.1) } == names, "\(path)")
  }

  @Test(arguments: ["Docs/Verification.md", "Docs/Gateways.md"])
  func `the documents' tables have a row for each envelope, in the order of lists`(document: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
    let table = try #require(text.components(separatedBy: "\n\n").first { $0.contains("\n| `apple` |") })
    let names = table.split(separator: "\n").compactMap { $0.prefixMatch(of: /\| `([a-z]+)` \|/).map { String($0.1) } }
    #expect(names == Envelope.all.map(\.name))
  }

  @Test func `seeds are of every envelope, each under the name of its content`() throws {
    let seeds = try Self.outputs.get().filter { $0.path.hasPrefix("seeds/") }
    #expect(seeds.count >= 36)
    for envelope in Envelope.all {
      #expect(seeds.contains { $0.path.hasPrefix("seeds/\(envelope.name)/EC_v1/") }, "\(envelope.name)")
    }
    for seed in seeds {
      let folders = seed.path.split(separator: "/").map(String.init)
      #expect(SeedPath(of: seed.bytes, envelope: folders[1], version: folders[2]).path == seed.path)
    }
  }
}
