import PaymentToken

/// What stage 0 leaves for all other stages to judge.
package struct ExtractedRequest {
  /// Where the token's members are.
  package enum Content {
    /// The request is the token.
    case request
    /// Exactly these octets are the token (rule 0.7).
    case token(WipedBytes)
    case parts(EnvelopeParts)
  }

  /// A field that has to name the token's transaction, and what stands there; nil when it is absent.
  struct TransactionField {
    let path: [String]
    let value: JSONValue?
  }

  /// The name of the envelope it was read by.
  let envelope: String
  package let content: Content
  /// For 14.0.
  var transactionFields: [TransactionField] = []

  /// The token's octets; nil for parts.
  package func token(in request: Span<UInt8>) -> WipedBytes? {
    switch content {
    case .request: WipedBytes(request)
    case .token(let octets): octets
    case .parts: nil
    }
  }

  /// The parts when nobody signed them: there is no `signature`, of whatever type.
  package var unsignedParts: EnvelopeParts? {
    guard case .parts(let parts) = content, parts[.signature] == nil else { return nil }
    return parts
  }
}
