import PaymentToken
import TokenScanning

/// A token that passed every stage, as the caller's closure receives it. Its plaintext is wiped when the closure
/// returns.
public struct OpenedToken: ~Copyable, ~Escapable {
  /// The name of the envelope that contained the token; `apple` for a bare token.
  public let envelope: String
  /// The token's format: EC_v1 or RSA_v1.
  public let version: TokenVersion
  /// The token's `transactionId`, unique for each payment.
  public let transactionId: Bytes32
  /// The SHA-256 digest of the merchant's public key, which selected the merchant's private key.
  public let publicKeyHash: Bytes32
  /// The sender's ephemeral key as signed: a SubjectPublicKeyInfo of 91 bytes; empty for RSA_v1.
  public let ephemeralPublicKey: Span<UInt8>
  /// The token's `applicationData`: the SHA-256 digest of the payment request's application data, if it had any.
  public let applicationData: Bytes32?
  /// When the token was signed: the signingTime of the CMS.
  public let signedAt: UnixTime
  /// The time that the certificates' validity was checked at.
  public let verifiedAt: UnixTime
  /// Whether Apple's sandbox signed the token: it is genuine, but no money moves.
  public let isFromSandbox: Bool
  /// The decrypted bytes, unchanged.
  public let plaintext: Span<UInt8>
  /// The members of the payload, as ranges of `plaintext`.
  public let fields: PayloadFields

  /// The token without its bytes.
  package struct Facts: Sendable {
    let envelope: String
    package var version: TokenVersion
    package var transactionId: Bytes32
    package var publicKeyHash: Bytes32
    let applicationData: Bytes32?
    let signedAt: UnixTime
    let verifiedAt: UnixTime
    let isFromSandbox: Bool
    let fields: PayloadFields
  }

  package var facts: Facts {
    Facts(
      envelope: envelope, version: version, transactionId: transactionId, publicKeyHash: publicKeyHash,
      applicationData: applicationData, signedAt: signedAt, verifiedAt: verifiedAt, isFromSandbox: isFromSandbox,
      fields: fields)
  }

  /// Joins a token's facts and its bytes.
  @_lifetime(copy plaintext, copy ephemeralPublicKey)
  package init(_ facts: Facts, ephemeralPublicKey: Span<UInt8>, plaintext: Span<UInt8>) {
    envelope = facts.envelope
    version = facts.version
    transactionId = facts.transactionId
    publicKeyHash = facts.publicKeyHash
    applicationData = facts.applicationData
    signedAt = facts.signedAt
    verifiedAt = facts.verifiedAt
    isFromSandbox = facts.isFromSandbox
    fields = facts.fields
    self.ephemeralPublicKey = ephemeralPublicKey
    self.plaintext = plaintext
  }

  @_lifetime(copy plaintext, copy ephemeralPublicKey)
  init(
    _ decoded: DecodedToken, from envelope: String, ephemeralPublicKey: Span<UInt8>, signature: SignatureFacts,
    plaintext: Span<UInt8>, fields: PayloadFields
  ) {
    self.envelope = envelope
    version = decoded.version
    transactionId = decoded.transactionId
    applicationData = decoded.applicationData
    publicKeyHash = decoded.content.publicKeyHash
    self.ephemeralPublicKey = ephemeralPublicKey
    signedAt = signature.signedAt
    verifiedAt = signature.verifiedAt
    isFromSandbox = signature.isFromSandbox
    self.plaintext = plaintext
    self.fields = fields
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
