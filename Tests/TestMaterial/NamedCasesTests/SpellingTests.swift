import FastDecryption
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import ReferenceDecryption
import TestCases
import TestSupport
import Testing

/// Every spelling changes bytes and keeps the verdict. The engines decide a sample of cases here, and all cases in the
/// exhaustive corpus of the second ring.
@Suite struct SpellingTests {
  private static let minter = Result { try Minter(seed: 1, at: UnixTime(secondsSinceEpoch: 1_772_366_400)) }
  /// Loaded once, because loading keys takes longer than a verdict.
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
    var engines: [[[UInt8]]: [any TokenDecryptor]] = [:]
    var applied = 0
    // A sample of cases, and all cases until the spelling has applied to one.
    for (number, subject) in try Self.subjects.get().enumerated() where number.isMultiple(of: step) || applied == 0 {
      guard case .success(let made) = try subject.spelled(spelling) else { continue }
      applied += 1
      #expect(made.test.input != subject.made.test.input, "\(made.test.name)")
      try Self.check(made, &engines)
    }
    #expect(applied > 0, "the spelling applies to no case")
  }

  /// - Parameter engines: the engines by anchors; missing ones are added.
  private static func check(_ made: MintedCase, _ engines: inout [[[UInt8]]: [any TokenDecryptor]]) throws {
    if engines[made.anchors] == nil {
      let roots = try TestSetting(of: try minter.get(), anchors: made.anchors).trustAnchors()
      let keys = try keys.get()
      engines[made.anchors] = [
        try FastDecryptor(keys: keys, anchors: roots), try ReferenceDecryptor(keys: keys, anchors: roots),
      ]
    }
    for engine in engines[made.anchors] ?? [] {
      let verdict = TestVerdict(made.test.input.verdict(by: engine))
      #expect(verdict.asWritten == made.test.expected?.asWritten, "\(engine.name): \(made.test.name)")
    }
  }

  @Test func `cases at the limit of values have room in a token`() throws {
    let recipes = CaseRecipe.boundaries.filter { $0.name.hasSuffix("-values") }
    #expect(recipes.count > 40)
    var engines: [[[UInt8]]: [any TokenDecryptor]] = [:]
    for recipe in recipes { try Self.check(SpellingSubject(recipe, by: try Self.minter.get()).made, &engines) }
  }

  @Test(arguments: [
    ("auto-mpgs-beside-32-nested-arrays", "value-escaped"),
    ("unclosed-brackets-up-to-the-limit-of-size", "amid-white-space"),
  ])
  func `a spelling does not apply that makes the token too large`(name: String, spelling: String) throws {
    let subject = try SpellingSubject(try #require(CaseRecipe.named(name)), by: try Self.minter.get())
    guard case .failure(let reason) = try subject.spelled(try #require(Spelling.named(spelling))) else {
      Issue.record("it applies")
      return
    }
    #expect(reason == .limit)
  }

  @Test func `a spelled case shows its class of spellings`() throws {
    let minter = try Self.minter.get()
    let recipe = try #require(CaseRecipe.named("public-key-hash-with-a-hyphen"))
    let subject = try SpellingSubject(recipe, by: minter)
    for spelling in Spelling.all where [.json, .envelope].contains(spelling.column.part) && !spelling.isCompound {
      guard case .success(let made) = try subject.spelled(spelling) else { continue }
      var test = made.test
      // The class must follow from the bytes, not from the name of the spelling.
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
