/// Why a token was refused: a stable code, the stage that refused it and the member concerned.
///
/// A value of three bytes that never carries bytes of the token, so that it can be logged as it is.
@frozen
public struct TokenFault: Error, Hashable, Sendable, BitwiseCopyable {
  /// The stable name of the reason.
  public let code: Code
  /// The stage that refused the token.
  public let stage: VerificationStage
  /// The token's member concerned: named by stages 2 (a repeated name), 3 and 4, nil elsewhere.
  public let member: TokenMember?

  /// A fault of a code that belongs to one stage.
  @inlinable
  public init(_ code: Code, member: TokenMember? = nil) {
    self.init(code, stage: code.stage, member: member)
  }

  /// A fault at a stage of its own: for the codes that two stages share.
  @inlinable
  public init(_ code: Code, stage: VerificationStage, member: TokenMember? = nil) {
    self.code = code
    self.stage = stage
    self.member = member
  }
}

extension TokenFault: CustomStringConvertible {
  /// The code, the stage and the member: never anything of the token's content.
  public var description: String {
    "\(code.rawValue) (stage \(stage.rawValue)\(member.map { ", \($0.path)" } ?? ""))"
  }
}

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

/// The stages of verification in the order in which they are decided (Docs/Verification.md).
@frozen
public enum VerificationStage: Int, Hashable, Comparable, Sendable, BitwiseCopyable, CaseIterable {
  case envelope = 0
  case size = 1
  case json = 2
  case shape = 3
  case encodings = 4
  case signatureShape = 5
  case certificates = 6
  case chain = 7
  case signature = 8
  case signingTime = 9
  case merchantKey = 10
  case symmetricKey = 11
  case decryption = 12
  case payload = 13
  case expectations = 14

  @inlinable
  public static func < (left: VerificationStage, right: VerificationStage) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A member of the token that a fault can name, by its path.
@frozen
public enum TokenMember: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  case version
  case data
  case signature
  case header
  case ephemeralPublicKey = "header.ephemeralPublicKey"
  case wrappedKey = "header.wrappedKey"
  case publicKeyHash = "header.publicKeyHash"
  case transactionId = "header.transactionId"
  case applicationData = "header.applicationData"

  /// The member's path from the token object, as faults print it.
  public var path: String { rawValue }

  /// The member's name in the object it belongs to: the last part of `path`.
  package var name: String { rawValue.split(separator: ".").last.map { String($0) } ?? rawValue }
}
