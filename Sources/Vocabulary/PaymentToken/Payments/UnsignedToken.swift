/// A decrypted token without a signature: anyone who knows the merchant's public key may have made it.
///
/// A type of its own, so that it cannot be mistaken for a ``DecryptedToken``.
public struct UnsignedToken: Hashable, Sendable {
  /// The name of the envelope that the token came in.
  public let envelope: String
  /// SHA-256 of the SubjectPublicKeyInfo of the key that decrypted the token.
  public let publicKeyHash: Bytes32
  /// The payment data. Holds the account number.
  public let payment: Payment
  /// The decrypted bytes, unchanged. They hold the account number.
  public let plaintext: [UInt8]

  /// Only engines make unsigned tokens.
  package init(envelope: String, publicKeyHash: Bytes32, payment: Payment, plaintext: [UInt8]) {
    self.envelope = envelope
    self.publicKeyHash = publicKeyHash
    self.payment = payment
    self.plaintext = plaintext
  }
}

extension UnsignedToken: RedactedReflection {
  /// The envelope and the masked payment.
  public var description: String { "UnsignedToken(\(envelope), \(payment))" }
}

/// The result under the unsigned policy. A signature that is present has been verified as always.
public enum SignedOrUnsignedToken: Hashable, Sendable {
  /// The token was signed, and passed every stage.
  case signed(DecryptedToken)
  /// The token was unsigned, and passed the stages of the unsigned policy: all but 5 to 9.
  case unsigned(UnsignedToken)

  /// Whether the token was signed.
  public var isSigned: Bool {
    if case .signed = self { true } else { false }
  }

  /// The name of the envelope that the token came in.
  public var envelope: String { contents.envelope }

  /// The payment data.
  public var payment: Payment { contents.payment }

  /// The decrypted bytes, unchanged.
  public var plaintext: [UInt8] { contents.plaintext }

  private var contents: (envelope: String, payment: Payment, plaintext: [UInt8]) {
    switch self {
    case .signed(let token): (token.envelope, token.payment, token.plaintext)
    case .unsigned(let token): (token.envelope, token.payment, token.plaintext)
    }
  }
}
