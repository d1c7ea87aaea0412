import PaymentToken
import StrictJSON
import TokenScanning

extension EnclosedToken {
  /// The token in a request, and the name of its envelope. Parts are assembled to an EC_v1 token, which lacks any
  /// member that is not among them.
  ///
  /// - Throws: the faults of stage 0 (Docs/Verification.md), `tokenTooLarge`, `malformedEnvelope`, `ambiguousEnvelope`,
  ///   `envelopeFieldMismatch`; `malformedJSON` for a token that is not a strict JSON object or has a repeated name.
  ///   Nothing else is checked.
  public static func found(
    in request: Span<UInt8>, from selection: EnvelopeSelection
  ) throws(TokenFault) -> (token: EnclosedToken, envelope: String) {
    var reader = EnvelopeReader(selection)
    let wrapped = try reader.read(request)
    let text: [UInt8]
    switch wrapped.form {
    case .request: text = request.indices.map { request[$0] }
    case .object(let range): text = range.map { request[$0] }
    case .text(let string): text = string.bytes(in: request)
    case .base64(let string):
      guard let bytes = Base64Text.decoded(string.bytes(in: request)) else {
        throw TokenFault(.malformedEnvelope)
      }
      text = bytes
    case .parts: text = try assembled(request, by: wrapped.envelope)
    }
    try wrapped.checkFields()
    // Text after a token in its string would become part of the new request, and a repeated name would be ambiguous.
    guard isObject(text) else { throw TokenFault(.malformedJSON) }
    return (EnclosedToken(text), wrapped.envelope)
  }

  private static func isObject(_ text: [UInt8]) -> Bool {
    if case .object? = try? JSON(reading: text.span) { return true }
    return false
  }

  private static func assembled(_ request: Span<UInt8>, by name: String) throws(TokenFault) -> [UInt8] {
    guard let tree = try? JSON(reading: request), let envelope = Envelope.named(name) else {
      throw TokenFault(.malformedEnvelope)
    }
    var token = JSONObject([.init("version", .string(TokenVersion.ofParts.rawValue))])
    var header = JSONObject()
    let holder = TokenMember.header.path + "."
    for route in envelope.routes {
      guard case .parts(let parts) = route.wrapping else { continue }
      for part in parts {
        // Of two names for one member the first counts; stage 0 has compared their values.
        let path = (route.path + [part.name]).joined(separator: ".")
        guard case .string(let text)? = tree.value(at: path) else { continue }
        let member = part.member.path
        if member.hasPrefix(holder) {
          let name = String(member.dropFirst(holder.count))
          if header[name] == nil { header[name] = .string(text) }
        } else if token[member] == nil {
          token[member] = .string(text)
        }
      }
    }
    token[TokenMember.header.path] = .object(header)
    return JSONValue.object(token).text()
  }
}

/// The envelopes of all gateways (Docs/Verification.md 0.10 has the same as a table).
extension Envelope {
  /// Every envelope, in the order of lists.
  public static let all: [Envelope] = [.apple] + Gateway.all.map(\.envelope)

  /// The envelope with this name.
  public static func named(_ name: String) -> Envelope? { all.first { $0.name == name } }
}

extension EnvelopeSelection {
  /// Selects among all envelopes by the request's shape.
  public static let automatic = EnvelopeSelection.automatic(Envelope.all)
}
