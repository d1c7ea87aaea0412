/// A token that passed every stage: signed by Apple, decrypted with the merchant's key and as the caller expects it.
///
/// Source: Apple, "Payment token format reference". `description` masks card data, and reflection shows nothing.
public struct DecryptedToken: Hashable, Sendable {
  /// The name of the envelope that the token came in; `apple` for the token itself.
  public let envelope: String
  /// The encryption scheme.
  public let version: TokenVersion
  /// The transaction identifier of the device, 32 bytes. Signed.
  public let transactionId: Bytes32
  /// SHA-256 of the SubjectPublicKeyInfo of the key that decrypted the token. Not signed, but proved by decryption.
  public let publicKeyHash: Bytes32
  /// The ephemeral public key of EC_v1, a SubjectPublicKeyInfo of 91 bytes; nil for RSA_v1. Signed.
  public let ephemeralPublicKey: [UInt8]?
  /// SHA-256 of the payment request's application data, 32 bytes; nil when the token has none. Signed.
  public let applicationData: Bytes32?
  /// The CMS signingTime (RFC 5652 section 11.3).
  public let signedAt: UnixTime
  /// The verification time: the caller's, or `signedAt` with ``Freshness/signingTime``.
  public let verifiedAt: UnixTime
  /// Whether Apple's sandbox signed the token: it is genuine, but no money moves
  /// (https://developer.apple.com/apple-pay/sandbox-testing/).
  public let isFromSandbox: Bool
  /// The payment data. Holds the account number.
  public let payment: Payment
  /// The decrypted bytes, unchanged. They hold the account number.
  public let plaintext: [UInt8]

  /// A token from its parts; engines make them.
  package init(
    envelope: String, version: TokenVersion, transactionId: Bytes32, publicKeyHash: Bytes32,
    ephemeralPublicKey: [UInt8]?, applicationData: Bytes32?, signedAt: UnixTime, verifiedAt: UnixTime,
    isFromSandbox: Bool, payment: Payment, plaintext: [UInt8]
  ) {
    self.envelope = envelope
    self.version = version
    self.transactionId = transactionId
    self.publicKeyHash = publicKeyHash
    self.ephemeralPublicKey = ephemeralPublicKey
    self.applicationData = applicationData
    self.signedAt = signedAt
    self.verifiedAt = verifiedAt
    self.isFromSandbox = isFromSandbox
    self.payment = payment
    self.plaintext = plaintext
  }

  /// Whether the subject of the certificate that signed a token, a DER Name, contains "SANDBOX" in letters of any case.
  package static func isSandbox(subject: Span<UInt8>) -> Bool {
    let word = Array("SANDBOX".utf8)
    for start in 0...max(0, subject.count - word.count) where subject.count - start >= word.count {
      var length = 0
      while length < word.count, subject[start + length] & 0xDF == word[length] { length += 1 }
      if length == word.count { return true }
    }
    return false
  }
}

extension DecryptedToken: RedactedReflection {
  /// The version, the transaction identifier and the masked payment.
  public var description: String { "DecryptedToken(\(version.rawValue), \(transactionId.hex), \(payment))" }
}

/// The encryption scheme that a token names in `version` (Apple, "Payment token format reference").
@frozen
public enum TokenVersion: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// `EC_v1`: ECDH on P-256 (NIST SP 800-56A) and AES-256-GCM.
  case ecV1 = "EC_v1"
  /// `RSA_v1`: RSA-OAEP (RFC 8017) and AES-128-GCM. Used in mainland China.
  case rsaV1 = "RSA_v1"

  /// The version of tokens in parts, which have no `version` member (rule 0.8).
  package static var ofParts: TokenVersion { .ecV1 }
}
