import PaymentToken

/// What a decryptor must say.
public enum MintedVerdict: Hashable, Sendable {
  /// Accept, with exactly this plaintext.
  case accept(plaintext: [UInt8])
  /// Accept, with exactly this plaintext, as a token that nobody signed.
  case acceptUnsigned(plaintext: [UInt8])
  case reject(TokenFault)

  /// What an engine decided, in these words.
  public init(_ verdict: Result<TokenUnderUnsignedPolicy, TokenFault>) {
    switch verdict {
    case .success(.signed(let token)): self = .accept(plaintext: token.plaintext)
    case .success(.unsigned(let token)): self = .acceptUnsigned(plaintext: token.plaintext)
    case .failure(let fault): self = .reject(fault)
    }
  }
}

/// A token, the circumstances it is decided in, and the one right answer.
public struct MintedCase: Hashable, Sendable {
  /// Unique, in kebab case: what is wrong with the token, or unusual about it.
  public let name: String
  /// The rule of Docs/Verification.md that decides.
  public let clause: String
  /// Why the case is there, where the name does not say it.
  public let note: String
  /// The version it was minted as, whatever the token says of itself.
  public let version: TokenVersion
  /// The token's bytes, or those of the request around it.
  public let token: [UInt8]
  /// The token as it was before a request was put around it.
  public let bareToken: [UInt8]
  /// The verification time.
  public let now: UnixTime
  /// The policy it is decided under.
  public let policy: PolicyRecipe
  /// Tokens decrypted before, in this order, under the same policy, store and time; their verdicts do not matter.
  public let prelude: [[UInt8]]
  /// The roots to trust.
  public let anchors: [[UInt8]]
  /// What a decryptor must say.
  public let expected: MintedVerdict
  /// Whether the token alone tells the story: default policy, the minter's time and root, no prelude.
  public let isSingleToken: Bool

  /// The roots to trust, as engines take them.
  public var trustAnchors: TrustAnchors { TrustAnchors(certificates: anchors) }
}

/// A named case that any minter can make: `Minter.make`.
public struct CaseRecipe: Sendable {
  /// What the decryptor must say, short of the plaintext.
  public enum Expected: Hashable, Sendable {
    case accept
    case acceptUnsigned
    case reject(TokenFault)
  }

  /// Unique, in kebab case.
  public let name: String
  /// The rule of Docs/Verification.md that decides.
  public let clause: String
  /// Why the case is there; empty where the name says it.
  public let note: String
  /// What the decryptor must say.
  public let expected: Expected
  let build: @Sendable (inout CaseDraft) throws(MintingError) -> Void

  /// Every case there is, in the order of the rules.
  public static let all: [CaseRecipe] = {
    var list = CaseList()
    list.addEnvelopeTextCases()
    list.addEnvelopeNameCases()
    list.addEnvelopeRouteCases()
    list.addEnvelopeValueCases()
    list.addEnvelopeFieldCases()
    list.addEnvelopeNestingCases()
    list.addEnvelopePartCases()
    list.addEnvelopeChoiceCases()
    list.addEnvelopeTransactionCases()
    list.addUnsignedCases()
    list.addTextCases()
    list.addDuplicateCases()
    list.addShapeCases()
    list.addEncodingCases()
    list.addSignatureEncodingCases()
    list.addSignatureContentCases()
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
    list.addRSAShapeCases()
    list.addRSASignatureCases()
    list.addRSASignatureValueCases()
    list.addRSACertificateCases()
    list.addRSAUnwrapCases()
    list.addRSAPayloadCases()
    list.addRSAForgeryCases()
    list.addECDSAEdgeCases()
    list.addNearMissCases()
    list.addSecondAskingCases()
    list.addBase64EndCases()
    list.addSignerChoiceCases()
    list.addCertificateSignatureValueCases()
    list.addInvalidCurveCases()
    list.addLeadingZeroCases()
    list.addRSANearMissCases()
    list.addForgeryVariantCases()
    list.addRegressionCases()
    return list.recipes
  }()

  /// The case of that name.
  public static func named(_ name: String) -> CaseRecipe? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension Minter {
  /// Mints one named case.
  public func make(_ recipe: CaseRecipe) throws(MintingError) -> MintedCase {
    var draft = try CaseDraft(self, name: recipe.name)
    try recipe.build(&draft)
    let expected: MintedVerdict =
      switch recipe.expected {
      case .accept: .accept(plaintext: draft.layers.plaintext)
      case .acceptUnsigned: .acceptUnsigned(plaintext: draft.layers.plaintext)
      case .reject(let fault): .reject(fault)
      }
    let anchors = draft.anchors ?? self.anchors.certificates
    return MintedCase(
      name: recipe.name, clause: recipe.clause, note: recipe.note, version: draft.layers.version,
      token: draft.request ?? draft.bareToken, bareToken: draft.bareToken, now: draft.now, policy: draft.policy,
      prelude: draft.prelude, anchors: anchors, expected: expected,
      isSingleToken: draft.policy == PolicyRecipe() && draft.prelude.isEmpty && draft.now == time
        && anchors == self.anchors.certificates)
  }

  /// Mints every named case, in the order of the rules.
  public func cases() throws(MintingError) -> [MintedCase] {
    var cases: [MintedCase] = []
    for recipe in CaseRecipe.all { cases.append(try make(recipe)) }
    return cases
  }
}
