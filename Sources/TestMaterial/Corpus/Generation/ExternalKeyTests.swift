import Minting
import NamedCases
import PaymentToken
import TestCases

extension VectorGenerator {
  private static let clause = "11.3"

  /// Whether a case is a valid token of EC_v1 for the first key, under the minter's own root.
  func isOfFirstKey(_ made: MintedCase) -> Bool {
    made.test.expected?.isAccepted == true && made.version == .ecV1 && made.anchors == minter.anchors.certificates
      && made.test.clauses != ["10.1"] && !made.test.context.policy.isUnsigned
  }

  /// Tokens for external keys (rule 11.3): external keys alone, one beside a key in memory, and one that does not
  /// answer.
  ///
  /// - Parameters:
  ///   - spelled: valid tokens for the first key in many spellings; a selection that shows all of them is used.
  ///   - numbers: the numbers of the cases.
  func externalKeys(
    _ spelled: [MintedCase], _ numbers: inout CaseNumbers
  ) throws(MintingError) -> [TestGroup] {
    let merchant = minter.merchants[0]
    let sets = Self.sets("an-external-key", merchant.keys[0...1].map { TestKey($0, of: merchant.identifier) })
    var tests: [(setting: TestSetting, test: TestCase)] = []
    func addPlainTests(of version: TokenVersion, _ sets: [ExternalKeySet]) throws(MintingError) {
      for set in sets {
        let setting = TestSetting(of: minter, keys: set.keys)
        tests += try plainTests(of: version, set, &numbers).map { (setting, $0) }
      }
    }
    try addPlainTests(of: .ecV1, sets)
    // The spelling does not affect which key answers: one set that answers and one that does not are enough.
    for made in Self.covering(spelled) {
      for set in [sets[1], sets[3]] {
        var test = self.test(made.test.name, set, made.test.input, made.test.expected, &numbers)
        let isAccepted = test.expected?.isAccepted == true
        test.standing =
          Spelling.standing(of: made.test.name, accepted: isAccepted, by: Self.clause) ?? test.standing
        test.comment = "a token in another spelling with " + set.words
        tests.append((TestSetting(of: minter, keys: set.keys), test))
      }
    }
    let rsaMerchant = minter.rsaMerchants[0]
    let rsaKeys = rsaMerchant.keys[0...1].map { TestKey($0, of: rsaMerchant.identifier) }
    try addPlainTests(of: .rsaV1, Self.sets("an-external-rsa-key", rsaKeys))
    return tests.map { TestGroup(setting: $0.setting, cases: [$0.test]) }
  }

  /// Sets of two keys. `keys[0]` is external in each set, `keys[1]` only in the first.
  private static func sets(_ name: String, _ keys: [TestKey]) -> [ExternalKeySet] {
    [
      ExternalKeySet(name: name, keys: keys.map { $0.held(by: .external) }),
      ExternalKeySet(name: "\(name)-before-one-in-memory", keys: [keys[0].held(by: .external), keys[1]]),
      ExternalKeySet(name: "\(name)-after-one-in-memory", keys: [keys[1], keys[0].held(by: .external)]),
      ExternalKeySet(
        name: "\(name)-without-an-answer", keys: [keys[0].held(by: .silent), keys[1]], fault: .keyUnavailable),
    ]
  }

  /// Valid tokens for both keys, and tokens that are refused before the first key is asked, or after it has answered.
  private func plainTests(
    of version: TokenVersion, _ set: ExternalKeySet, _ numbers: inout CaseNumbers
  ) throws(MintingError) -> [TestCase] {
    var tests: [TestCase] = []
    for (number, key) in [0, 1, 0, 0, 1].enumerated() {
      let name = "token-\(number + 1)-of-the-\(key == 0 ? "first" : "second")-key"
      var recipe = TokenRecipe(index: UInt64(Self.id(name, set, &numbers)))
      recipe.version = version
      recipe.key = key
      let layers = try minter.mint(recipe).layers
      let accepted = TestVerdict.accept(plaintext: layers.plaintext)
      let input = TestInput(layers.token, TestContext(now: Self.time))
      tests.append(test(name, key == 0 ? set : set.answering, input, accepted, &numbers))
    }
    let byTag = Standing(.apple, .standard("sp800-38d-7.2"), .high)
    let refusals: [(String, ExternalKeySet, Standing?)] =
      switch version {
      case .ecV1:
        [
          ("ephemeral-key-with-a-bit-flipped-in-byte-0", set.answering, nil),
          ("a-bit-flipped-in-the-tag", set.answering, .forgery), ("tag-with-a-bit-flipped-in-byte-0", set, byTag),
        ]
      case .rsaV1:
        [
          ("rsa-wrapped-key-n-of-2048-bits", set.answering, nil), ("rsa-wrapped-key-n-1-of-2048-bits", set, nil),
          ("rsa-wrapped-key-0-of-2048-bits", set, nil),
          ("rsa-wrapped-key-with-a-zero-byte-before-it", set.answering, nil),
          ("rsa-wrapped-key-without-its-first-byte-zero", set.answering, nil),
          ("rsa-wrapped-key-altered-after-a-token-of-the-same-data", set, nil), ("rsa-oaep-with-a-label", set, nil),
          ("rsa-oaep-with-a-first-byte-of-1", set, nil), ("rsa-key-of-0-bytes", set, nil),
          ("rsa-key-of-15-bytes", set, nil), ("rsa-key-of-32-bytes", set, nil),
          ("rsa-tag-with-a-bit-flipped-in-byte-0", set, byTag),
        ]
      }
    for (name, set, standing) in refusals {
      guard let recipe = CaseRecipe.named(name) else { throw .recipe("no case \(name)") }
      let made = try minter.make(recipe).test
      tests.append(test(name, set, made.input, made.expected, refused: standing, &numbers))
    }
    return tests
  }

  /// - Parameters:
  ///   - expected: the verdict if the key answers.
  ///   - standing: the standing of a refusal if the key answers; nil for the usual one.
  private func test(
    _ name: String, _ set: ExternalKeySet, _ input: TestInput, _ expected: TestVerdict?,
    refused standing: Standing? = nil, _ numbers: inout CaseNumbers
  ) -> TestCase {
    keyTest(
      Self.id(name, set, &numbers), "\(name)-with-\(set.name)", flags: ["ExternalKey"], clause: Self.clause, input,
      set.fault.map { .reject(TokenFault($0)) } ?? expected,
      refused: set.isSilent
        ? Standing(.apple, .project, .strictness) : standing ?? Standing(.apple, .apple, .strictness))
  }

  private static func id(_ name: String, _ set: ExternalKeySet, _ numbers: inout CaseNumbers) -> Int {
    numbers.id(in: VectorTheme.callers.name, of: "\(name)-with-\(set.name)")
  }

  /// A small selection of tokens that shows all their classes of spellings, made greedily.
  private static func covering(_ spelled: [MintedCase]) -> [MintedCase] {
    let bySize = spelled.sorted {
      ($0.test.request.count, $0.test.name) < ($1.test.request.count, $1.test.name)
    }
    let classes = bySize.map { made in
      var test = made.test
      test.clauses = [Self.clause]
      return SpellingClass.classes(of: test)
    }
    var chosen: [MintedCase] = []
    var covered: Set<SpellingClass> = []
    while true {
      let gains = classes.map { Set($0).subtracting(covered).count }
      guard let most = gains.max(), most > 0, let index = gains.firstIndex(of: most) else { return chosen }
      chosen.append(bySize[index])
      covered.formUnion(classes[index])
    }
  }
}

/// Keys of which at least one is external, and a name for them in names and comments of tests.
private struct ExternalKeySet {
  let name: String
  let keys: [TestKey]
  /// The fault of tokens for the external key; nil if it answers.
  var fault: TokenFault.Code?

  var words: String { name.split(separator: "-").joined(separator: " ") }

  /// Whether its external key does not answer.
  var isSilent: Bool { keys.contains { $0.holder == .silent } }

  /// The same set for tokens on which the external key has no influence.
  var answering: ExternalKeySet { ExternalKeySet(name: name, keys: keys) }
}
