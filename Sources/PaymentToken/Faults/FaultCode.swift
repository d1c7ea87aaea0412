extension TokenFault {
  /// The stable codes (Docs/Verification.md), spelled as they stand in output, vectors and the line protocol.
  @frozen
  public enum Code: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case malformedEnvelope, ambiguousEnvelope, envelopeFieldMismatch
    case tokenTooLarge
    case malformedJSON, duplicateMember
    case missingMember, wrongType, unsupportedVersion, conflictingMembers
    case invalidBase64, invalidHex, invalidLength
    case malformedSignature
    case missingLeafMarker, missingIntermediateMarker, unexpectedCertificate, signerMismatch
    case untrustedChain, certificateRevoked, certificateExpired, certificateNotYetValid
    case signatureMismatch
    case signingTimeOutsideWindow
    case unknownMerchantKey
    case invalidEphemeralKey
    case keyUnavailable
    case decryptionFailed
    case malformedPayload
    case applicationDataMismatch, currencyMismatch, amountMismatch, replayedTransaction, replayStoreFull

    /// The stage the code belongs to; `tokenTooLarge` and `envelopeFieldMismatch` also occur at another (stages 0 and 14).
    @inlinable
    public var stage: VerificationStage {
      switch self {
      case .malformedEnvelope, .ambiguousEnvelope, .envelopeFieldMismatch: .envelope
      case .tokenTooLarge: .size
      case .malformedJSON, .duplicateMember: .json
      case .missingMember, .wrongType, .unsupportedVersion, .conflictingMembers: .shape
      case .invalidBase64, .invalidHex, .invalidLength: .encodings
      case .malformedSignature: .signatureShape
      case .missingLeafMarker, .missingIntermediateMarker, .unexpectedCertificate, .signerMismatch: .certificates
      case .untrustedChain, .certificateRevoked, .certificateExpired, .certificateNotYetValid: .chain
      case .signatureMismatch: .signature
      case .signingTimeOutsideWindow: .signingTime
      case .unknownMerchantKey: .merchantKey
      case .invalidEphemeralKey, .keyUnavailable: .symmetricKey
      case .decryptionFailed: .decryption
      case .malformedPayload: .payload
      case .applicationDataMismatch, .currencyMismatch, .amountMismatch, .replayedTransaction, .replayStoreFull:
        .expectations
      }
    }

    /// Whether the code is a verdict about the token. `keyUnavailable` is none: the same token may pass later.
    @inlinable
    public var isVerdict: Bool { self != .keyUnavailable }
  }
}
