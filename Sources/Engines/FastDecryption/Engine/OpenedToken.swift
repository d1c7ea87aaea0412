import PaymentToken
import TokenScanning

/// A token that passed every stage, lent to the caller's closure: its plaintext is wiped when the closure returns.
public struct OpenedToken: ~Copyable, ~Escapable {
  /// The name of the envelope it came in; `apple` for the token itself.
  public let envelope: String
  public let version: TokenVersion
  public let transactionId: Bytes32
  public let publicKeyHash: Bytes32
  /// The sender's key as the token has it, signed: SubjectPublicKeyInfo, 91 bytes; empty under RSA_v1.
  public let ephemeralPublicKey: Span<UInt8>
  public let applicationData: Bytes32?
  /// The CMS signingTime.
  public let signedAt: UnixTime
  /// The time the certificates were checked against.
  public let verifiedAt: UnixTime
  /// The decrypted bytes exactly as they were encrypted.
  public let plaintext: Span<UInt8>
  /// The payload's members as ranges of `plaintext`.
  public let fields: PayloadFields

  @_lifetime(copy plaintext, copy ephemeralPublicKey)
  init(
    _ decoded: DecodedToken, from envelope: String, ephemeralPublicKey: Span<UInt8>, signedAt: UnixTime,
    verifiedAt: UnixTime, plaintext: Span<UInt8>, fields: PayloadFields
  ) {
    self.envelope = envelope
    version = decoded.version
    transactionId = decoded.transactionId
    applicationData = decoded.applicationData
    publicKeyHash = decoded.content.publicKeyHash
    self.ephemeralPublicKey = ephemeralPublicKey
    self.signedAt = signedAt
    self.verifiedAt = verifiedAt
    self.plaintext = plaintext
    self.fields = fields
  }

  /// Copies the token out of the workspace; allocates.
  public func copy() throws(TokenFault) -> DecryptedToken {
    DecryptedToken(
      envelope: envelope, version: version, transactionId: transactionId, publicKeyHash: publicKeyHash,
      ephemeralPublicKey: ephemeralPublicKey.isEmpty ? nil : ephemeralPublicKey.withUnsafeBufferPointer { [UInt8]($0) },
      applicationData: applicationData, signedAt: signedAt, verifiedAt: verifiedAt,
      payment: try fields.payment(in: plaintext),
      plaintext: plaintext.withUnsafeBufferPointer { [UInt8]($0) })
  }
}

/// A token that was opened but that nobody signed, lent to the caller's closure: its plaintext is wiped when that returns.
///
/// A type of its own, so that it cannot be taken for an `OpenedToken` by mistake: whoever knows the merchant's public
/// key can have made it.
public struct OpenedUnsignedToken: ~Copyable, ~Escapable {
  /// The name of the envelope it came in.
  public let envelope: String
  public let publicKeyHash: Bytes32
  /// The decrypted bytes exactly as they were encrypted.
  public let plaintext: Span<UInt8>
  /// The payload's members as ranges of `plaintext`.
  public let fields: PayloadFields

  @_lifetime(copy plaintext)
  init(envelope: String, publicKeyHash: Bytes32, plaintext: Span<UInt8>, fields: PayloadFields) {
    self.envelope = envelope
    self.publicKeyHash = publicKeyHash
    self.plaintext = plaintext
    self.fields = fields
  }

  /// Copies the token out of the workspace; allocates.
  public func copy() throws(TokenFault) -> UnsignedToken {
    UnsignedToken(
      envelope: envelope, publicKeyHash: publicKeyHash, payment: try fields.payment(in: plaintext),
      plaintext: plaintext.withUnsafeBufferPointer { [UInt8]($0) })
  }
}
