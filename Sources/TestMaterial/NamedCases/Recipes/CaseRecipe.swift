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
  }

  /// Unique, in kebab case.
  package let name: String
  /// The rule of Docs/Verification.md that decides.
  package let clause: String
  /// Why the case exists; empty where the name says it.
  package let note: String
  /// The expected verdict.
  package let expected: Expected
  let build: CaseList.Build

  /// Cases that only the exhaustive corpus has: their requests of 90 to 350 kB repeat the bound of rule 0.1, which is
  /// checked before the envelope is read, or that of rule 1.1, for one more envelope, selection or size.
  package static let exhaustiveOnly: Set = [
    "alphapay-of-the-largest-size", "applepayjs-of-the-largest-size", "alphapay-one-byte-too-large",
    "applepayjs-one-byte-too-large", "bambora-around-a-token-of-131073-bytes", "mpgs-around-a-token-of-131073-bytes",
    "mpgs-around-a-token-of-190000-bytes", "alphapay-around-the-largest-token",
    "alphapay-around-a-token-one-byte-too-large", "token-of-a-million-bytes", "applepayjs-around-the-largest-token",
    "applepayjs-around-a-token-one-byte-too-large", "auto-a-bare-token-too-large-for-any-request",
    "bambora-one-byte-too-large",
  ]

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

  /// This case with a token of RSA_v1, for one of the merchant's three keys. The name gets the prefix `rsa-`.
  func underRSA(as name: String? = nil, key: Int = 0, note: String? = nil) -> CaseRecipe {
    CaseRecipe(name: "rsa-" + (name ?? self.name), clause: clause, note: note ?? self.note, expected: expected) {
      draft in
      try draft.becomeRSA(key: key)
      try build(&draft)
    }
  }

  /// This case as a repeated request: the engine has verified the same token before, and what it caches of certificates
  /// must not change the verdict. The name gets the suffix `-asked-about-twice`.
  func repeated(as name: String) -> CaseRecipe {
    CaseRecipe(name: "\(name)-asked-about-twice", clause: clause, note: "", expected: expected) { draft in
      try build(&draft)
      draft.prelude = [draft.bareToken]
    }
  }

  /// Whether it is a classic forgery, one for each letter and version: a critical one if the letter has any.
  package var isForgery: Bool { Self.forgeryNames.contains(name) }

  private static let forgeryNames: Set<String> = {
    var first: [String: String] = [:]
    // Of the letter H, but not critical: nobody who expects application data accepts it.
    let weaker = "forgery-h-application-data-moved-into-the-transaction-id"
    for recipe in all
    where recipe.name.contains("forgery-") && !recipe.name.hasSuffix(weaker) && recipe.expected != .accept {
      // `forgery-a`, `rsa-forgery-a`.
      let letter = recipe.name.split(separator: "-").prefix(recipe.name.hasPrefix("rsa-") ? 3 : 2).joined(
        separator: "-")
      if first[letter] == nil { first[letter] = recipe.name }
    }
    return Set(first.values)
  }()

  /// Whether it is one of `boundaries`.
  package var isBoundary: Bool { name.hasPrefix(CaseList.boundaryPrefix) }

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
      input: TestInput(draft.request ?? draft.bareToken, context), expected: expected)
    return MintedCase(
      test: test, version: draft.layers.version, bareToken: draft.bareToken, anchors: anchors,
      isSingleToken: context == TestContext(now: time) && anchors == self.anchors.certificates)
  }

  /// Mints every named case, in the order of the rules.
  package func cases() throws(MintingError) -> [MintedCase] {
    var cases: [MintedCase] = []
    for recipe in CaseRecipe.all { cases.append(try make(recipe)) }
    return cases
  }
}
