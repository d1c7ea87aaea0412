import FastDecryption
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import ReferenceDecryption
import TestCases
import TestSupport
import Testing

/// Every spelling changes bytes and keeps the verdict; the reference engine decides a sample of cases, and the
/// exhaustive corpus of the second ring has all.
@Suite struct SpellingTests {
  private static let minter = Result { try Minter(seed: 1, at: UnixTime(secondsSinceEpoch: 1_772_366_400)) }
  /// Loaded once: that takes longer than a verdict.
  private static let keys = Result { try TestSetting(of: minter.get(), anchors: []).merchantKeySet() }
  /// All cases, minted once for all spellings.
  private static let subjects = Result {
    let minter = try Self.minter.get()
    return try CaseRecipe.all.map { try SpellingSubject($0, by: minter) }
  }

  @Test(arguments: Spelling.all.map(\.name))
  func `a spelling changes the bytes and keeps the verdict`(_ name: String) throws {
    let spelling = try #require(Spelling.named(name))
    let step = Ring.isDeep ? 11 : 463
    let keys = try Self.keys.get()
    var engines: [[[UInt8]]: [any TokenDecryptor]] = [:]
    func makeEngines(with anchors: [[UInt8]]) throws -> [any TokenDecryptor] {
      let roots = try TestSetting(of: try Self.minter.get(), anchors: anchors).trustAnchors()
      let made: [any TokenDecryptor] = [
        try FastDecryptor(keys: keys, anchors: roots), try ReferenceDecryptor(keys: keys, anchors: roots),
      ]
      engines[anchors] = made
      return made
    }
    var applied = 0
    // The first case that the spelling applies to, and a sample.
    for (number, subject) in try Self.subjects.get().enumerated() where number.isMultiple(of: step) || applied == 0 {
      guard case .success(let made) = try subject.spelled(spelling) else { continue }
      applied += 1
      #expect(made.test.input != subject.made.test.input, "\(made.test.name)")
      for engine in try engines[made.anchors] ?? makeEngines(with: made.anchors) {
        let verdict = TestVerdict(made.test.input.verdict(by: engine))
        #expect(verdict.asWritten == made.test.expected?.asWritten, "\(engine.name): \(made.test.name)")
      }
    }
    #expect(applied > 0, "the spelling applies to no case")
  }

  @Test func `a spelled case shows its class of spellings`() throws {
    let minter = try Self.minter.get()
    let recipe = try #require(CaseRecipe.named("public-key-hash-with-a-hyphen"))
    let subject = try SpellingSubject(recipe, by: minter)
    for spelling in Spelling.all where [.json, .envelope].contains(spelling.column.part) && !spelling.isCompound {
      guard case .success(let made) = try subject.spelled(spelling) else { continue }
      var test = made.test
      // By its bytes, not by its name.
      test.name = recipe.name
      #expect(SpellingClass.classes(of: test).contains(spelling.column), "\(spelling.name)")
    }
  }

  @Test func `names of spellings and of boundary cases are unique kebab case`() {
    let names = Spelling.all.map(\.name) + (CaseRecipe.boundaries + CaseRecipe.registerBoundaries).map(\.name)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(
        name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }, "\(name)")
      #expect(!name.contains("--"), "\(name)")
    }
    #expect(CaseRecipe.all.allSatisfy { !$0.name.contains("--") }, "two hyphens mark spellings")
  }
}
