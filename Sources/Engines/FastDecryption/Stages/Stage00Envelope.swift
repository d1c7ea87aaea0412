import PaymentToken
import TokenScanning

extension Workspace {
  /// The maximum number of readers kept. A caller uses one or two selections.
  private static var maximumReaders: Int { 8 }

  /// Decides stage 0 except base64 and the rules after it, which `decode` decides.
  mutating func extract(
    _ request: Span<UInt8>, from selection: EnvelopeSelection
  ) throws(TokenFault) -> ExtractedToken {
    if let name = selection.bareName { return ExtractedToken(bare: name) }
    let index = readerIndex(for: selection)
    return try readers[index].read(request)
  }

  /// The number of readers, for tests.
  package var readerCount: Int { readers.count }

  private mutating func readerIndex(for selection: EnvelopeSelection) -> Int {
    if let known = readers.firstIndex(where: { $0.reads(selection) }) { return known }
    if readers.count == Self.maximumReaders { readers.removeFirst() }
    readers.append(EnvelopeReader(selection))
    return readers.count - 1
  }

  /// Decides the rest of stage 0, and stages 1 to 4.
  ///
  /// Reads the token in place, in the caller's bytes. Only a token that is escaped or in base64 is first decoded into
  /// the workspace.
  mutating func decode(_ extracted: ExtractedToken, of request: Span<UInt8>) throws(TokenFault) -> DecodedToken {
    switch extracted.form {
    case .request:
      return try decode(TokenFields(scanning: request), of: request)
    case .object(let range):
      return try decode(extracted, as: request.extracting(range))
    case .text(let string):
      reserveUnescaped(for: string)
      return try decode(extracted, as: string.content(in: request, unescaping: unescaped))
    case .base64(let string):
      let count = try decodeBase64(string, of: request)
      return try decode(extracted, as: decodedToken.span.extracting(first: count))
    case .parts(let parts):
      try extracted.checkFields()
      return try decode(TokenFields(parts), of: request)
    }
  }

  private func decode(_ extracted: ExtractedToken, as token: Span<UInt8>) throws(TokenFault) -> DecodedToken {
    try extracted.checkFields()
    return try decode(TokenFields(scanning: token), of: token)
  }

  /// Decodes a string of a request into `decodedToken` and returns its length (0.5).
  private mutating func decodeBase64(_ string: JSONString, of request: Span<UInt8>) throws(TokenFault) -> Int {
    decodedToken.reserve(Envelope.maximumRequestSize / 4 * 3)
    reserveUnescaped(for: string)
    var token = decodedToken.mutableSpan
    guard let count = Base64Text.decode(string.content(in: request, unescaping: unescaped), into: &token) else {
      throw TokenFault(.malformedEnvelope)
    }
    return count
  }

  private mutating func reserveUnescaped(for string: JSONString) {
    if string.hasEscapes { unescaped.reserve(Envelope.maximumRequestSize) }
  }
}
