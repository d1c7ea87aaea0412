import PaymentToken
import StrictJSON
import TokenScanning

extension EnclosedToken {
  /// The token that a request encloses, and the name of its envelope. Parts are put together to a token of EC_v1, which lacks what is not among them.
  ///
  /// - Throws: what stage 0 decides (Docs/Verification.md): `tokenTooLarge`, `malformedEnvelope`, `ambiguousEnvelope`,
  ///   `envelopeFieldMismatch`; `malformedJSON` for a token that is no strict JSON object, or has a name twice. Nothing else of it
  ///   is judged.
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
    // What follows a token in its string would stand in the request that is made around it, and of a name that is there twice nobody
    // knows which is read.
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
    var token = JSONObject([.init("version", .string(TokenVersion.ecV1.rawValue))])
    var header = JSONObject()
    let holder = TokenMember.header.path + "."
    for route in envelope.routes {
      guard case .parts(let parts) = route.wrapping else { continue }
      for part in parts {
        // Of two names for one member the first that is there counts; stage 0 has compared the two.
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

/// What tokens come in at each gateway (Docs/Verification.md 0.10 has the same as a table).
extension Envelope {
  /// Every envelope, in the order in which lists show them.
  public static let all: [Envelope] = [.apple] + Gateway.all.map(\.envelope)

  /// The envelope of that name.
  public static func named(_ name: String) -> Envelope? { all.first { $0.name == name } }
}

extension EnvelopeSelection {
  /// Decided by the request's shape among all envelopes.
  public static let automatic = EnvelopeSelection.automatic(Envelope.all)
}
