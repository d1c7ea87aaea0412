import PaymentToken
import TokenScanning

/// A token that was opened but that nobody signed, lent to the caller's closure: its plaintext is wiped when that returns.
///
/// A type of its own, so that it cannot be taken for an `OpenedToken` by mistake: whoever knows the merchant's public
/// key can have made it.
public struct OpenedUnsignedToken: ~Copyable, ~Escapable {
  /// The name of the envelope it came in.
  public let envelope: String
  public let publicKeyHash: Octets32
  /// The decrypted octets exactly as they were encrypted.
  public let plaintext: Span<UInt8>
  /// The payload's members as ranges of `plaintext`.
  public let fields: PayloadFields

  @_lifetime(copy plaintext)
  init(envelope: String, publicKeyHash: Octets32, plaintext: Span<UInt8>, fields: PayloadFields) {
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
