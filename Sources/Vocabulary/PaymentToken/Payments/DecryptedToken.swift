/// A token that passed every stage: signed by Apple, opened with the merchant's key, as the caller expected it.
public struct DecryptedToken: Hashable, Sendable {
  /// The name of the envelope it came in; `apple` for the token itself.
  public let envelope: String
  public let version: TokenVersion
  /// The device's transaction identifier, signed.
  public let transactionId: Bytes32
  /// The hash of the key that opened it.
  public let publicKeyHash: Bytes32
  /// The sender's key as the token has it, signed: SubjectPublicKeyInfo, 91 bytes; nil under RSA_v1.
  public let ephemeralPublicKey: [UInt8]?
  /// SHA-256 of the request's application data, signed; nil when the token has none.
  public let applicationData: Bytes32?
  /// The CMS signingTime.
  public let signedAt: UnixTime
  /// The time the certificates were checked against: the caller's, or `signedAt` in archival mode.
  public let verifiedAt: UnixTime
  public let payment: Payment
  /// The decrypted bytes exactly as they were encrypted.
  public let plaintext: [UInt8]

  public init(
    envelope: String, version: TokenVersion, transactionId: Bytes32, publicKeyHash: Bytes32,
    ephemeralPublicKey: [UInt8]?, applicationData: Bytes32?, signedAt: UnixTime, verifiedAt: UnixTime,
    payment: Payment, plaintext: [UInt8]
  ) {
    self.envelope = envelope
    self.version = version
    self.transactionId = transactionId
    self.publicKeyHash = publicKeyHash
    self.ephemeralPublicKey = ephemeralPublicKey
    self.applicationData = applicationData
    self.signedAt = signedAt
    self.verifiedAt = verifiedAt
    self.payment = payment
    self.plaintext = plaintext
  }
}

extension DecryptedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "DecryptedToken(\(version.rawValue), \(transactionId.hex), \(payment))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The encryption scheme a token names in its `version` (Apple, "Payment token format reference").
@frozen
public enum TokenVersion: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// ECDH on P-256 and AES-256-GCM.
  case ecV1 = "EC_v1"
  /// RSA-OAEP and AES-128-GCM (mainland China).
  case rsaV1 = "RSA_v1"

  /// What tokens in parts are, which do not say it (rule 0.8).
  public static var ofParts: TokenVersion { .ecV1 }
}
