/// A token that was opened but that nobody signed: whoever knows the merchant's public key can have made it.
///
/// A type of its own, so that it cannot be taken for a `DecryptedToken` by mistake.
public struct UnsignedToken: Hashable, Sendable {
  /// The name of the envelope it came in.
  public let envelope: String
  /// The hash of the key that opened it.
  public let publicKeyHash: Bytes32
  public let payment: Payment
  /// The decrypted bytes exactly as they were encrypted.
  public let plaintext: [UInt8]

  public init(envelope: String, publicKeyHash: Bytes32, payment: Payment, plaintext: [UInt8]) {
    self.envelope = envelope
    self.publicKeyHash = publicKeyHash
    self.payment = payment
    self.plaintext = plaintext
  }
}

extension UnsignedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "UnsignedToken(\(envelope), \(payment))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What the unsigned policy gives: a signature that is there has been verified like any other.
public enum TokenUnderUnsignedPolicy: Hashable, Sendable {
  case signed(DecryptedToken)
  case unsigned(UnsignedToken)

  /// Whether somebody signed it.
  public var isSigned: Bool {
    switch self {
    case .signed: true
    case .unsigned: false
    }
  }

  /// The name of the envelope it came in.
  public var envelope: String {
    switch self {
    case .signed(let token): token.envelope
    case .unsigned(let token): token.envelope
    }
  }

  /// What it says.
  public var payment: Payment {
    switch self {
    case .signed(let token): token.payment
    case .unsigned(let token): token.payment
    }
  }

  /// The decrypted bytes exactly as they were encrypted.
  public var plaintext: [UInt8] {
    switch self {
    case .signed(let token): token.plaintext
    case .unsigned(let token): token.plaintext
    }
  }
}
