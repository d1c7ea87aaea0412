import PaymentToken
import TokenScanning

/// A token that passed every stage, as the caller's closure receives it. Its plaintext is wiped when the closure
/// returns.
public struct OpenedToken: ~Copyable, ~Escapable {
  // Within the pool, a token whose replay store has not answered has passed all rules but 14.4.

  package let facts: Facts
  /// The sender's ephemeral key as signed: a SubjectPublicKeyInfo of 91 bytes; empty for RSA_v1.
  public let ephemeralPublicKey: Span<UInt8>
  /// The decrypted bytes, unchanged.
  public let plaintext: Span<UInt8>

  /// The name of the envelope that contained the token; `apple` for a bare token.
  public var envelope: String { facts.envelope }
  /// The token's format: EC_v1 or RSA_v1.
  public var version: TokenVersion { facts.version }
  /// The token's `transactionId`, unique for each payment.
  public var transactionId: Bytes32 { facts.transactionId }
  /// The SHA-256 digest of the merchant's public key, which selected the merchant's private key.
  public var publicKeyHash: Bytes32 { facts.publicKeyHash }
  /// The token's `applicationData`: the SHA-256 digest of the payment request's application data, if it had any.
  public var applicationData: Bytes32? { facts.applicationData }
  /// When the token was signed: the signingTime of the CMS.
  public var signedAt: UnixTime { facts.signature.signedAt }
  /// The time that the certificates' validity was checked at.
  public var verifiedAt: UnixTime { facts.signature.verifiedAt }
  /// Whether Apple's sandbox signed the token: it is genuine, but no money moves.
  public var isFromSandbox: Bool { facts.signature.isFromSandbox }
  /// The members of the payload, as ranges of `plaintext`.
  public var fields: PayloadFields { facts.fields }

  /// The token without its bytes.
  package struct Facts: Sendable {
    let envelope: String
    package var version: TokenVersion
    package var transactionId: Bytes32
    package var publicKeyHash: Bytes32
    let applicationData: Bytes32?
    let signature: SignatureFacts
    let fields: PayloadFields
  }

  /// Joins a token's facts and its bytes.
  @_lifetime(copy plaintext, copy ephemeralPublicKey)
  package init(_ facts: Facts, ephemeralPublicKey: Span<UInt8>, plaintext: Span<UInt8>) {
    self.facts = facts
    self.ephemeralPublicKey = ephemeralPublicKey
    self.plaintext = plaintext
  }

  /// Copies the token out of the workspace into ordinary memory, which is not wiped.
  public func copy() throws(TokenFault) -> DecryptedToken {
    DecryptedToken(
      envelope: envelope, version: version, transactionId: transactionId, publicKeyHash: publicKeyHash,
      ephemeralPublicKey: ephemeralPublicKey.isEmpty ? nil : ephemeralPublicKey.withUnsafeBufferPointer { [UInt8]($0) },
      applicationData: applicationData, signedAt: signedAt, verifiedAt: verifiedAt,
      isFromSandbox: isFromSandbox, payment: try fields.payment(in: plaintext),
      plaintext: plaintext.withUnsafeBufferPointer { [UInt8]($0) })
  }
}

/// A decrypted token that has no signature, as the caller's closure receives it. Its plaintext is wiped when the
/// closure returns.
///
/// It has its own type so that it is not mistaken for an `OpenedToken`: anyone who knows the merchant's public key can
/// make one.
public struct OpenedUnsignedToken: ~Copyable, ~Escapable {
  /// The name of the envelope that contained the token.
  public let envelope: String
  /// The SHA-256 digest of the merchant's public key, which selected the merchant's private key.
  public let publicKeyHash: Bytes32
  /// The decrypted bytes, unchanged.
  public let plaintext: Span<UInt8>
  /// The members of the payload, as ranges of `plaintext`.
  public let fields: PayloadFields

  @_lifetime(copy plaintext)
  init(envelope: String, publicKeyHash: Bytes32, plaintext: Span<UInt8>, fields: PayloadFields) {
    self.envelope = envelope
    self.publicKeyHash = publicKeyHash
    self.plaintext = plaintext
    self.fields = fields
  }

  /// Copies the token out of the workspace into ordinary memory, which is not wiped.
  public func copy() throws(TokenFault) -> UnsignedToken {
    UnsignedToken(
      envelope: envelope, publicKeyHash: publicKeyHash, payment: try fields.payment(in: plaintext),
      plaintext: plaintext.withUnsafeBufferPointer { [UInt8]($0) })
  }
}
