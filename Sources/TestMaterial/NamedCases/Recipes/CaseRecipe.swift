import Minting
import PaymentToken
import TestCases

/// A named case that any minter can make: `Minter.make`.
package struct CaseRecipe: Sendable {
  /// The expected verdict, without the plaintext.
  package enum Expected: Hashable, Sendable {
    case accept
    case acceptUnsigned
    case reject(TokenFault)

    /// Whether the token must be refused.
    package var isRefusal: Bool { if case .reject = self { true } else { false } }
  }

  /// Unique, in kebab case, with the standing and the traits.
  private let caseName: CaseName
  /// The rule of Docs/Verification.md that decides.
  package let clause: String
  /// Why the case exists; empty where the name says it.
  package let note: String
  /// The expected verdict.
  package let expected: Expected
  /// Whether the case is one of `underRSA`, whose token is of RSA_v1.
  package let isRSA: Bool
  let build: CaseList.Build

  init(
    name: CaseName, clause: String, note: String = "", expected: Expected, isRSA: Bool = false,
    build: @escaping CaseList.Build
  ) {
    caseName = name
    self.clause = clause
    self.note = note
    self.expected = expected
    self.isRSA = isRSA
    self.build = build
  }

  /// The families of cases in the order of the stages. Each has a number that never changes; a new one gets the next.
  private static let families: [(number: Int, add: @Sendable (inout CaseList) -> Void)] = [
    // Stage 0.
    (1, { $0.addRequestTextCases() }),
    (68, { $0.addRequestSpaceCases() }),
    (2, { $0.addRequestNameCases() }),
    (3, { $0.addRouteCases() }),
    (5, { $0.addConstantFieldCases() }),
    (4, { $0.addEnclosedTokenCases() }),
    (6, { $0.addEnvelopeNestingCases() }),
    (7, { $0.addTokenPartCases() }),
    (69, { $0.addTwinPartCases() }),
    (96, { $0.addTwinLetterCases() }),
    (8, { $0.addEnvelopeChoiceCases() }),
    (10, { $0.addUnsignedCases() }),
    (70, { $0.addUnsignedSizeCases() }),
    (90, { $0.addCallersEnvelopeCases() }),
    // Stage 1.
    (11, { $0.addSizeCases() }),
    // Stage 2.
    (12, { $0.addJSONTextCases() }),
    (73, { $0.addSurrogateBoundCases() }),
    (93, { $0.addCutEscapeCases() }),
    (13, { $0.addRepeatedNameCases() }),
    (66, { $0.addJSONRunCases() }),
    // Stage 3.
    (14, { $0.addMemberCases() }),
    (39, { $0.addRSAMemberCases() }),
    (80, { $0.addFirstLetterCases() }),
    // Stage 4.
    (15, { $0.addEncodingCases() }),
    (52, { $0.addBase64EndCases() }),
    (81, { $0.addHexEndCases() }),
    (40, { $0.addWrappedKeyEncodingCases() }),
    (58, { $0.addRSALengthCases() }),
    // Stage 5.
    (16, { $0.addDEREncodingCases() }),
    (17, { $0.addSignedDataCases() }),
    (95, { $0.addEnclosedContentCases() }),
    (18, { $0.addSignerInfoCases() }),
    (53, { $0.addSignerChoiceCases() }),
    (75, { $0.addAlgorithmTagCases() }),
    (19, { $0.addAttributeCases() }),
    (74, { $0.addAttributeBoundCases() }),
    (20, { $0.addTimeCases() }),
    (63, { $0.addTimeDigitCases() }),
    (21, { $0.addCertificateShapeCases() }),
    (22, { $0.addCertificateKeyCases() }),
    (23, { $0.addExtensionCases() }),
    (71, { $0.addExtensionOrderCases() }),
    (76, { $0.addUnreadableSignerCases() }),
    (83, { $0.addFirstExtensionCases() }),
    (41, { $0.addRSASignatureShapeCases() }),
    (62, { $0.addDERBoundaryCases() }),
    (84, { $0.addPrimitiveNestingCases() }),
    // Stage 6.
    (24, { $0.addCertificateBagCases() }),
    (94, { $0.addForeignSignerCases() }),
    (97, { $0.addLongIdentifierCases() }),
    // Stage 7.
    (25, { $0.addChainCases() }),
    (72, { $0.addRSASHA384Cases() }),
    (85, { $0.addLargestRootCases() }),
    (26, { $0.addChainConstraintCases() }),
    (27, { $0.addValidityCases() }),
    (64, { $0.addKeyUsageBitCases() }),
    (43, { $0.addRSALeafCases() }),
    (88, { $0.addRSALeafSizeCases() }),
    (54, { $0.addCertificateSignatureValueCases() }),
    (77, { $0.addCertificateSignatureEndCases() }),
    // Stage 8.
    (28, { $0.addSignatureCases() }),
    (42, { $0.addRSASignatureCases() }),
    (49, { $0.addECDSAEdgeCases() }),
    (65, { $0.addShortNumberCases() }),
    (86, { $0.addOverlongIntegerCases() }),
    (89, { $0.addUndecidedSumCases() }),
    (91, { $0.addLeafKeyEdgeCases() }),
    // Stage 9.
    (29, { $0.addSigningTimeCases() }),
    // Stage 10.
    (30, { $0.addMerchantKeyCases() }),
    (44, { $0.addRSAMerchantKeyCases() }),
    (57, { $0.addMerchantCertificateDates() }),
    // Stage 11.
    (31, { $0.addEphemeralKeyCases() }),
    (55, { $0.addInvalidCurveCases() }),
    (56, { $0.addLeadingZeroCases() }),
    (45, { $0.addWrappedKeyCases() }),
    // Stage 12.
    (32, { $0.addDecryptionCases() }),
    (46, { $0.addRSACipherCases() }),
    (59, { $0.addRSATagCases() }),
    // Stage 13.
    (33, { $0.addPayloadTextCases() }),
    (35, { $0.addPayloadEscapeCases() }),
    (34, { $0.addPayloadMemberCases() }),
    (36, { $0.addAmountCases() }),
    (78, { $0.addPaymentDataDigitCases() }),
    (79, { $0.addLeapDayCases() }),
    (47, { $0.addRSAPayloadCases() }),
    (67, { $0.addPayloadAlphabetAndDepthCases() }),
    (82, { $0.addPayloadLetterCases() }),
    // Stage 14.
    (9, { $0.addTransactionIdentifierCases() }),
    (37, { $0.addExpectationCases() }),
    (101, { $0.addCurrencyCases() }),
    // Across the stages.
    (38, { $0.addForgeryCases() }),
    (92, { $0.addSelfSignedIntermediates() }),
    (48, { $0.addRSAForgeryCases() }),
    (60, { $0.addForgeryVariantCases() }),
    (50, { $0.addNearMissCases() }),
    (51, { $0.addRepeatedRequestCases() }),
    (87, { $0.addKnownChainCases() }),
    (61, { $0.addRegressionCases() }),
    (98, { $0.addNameEndCases() }),
    (99, { $0.addEquivalentNameCases() }),
    (100, { $0.addLateDifferenceCases() }),
  ]

  /// The cases of each family, by its number.
  private static let byFamily: [Int: ArraySlice<CaseRecipe>] = {
    // The oldest first: cases derive from older ones.
    var list = CaseList()
    var cases: [Int: ArraySlice<CaseRecipe>] = [:]
    for (number, add) in families.sorted(by: { $0.number < $1.number }) {
      let first = list.recipes.count
      add(&list)
      cases[number] = list.recipes[first...]
    }
    return cases
  }()

  /// Every case, in the order of the stages.
  package static let all: [CaseRecipe] = families.flatMap { byFamily[$0.number] ?? [] }

  /// Every case, the oldest family first: the order of the vectors in a file.
  package static let byAge: [CaseRecipe] = families.map(\.number).sorted().flatMap { byFamily[$0] ?? [] }

  /// Unique, in kebab case.
  package var name: String { caseName.text }

  /// Determines the random bytes and the number of the case: the name, unless the case was renamed.
  package var seed: String { caseName.seed }

  /// What the case shows beyond its rule.
  package var traits: Set<CaseTrait> { caseName.traits }

  /// This case with a token of RSA_v1, for one of the merchant's three keys. The name gets the prefix `rsa-`.
  func underRSA(as name: CaseName? = nil, key: Int = 0, note: String? = nil) -> CaseRecipe {
    let name = name.map { caseName.renamed($0) } ?? caseName
    return CaseRecipe(name: "rsa-\(name)", clause: clause, note: note ?? self.note, expected: expected, isRSA: true) {
      draft in
      try draft.becomeRSA(key: key)
      try build(&draft)
    }
  }

  /// This case as a repeated request: the engine has verified the same token before, and what it caches of certificates
  /// must not change the verdict. The name gets the suffix `-asked-about-twice`.
  func repeated(as name: CaseName) -> CaseRecipe {
    CaseRecipe(
      name: "\(caseName.renamed(name))-asked-about-twice", clause: clause, expected: expected, isRSA: isRSA
    ) { draft in
      try build(&draft)
      draft.prelude = [draft.bareToken]
    }
  }

  /// Who can make the request, what the expected verdict is based on, and how severe the wrong verdict is.
  ///
  /// - Parameter isUnsigned: whether the policy allows tokens without a signature.
  func standing(isUnsigned: Bool) -> Standing? {
    if let standing = caseName.ownStanding { return standing }
    if expected.isRefusal, let standing = forgery?.standing { return standing }
    return Standing.ofRule(clause, expected, isUnsigned: isUnsigned)
  }

  /// The letter of the classic forgery; nil for another case.
  private var forgery: Forgery? {
    traits.lazy.compactMap { if case .forgery(let letter) = $0 { letter } else { nil } }.first
  }

  /// Whether the case represents its forgery letter and version. The first critical one does; without one, the first.
  package var isForgery: Bool { forgery != nil && Self.forgeryNames.contains(name) }

  private static let forgeryNames: Set<String> = {
    var names: Set<String> = []
    for letter in Forgery.allCases {
      let refused = byAge.filter { $0.forgery == letter && $0.expected.isRefusal }
      for isRSA in [false, true] {
        let ofVersion = refused.filter { $0.isRSA == isRSA }
        let critical = ofVersion.first { $0.standing(isUnsigned: false)?.severity == .critical }
        if let first = critical ?? ofVersion.first { names.insert(first.name) }
      }
    }
    return names
  }()

  /// Whether it is one of `boundaries` or `registerBoundaries`.
  package var isBoundary: Bool { !traits.isDisjoint(with: [.boundary, .committedBoundary]) }

  /// The case of that name.
  package static func named(_ name: String) -> CaseRecipe? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension Minter {
  /// Mints one named case.
  ///
  /// A case fails when a library call fails (out of memory), or when its search for a rare value finds none. The
  /// closures of cases throw untyped errors, because Swift does not infer the error type of a closure; this method
  /// converts them.
  ///
  /// - Throws: `MintingError` for any failure.
  package func make(_ recipe: CaseRecipe) throws(MintingError) -> MintedCase {
    made(try draft(of: recipe), of: recipe)
  }

  /// The edited layers of a named case.
  func draft(of recipe: CaseRecipe) throws(MintingError) -> CaseDraft {
    var draft = try CaseDraft(self, seed: recipe.seed)
    do {
      try recipe.build(&draft)
    } catch let error as MintingError {
      throw error
    } catch { throw .recipe("\(error)") }
    return draft
  }

  /// The test case made from a draft.
  func made(_ draft: CaseDraft, of recipe: CaseRecipe) -> MintedCase {
    let plaintext = draft.layers.plaintext
    let expected: TestVerdict =
      switch recipe.expected {
      case .accept: .accept(plaintext: plaintext)
      case .acceptUnsigned: .acceptUnsigned(plaintext: plaintext)
      case .reject(let fault): .reject(fault)
      }
    let anchors = draft.anchors ?? self.anchors.certificates
    let context = TestContext(now: draft.now, policy: draft.policy, prelude: draft.prelude)
    let test = TestCase(
      id: recipe.name, name: recipe.name, source: source, comment: recipe.note, clauses: [recipe.clause],
      standing: recipe.standing(isUnsigned: draft.policy.isUnsigned),
      input: TestInput(draft.request ?? draft.bareToken, context), expected: expected)
    return MintedCase(
      test: test, traits: recipe.traits, version: draft.layers.version, bareToken: draft.bareToken, anchors: anchors,
      isSingleToken: context == TestContext(now: time) && anchors == self.anchors.certificates)
  }

  /// Mints every named case, in the order of `CaseRecipe.all`.
  package func cases() throws(MintingError) -> [MintedCase] {
    var cases: [MintedCase] = []
    for recipe in CaseRecipe.all { cases.append(try make(recipe)) }
    return cases
  }
}
