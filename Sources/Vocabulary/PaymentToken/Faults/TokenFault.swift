/// Why a token was rejected: a stable code, the stage that rejected it and the member concerned.
///
/// A value of three bytes that never carries content of the token, so it is safe to log.
///
/// ```swift
/// do {
///   let token = try engine.decrypt(request, at: now, under: policy)
/// } catch {
///   log("\(error): \(error.code.advice)")  // unknownMerchantKey (stage 10): No loaded key has this publicKeyHash: …
/// }
/// ```
@frozen
public struct TokenFault: Error, Hashable, Sendable, BitwiseCopyable {
  /// The reason, with a stable name.
  public let code: Code
  /// The stage that rejected the token.
  public let stage: VerificationStage
  /// The member of the token concerned: set by stages 3 and 4, and by stage 2 if the name of a member is repeated.
  public let member: TokenMember?

  /// A fault at the code's own stage.
  @inlinable
  public init(_ code: Code, member: TokenMember? = nil) {
    self.init(code, stage: code.stage, member: member)
  }

  /// A fault at a given stage, for the codes that two stages share.
  @inlinable
  public init(_ code: Code, stage: VerificationStage, member: TokenMember? = nil) {
    self.code = code
    self.stage = stage
    self.member = member
  }
}

extension TokenFault: CustomStringConvertible {
  /// The code, the stage and the member: `missingMember (stage 3, header.publicKeyHash)`.
  public var description: String {
    "\(code.rawValue) (stage \(stage.rawValue)\(member.map { ", \($0.path)" } ?? ""))"
  }
}

extension TokenFault {
  /// The stable codes, spelled as in output, test vectors and the line protocol. Each links the first of its rules.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// The request is not the JSON that the envelope requires, or has no token or several.
    /// [Rule 0.2](Docs/Verification.md#rule-0-2) to 0.5.
    case malformedEnvelope
    /// Automatic selection found more than one envelope that the request matches.
    /// [Rule 0.9](Docs/Verification.md#rule-0-9).
    case ambiguousEnvelope
    /// A field of the request contradicts its gateway (stage 0) or the token (stage 14).
    /// [Rule 0.6](Docs/Verification.md#rule-0-6), 0.11 and 14.0.
    case envelopeFieldMismatch
    /// The token has more than 16,384 bytes (stage 1), or the request more than 65,536 (stage 0).
    /// [Rule 1.1](Docs/Verification.md#rule-1-1) and 0.1.
    case tokenTooLarge
    /// The token is not strict JSON (RFC 8259) within the limits. [Rule 2.1](Docs/Verification.md#rule-2-1) to 2.5.
    case malformedJSON
    /// A name occurs twice in the token object or in its `header`. [Rule 2.6](Docs/Verification.md#rule-2-6).
    case duplicateMember
    /// A required member is missing. [Rule 3.1](Docs/Verification.md#rule-3-1) and 3.3.
    case missingMember
    /// A member has the wrong JSON type. [Rule 3.1](Docs/Verification.md#rule-3-1), 3.3 and 3.4.
    case wrongType
    /// `version` is neither `EC_v1` nor `RSA_v1`. [Rule 3.2](Docs/Verification.md#rule-3-2).
    case unsupportedVersion
    /// The other version's key member is present. [Rule 3.3](Docs/Verification.md#rule-3-3).
    case conflictingMembers
    /// A member is not strict base64 (RFC 4648 section 4). [Rule 4.1](Docs/Verification.md#rule-4-1).
    case invalidBase64
    /// A member is not hexadecimal. [Rule 4.2](Docs/Verification.md#rule-4-2).
    case invalidHex
    /// A decoded member has the wrong length. [Rule 4.3](Docs/Verification.md#rule-4-3).
    case invalidLength
    /// The signature is not CMS SignedData (RFC 5652) as Apple makes it.
    /// [Rule 5.1](Docs/Verification.md#rule-5-1) to 5.19.
    case malformedSignature
    /// Not exactly one certificate has Apple's leaf marker. [Rule 6.1](Docs/Verification.md#rule-6-1).
    case missingLeafMarker
    /// Not exactly one other certificate has Apple's intermediate marker. [Rule 6.2](Docs/Verification.md#rule-6-2).
    case missingIntermediateMarker
    /// The signature has a certificate other than leaf, intermediate and a trusted root.
    /// [Rule 6.3](Docs/Verification.md#rule-6-3).
    case unexpectedCertificate
    /// The SignerInfo names another signer than the leaf. [Rule 6.4](Docs/Verification.md#rule-6-4).
    case signerMismatch
    /// The certificates do not chain to a trusted root (RFC 5280). [Rule 7.1](Docs/Verification.md#rule-7-1) to 7.5.
    case untrustedChain
    /// A certificate, or its key, is on the caller's revocation list. [Rule 7.6](Docs/Verification.md#rule-7-6).
    case certificateRevoked
    /// A certificate had expired at the verification time. [Rule 7.7](Docs/Verification.md#rule-7-7).
    case certificateExpired
    /// A certificate was not yet valid at the verification time. [Rule 7.7](Docs/Verification.md#rule-7-7).
    case certificateNotYetValid
    /// The signature is not one of the leaf over the token. [Rule 8.1](Docs/Verification.md#rule-8-1) to 8.4.
    case signatureMismatch
    /// The signing time is further from the verification time than the window allows, or outside `signingTimes`.
    /// [Rule 9.1](Docs/Verification.md#rule-9-1).
    case signingTimeOutsideWindow
    /// No loaded key has the token's publicKeyHash and version. [Rule 10.1](Docs/Verification.md#rule-10-1).
    case unknownMerchantKey
    /// The ephemeral key is not an uncompressed point on P-256 in the 91-byte form.
    /// [Rule 11.1](Docs/Verification.md#rule-11-1).
    case invalidEphemeralKey
    /// An external key did not answer, or the process lacks memory, random numbers or an algorithm of libcrypto. This
    /// says nothing about the token. [Rule 11.3](Docs/Verification.md#rule-11-3).
    case keyUnavailable
    /// The authentication tag is wrong (NIST SP 800-38D), most often because of a wrong merchant ID.
    /// [Rule 12.1](Docs/Verification.md#rule-12-1) and 11.5.
    case decryptionFailed
    /// The decrypted payload is not what Apple documents. [Rule 13.1](Docs/Verification.md#rule-13-1) to 13.5.
    case malformedPayload
    /// The token was made for other application data than expected. [Rule 14.1](Docs/Verification.md#rule-14-1).
    case applicationDataMismatch
    /// The token was made for another currency than expected. [Rule 14.2](Docs/Verification.md#rule-14-2).
    case currencyMismatch
    /// The token was made for another amount than expected. [Rule 14.3](Docs/Verification.md#rule-14-3).
    case amountMismatch
    /// The transaction was seen before. [Rule 14.4](Docs/Verification.md#rule-14-4).
    case replayedTransaction
    /// The replay store is full, or does not support the policy's window. [Rule 14.4](Docs/Verification.md#rule-14-4).
    case replayStoreFull
    /// The replay store failed or did not answer in time. This says nothing about the token, but the store may have
    /// remembered the transaction. [Rule 14.4](Docs/Verification.md#rule-14-4).
    case replayStoreUnavailable

    /// The stage of the code's rules. `tokenTooLarge` also occurs at stage 0, `envelopeFieldMismatch` at stage 14.
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
      case .applicationDataMismatch, .currencyMismatch, .amountMismatch, .replayedTransaction, .replayStoreFull,
        .replayStoreUnavailable:
        .expectations
      }
    }

    /// Whether the code is a verdict about the token. `keyUnavailable`, `replayStoreFull` and `replayStoreUnavailable`
    /// are not: the same token may pass later. It never does after `replayStoreFull` if the policy's window is longer
    /// than the store supports.
    @inlinable
    public var isVerdict: Bool {
      switch self {
      case .keyUnavailable, .replayStoreFull, .replayStoreUnavailable: false
      default: true
      }
    }
  }
}

/// The stages of verification (Docs/Verification.md). An earlier stage decides first.
@frozen
public enum VerificationStage: Int, Hashable, Comparable, Sendable, BitwiseCopyable, CaseIterable {
  /// The token is extracted from the request.
  case envelope = 0
  /// The size of the token.
  case size = 1
  /// Strict JSON.
  case json = 2
  /// Required members and their types.
  case shape = 3
  /// Base64, hexadecimal and decoded lengths.
  case encodings = 4
  /// The structure of the CMS signature.
  case signatureShape = 5
  /// The certificates in the signature.
  case certificates = 6
  /// The chain to a trusted root, revocation and validity.
  case chain = 7
  /// The signature over the token.
  case signature = 8
  /// The age of the token.
  case signingTime = 9
  /// The merchant key that the token is encrypted to.
  case merchantKey = 10
  /// The AES key, by ECDH (EC_v1) or RSA-OAEP (RSA_v1).
  case symmetricKey = 11
  /// AES-GCM decryption.
  case decryption = 12
  /// The decrypted payload.
  case payload = 13
  /// The caller's expectations and replay detection.
  case expectations = 14

  /// Whether the first stage precedes the second.
  @inlinable
  public static func < (left: VerificationStage, right: VerificationStage) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A member of the token that a fault can name (Apple, "Payment token format reference").
@nonexhaustive
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

  /// The member's dotted path from the token object: `header.publicKeyHash`.
  public var path: String { rawValue }

  /// The member's name in the object it belongs to: the last part of `path`.
  package var name: String { rawValue.split(separator: ".").last.map { String($0) } ?? rawValue }
}
