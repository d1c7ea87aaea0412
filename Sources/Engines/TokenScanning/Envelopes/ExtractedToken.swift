import PaymentToken

/// The token that stage 0 found in a request.
public struct ExtractedToken: Sendable {
  /// The form of the token in the request, with its position.
  public enum Form: Sendable {
    /// The request is the token.
    case request
    /// The token object, from its `{` to its `}`.
    case object(Range<Int>)
    /// A string whose content is the token.
    case text(JSONString)
    /// A string whose content is the token in base64, not decoded yet (0.5).
    case base64(JSONString)
    /// An object with parts of the token (0.8).
    case parts(TokenParts)
  }

  /// The name of the envelope.
  public let envelope: String
  /// The form and position of the token.
  public let form: Form
  /// Whether the fields have their expected values (0.6) and the parts agree with each other (0.11). `checkFields`
  /// throws if not; the caller calls it after it has decoded base64.
  private let fieldsAgree: Bool
  /// The transactionId that the request states for the token (14.0).
  public let transactionIdentifier: TransactionIdentifier

  init(envelope: String, form: Form, fieldsAgree: Bool, transactionIdentifier: TransactionIdentifier) {
    self.envelope = envelope
    self.form = form
    self.fieldsAgree = fieldsAgree
    self.transactionIdentifier = transactionIdentifier
  }

  /// A token without envelope.
  public init(bare envelope: String) {
    self.init(envelope: envelope, form: .request, fieldsAgree: true, transactionIdentifier: .absent)
  }

  /// Decides 0.6 and 0.11, the last rules of stage 0.
  ///
  /// - Throws: `envelopeFieldMismatch`.
  public func checkFields() throws(TokenFault) {
    guard fieldsAgree else { throw TokenFault(.envelopeFieldMismatch) }
  }
}

/// The transactionId that a request states for its token (Docs/Verification.md 14.0).
public enum TransactionIdentifier: Equatable, Sendable {
  /// The request has no such field.
  case absent
  /// The transactionId.
  case bytes(Bytes32)
  /// A field is not a transactionId, or two fields differ.
  case unreadable

  /// Whether it is absent or equals the token's transactionId, which is nil for an unsigned token.
  public func agrees(with transactionId: Bytes32?) -> Bool {
    switch self {
    case .absent: true
    case .bytes(let bytes): bytes == transactionId
    case .unreadable: false
    }
  }

  /// Adds another field.
  mutating func combine(_ other: TransactionIdentifier) {
    if self == .absent {
      self = other
    } else if other != .absent, other != self {
      self = .unreadable
    }
  }

  init(_ value: RequestMembers.Value, in request: Span<UInt8>) {
    switch value {
    case .absent: self = .absent
    case .string(let string): self = Bytes32(hexadecimal: string, in: request).map { .bytes($0) } ?? .unreadable
    case .number, .object, .other: self = .unreadable
    }
  }
}

extension Bytes32 {
  /// Decodes a string of 64 hexadecimal digits of either case.
  fileprivate init?(hexadecimal string: JSONString, in input: Span<UInt8>) {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var content = UnescapedBytes(string)
    for index in bytes.indices {
      guard let high = content.next(in: input).flatMap(HexDigit.value),
        let low = content.next(in: input).flatMap(HexDigit.value)
      else { return nil }
      bytes[index] = high << 4 | low
    }
    guard content.next(in: input) == nil else { return nil }
    self.init(bytes.span)
  }
}
