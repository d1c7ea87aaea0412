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
    var isRefusal: Bool { if case .reject = self { true } else { false } }
  }

  /// Unique, in kebab case, with what the case says of itself.
  private let caseName: CaseName
  /// The rule of Docs/Verification.md that decides.
  package let clause: String
  /// Why the case exists; empty where the name says it.
  package let note: String
  /// The expected verdict.
  package let expected: Expected
  /// Whether its token is of RSA_v1.
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

  /// Every case: EC_v1 in the order of the rules, then RSA_v1, then later additions. The order determines the numbers
  /// of the vectors in Corpus, and which cases a seed picks in `assay diff` and in the fuzzer: add new cases at the
  /// end.
  package static let all: [CaseRecipe] = {
    var list = CaseList()
    list.addRequestTextCases()
    list.addRequestNameCases()
    list.addRouteCases()
    list.addEnclosedTokenCases()
    list.addConstantFieldCases()
    list.addEnvelopeNestingCases()
    list.addTokenPartCases()
    list.addEnvelopeChoiceCases()
    list.addTransactionIdentifierCases()
    list.addUnsignedCases()
    list.addSizeCases()
    list.addJSONTextCases()
    list.addRepeatedNameCases()
    list.addMemberCases()
    list.addEncodingCases()
    list.addDEREncodingCases()
    list.addSignedDataCases()
    list.addSignerInfoCases()
    list.addAttributeCases()
    list.addTimeCases()
    list.addCertificateShapeCases()
    list.addCertificateKeyCases()
    list.addExtensionCases()
    list.addCertificateBagCases()
    list.addChainCases()
    list.addChainConstraintCases()
    list.addValidityCases()
    list.addSignatureCases()
    list.addSigningTimeCases()
    list.addMerchantKeyCases()
    list.addEphemeralKeyCases()
    list.addDecryptionCases()
    list.addPayloadTextCases()
    list.addPayloadMemberCases()
    list.addPayloadEscapeCases()
    list.addAmountCases()
    list.addExpectationCases()
    list.addForgeryCases()
    list.addRSAMemberCases()
    list.addWrappedKeyEncodingCases()
    list.addRSASignatureShapeCases()
    list.addRSASignatureCases()
    list.addRSALeafCases()
    list.addRSAMerchantKeyCases()
    list.addWrappedKeyCases()
    list.addRSACipherCases()
    list.addRSAPayloadCases()
    list.addRSAForgeryCases()
    list.addECDSAEdgeCases()
    list.addNearMissCases()
    list.addRepeatedRequestCases()
    list.addBase64EndCases()
    list.addSignerChoiceCases()
    list.addCertificateSignatureValueCases()
    list.addInvalidCurveCases()
    list.addLeadingZeroCases()
    list.addMerchantCertificateDates()
    list.addRSALengthCases()
    list.addRSATagCases()
    list.addForgeryVariantCases()
    list.addRegressionCases()
    list.addDERBoundaryCases()
    list.addTimeDigitCases()
    list.addKeyUsageBitCases()
    list.addShortNumberCases()
    list.addJSONRunCases()
    list.addPayloadRunCases()
    list.addRequestSpaceCases()
    list.addTwinPartCases()
    list.addUnsignedSizeCases()
    list.addExtensionOrderCases()
    list.addRSASHA384Cases()
    list.addSurrogateBoundCases()
    list.addAttributeBoundCases()
    list.addAlgorithmTagCases()
    list.addUnreadableSignerCases()
    list.addCertificateSignatureEndCases()
    list.addPaymentDataDigitCases()
    list.addLeapDayCases()
    list.addFirstLetterCases()
    list.addHexEndCases()
    list.addPayloadLetterCases()
    list.addFirstExtensionCases()
    list.addPrimitiveNestingCases()
    list.addLargestRootCases()
    list.addOverlongIntegerCases()
    list.addKnownChainCases()
    list.addRSALeafSizeCases()
    list.addUndecidedSumCases()
    list.addCallersEnvelopeCases()
    list.addLeafKeyEdgeCases()
    list.addSelfSignedIntermediates()
    list.addCutEscapeCases()
    list.addForeignSignerCases()
    list.addEnclosedContentCases()
    list.addTwinLetterCases()
    list.addLongIdentifierCases()
    list.addNameEndCases()
    list.addEquivalentNameCases()
    list.addLateDifferenceCases()
    return list.recipes
  }()

  /// Unique, in kebab case.
  package var name: String { caseName.text }

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

  /// Who can make the request, by what it is wrong, and how severe the other verdict is.
  ///
  /// - Parameter isUnsigned: whether the policy allows tokens without a signature.
  func standing(isUnsigned: Bool) -> Standing? {
    if let standing = caseName.ownStanding { return standing }
    if expected.isRefusal, let standing = forgery?.standing { return standing }
    return Standing.usual(clause, expected, isUnsigned: isUnsigned)
  }

  /// The letter of the classic forgery that it is.
  private var forgery: Forgery? {
    traits.lazy.compactMap { if case .forgery(let letter) = $0 { letter } else { nil } }.first
  }

  /// Whether it is a classic forgery, one for each letter and version: a critical one if the letter has any.
  package var isForgery: Bool { forgery != nil && Self.forgeryNames.contains(name) }

  private static let forgeryNames: Set<String> = {
    var names: Set<String> = []
    for letter in Forgery.allCases {
      let refused = all.filter { $0.forgery == letter && $0.expected.isRefusal }
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
    var draft = try CaseDraft(self, name: recipe.name)
    do {
      try recipe.build(&draft)
    } catch let error as MintingError {
      throw error
    } catch { throw .recipe("\(error)") }
    return draft
  }

  /// The case that a draft is now.
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

  /// Mints every named case, in the order of the rules.
  package func cases() throws(MintingError) -> [MintedCase] {
    var cases: [MintedCase] = []
    for recipe in CaseRecipe.all { cases.append(try make(recipe)) }
    return cases
  }
}
