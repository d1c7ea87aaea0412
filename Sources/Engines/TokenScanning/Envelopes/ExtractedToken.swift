import PaymentToken

/// A token as stage 0 found it in a request (Docs/Verification.md 0.1-0.9).
public struct ExtractedToken: Sendable {
  /// The form in which the request carries the token, with where it lies there.
  public enum Form: Sendable {
    /// The request is the token.
    case request
    /// The token object, from its `{` to its `}`.
    case object(Range<Int>)
    /// A string whose content is the token.
    case text(JSONString)
    /// A string whose content is base64 of the token, not yet judged (0.5).
    case base64(JSONString)
    case parts(TokenParts)
  }

  /// The name of the envelope that was read.
  public let envelope: String
  public let form: Form
  /// Whether the fields compared with constants agree (0.6), and the parts with each other (0.11): to be judged once the base64 is, by `checkFields`.
  private let fieldsAgree: Bool
  /// What the request says the token's transactionId is (14.0).
  public let transactionIdentifier: TransactionIdentifier

  init(envelope: String, form: Form, fieldsAgree: Bool, transactionIdentifier: TransactionIdentifier) {
    self.envelope = envelope
    self.form = form
    self.fieldsAgree = fieldsAgree
    self.transactionIdentifier = transactionIdentifier
  }

  /// The token itself, in no envelope.
  public init(bare envelope: String) {
    self.init(envelope: envelope, form: .request, fieldsAgree: true, transactionIdentifier: .absent)
  }

  /// The last of stage 0: throws `envelopeFieldMismatch` (0.6, 0.11).
  public func checkFields() throws(TokenFault) {
    guard fieldsAgree else { throw TokenFault(.envelopeFieldMismatch) }
  }
}

/// A transactionId that stands beside a token (Docs/Verification.md 14.0).
public enum TransactionIdentifier: Equatable, Sendable {
  case absent
  case bytes(Bytes32)
  /// Something that names no transaction, or fields that name different ones.
  case unreadable

  /// Whether it does not contradict a token of that transactionId; nil for a token that has none.
  public func agrees(with transactionId: Bytes32?) -> Bool {
    switch self {
    case .absent: true
    case .bytes(let bytes): bytes == transactionId
    case .unreadable: false
    }
  }

  /// Takes one more field into account.
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
  /// The bytes that a string's content names in 64 digits of either case.
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
