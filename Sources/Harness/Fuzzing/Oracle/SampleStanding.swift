import PaymentToken
import TestCases

/// How much it matters that an external program accepts a sample that both engines refuse.
///
/// A vector's name or rule gives its standing; a sample has neither. What counts is whether the test signer signed the
/// content: if not, anybody can make the sample, and accepting it is a forgery.
enum SampleStanding {
  static func of(_ fault: TokenFault, isSigned: Bool) -> Standing {
    // Names should be unique (RFC 8259 4), sizes are limited by choice, and the hash of the key is not signed.
    if [.duplicateMember, .tokenTooLarge, .unknownMerchantKey, .replayStoreFull, .replayStoreUnavailable]
      .contains(fault.code)
    {
      return Standing(.holder, .project, .choice)
    }
    if fault.stage < .signatureShape {
      // If only a lenient reader can decode the text, nothing is known of the signature.
      let hasNoSignature = fault.member == .signature && [.missingMember, .wrongType].contains(fault.code)
      return hasNoSignature ? Standing(.anyone, .apple, .critical) : Standing(.holder, .project, .strictness)
    }
    guard isSigned else { return Standing(.anyone, .apple, .critical) }
    return Standing(fault.stage < .signingTime ? .apple : .holder, .apple, severity(fault.stage))
  }

  /// The severity for content that the test signer signed.
  private static func severity(_ stage: VerificationStage) -> Standing.Severity {
    switch stage {
    case .chain, .signature, .signingTime, .symmetricKey, .decryption, .expectations: .high
    default: .strictness
    }
  }
}
