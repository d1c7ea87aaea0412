import PaymentToken

extension ReferenceDecryptor {
  /// Stage 0, in the order of its rules. If the caller names `apple`, the request is the token and nothing is checked.
  /// With `auto` (0.9), the request is the token if no other envelope matches. The trace then has no stage 0.
  ///
  /// - Throws: `tokenTooLarge`, `malformedEnvelope`, `ambiguousEnvelope`, `envelopeFieldMismatch`, all at stage 0.
  package static func extract(
    _ request: Span<UInt8>, from selection: EnvelopeSelection, trace: inout Trace
  ) throws(TokenFault) -> ExtractedRequest {
    switch selection {
    case .named(let envelope): try extract(request, from: envelope, trace: &trace)
    case .automatic(let envelopes): try extract(request, fromOneOf: envelopes, trace: &trace)
    }
  }

  private static func extract(
    _ request: Span<UInt8>, from envelope: Envelope, trace: inout Trace
  ) throws(TokenFault) -> ExtractedRequest {
    guard !envelope.isToken else { return ExtractedRequest(envelope: envelope.name, content: .request) }
    trace.begin(.envelope)
    try checkSize(ofRequest: request, trace: &trace)
    guard let document = readRequest(request) else { throw trace.malformedEnvelope(.notJSON) }
    return try read(document.members, by: envelope, trace: &trace)
  }

  /// 0.9: `auto`.
  private static func extract(
    _ request: Span<UInt8>, fromOneOf envelopes: [Envelope], trace: inout Trace
  ) throws(TokenFault) -> ExtractedRequest {
    trace.begin(.envelope)
    try checkSize(ofRequest: request, trace: &trace)
    let members = readRequest(request)?.members
    let fitting = members.map { members in envelopes.filter { matches(members, $0) } } ?? []
    trace.note(.fittingEnvelopes(fitting.map(\.name)))
    guard fitting.count <= 1 else { throw TokenFault(.ambiguousEnvelope) }
    guard let members, let envelope = fitting.first, !envelope.isToken else {
      trace.removeEnvelopeStage()
      return ExtractedRequest(envelope: (fitting.first ?? .apple).name, content: .request)
    }
    return try read(members, by: envelope, trace: &trace)
  }

  /// 0.9 and 0.10: all marks match, and one of the routes leads to a value of any type.
  private static func matches(_ request: [JSONMember], _ envelope: Envelope) -> Bool {
    envelope.marks.allSatisfy { request.values(at: $0.path).isEmpty != $0.isPresent }
      && (envelope.isToken || envelope.routes.contains { !request.values(at: $0.path).isEmpty })
  }

  /// 0.1: the maximum size of a request, in bytes.
  private static let maximumRequestSize = 65_536

  /// 0.1.
  private static func checkSize(ofRequest request: Span<UInt8>, trace: inout Trace) throws(TokenFault) {
    trace.note(.requestSize(found: request.count, limit: maximumRequestSize))
    guard request.count <= maximumRequestSize else { throw TokenFault(.tokenTooLarge, stage: .envelope) }
  }

  /// 0.2: strict JSON by 2.1 to 2.4; nil when it is not.
  private static func readRequest(_ request: Span<UInt8>) -> JSONDocument? {
    try? JSONDocument(WipedBytes(request))
  }

  /// 0.3 to 0.7, and 0.11.
  private static func read(
    _ request: [JSONMember], by envelope: Envelope, trace: inout Trace
  ) throws(TokenFault) -> ExtractedRequest {
    trace.note(.envelope(envelope.name))
    try checkRepetitions(in: request, along: envelope.routes.map(\.path), trace: &trace)
    let (route, value) = try takenRoute(of: envelope, in: request, trace: &trace)
    try checkRepetitions(in: request, along: route.fields.map(\.path), trace: &trace)
    let content = try content(of: value, by: route, trace: &trace)
    trace.note(.tokenPlace(route))
    try checkConstants(of: route, in: request, trace: &trace)
    if case .parts(let parts) = content { try checkNames(of: parts, at: route.path, trace: &trace) }
    return ExtractedRequest(
      envelope: envelope.name, content: content, transactionFields: transactionFields(of: route, in: request))
  }

  /// 0.3: the names along these paths occur once in their objects.
  private static func checkRepetitions(
    in object: [JSONMember], along paths: [[String]], trace: inout Trace
  ) throws(TokenFault) {
    for path in paths {
      guard let depth = object.depthOfRepetition(along: path[...]) else { continue }
      throw trace.malformedEnvelope(.repeatedName(Array(path.prefix(depth))))
    }
  }

  /// 0.4: exactly one route leads to a value.
  private static func takenRoute(
    of envelope: Envelope, in request: [JSONMember], trace: inout Trace
  ) throws(TokenFault) -> (Envelope.Route, JSONValue) {
    let taken = envelope.routes.compactMap { route in
      request.values(at: route.path).first.map { (route: route, value: $0) }
    }
    guard let only = taken.first else { throw trace.malformedEnvelope(.noToken(envelope.routes.map(\.path))) }
    guard taken.count == 1 else { throw trace.malformedEnvelope(.severalTokens(taken.map(\.route.path))) }
    return only
  }

  /// 0.5, 0.7 and, for the names of parts, 0.3.
  private static func content(
    of value: JSONValue, by route: Envelope.Route, trace: inout Trace
  ) throws(TokenFault) -> ExtractedRequest.Content {
    switch route.wrapping {
    case .object:
      guard value.members != nil else { throw trace.malformedEnvelope(.wrongType(route.path, route.wrapping)) }
      return .token(WipedBytes(value.text))
    case .text:
      guard let text = value.string else { throw trace.malformedEnvelope(.wrongType(route.path, route.wrapping)) }
      return .token(WipedBytes(text))
    case .base64:
      guard let text = value.string else { throw trace.malformedEnvelope(.wrongType(route.path, route.wrapping)) }
      guard let bytes = StrictBase64.decode(text) else { throw trace.malformedEnvelope(.notBase64(route.path)) }
      return .token(WipedBytes(bytes.span))
    case .parts(let parts):
      guard let object = value.members else {
        throw trace.malformedEnvelope(.wrongType(route.path, route.wrapping))
      }
      for part in parts where object.depthOfRepetition(along: [part.name]) != nil {
        throw trace.malformedEnvelope(.repeatedName(route.path + [part.name]))
      }
      return .parts(EnvelopeParts(size: value.text.count, members: object, parts: parts))
    }
  }

  /// 0.6.
  private static func checkConstants(
    of route: Envelope.Route, in request: [JSONMember], trace: inout Trace
  ) throws(TokenFault) {
    for field in route.fields {
      guard let value = request.values(at: field.path).first else { continue }
      let isEqual: Bool
      switch field.rule {
      case .text(let text): isEqual = value.string?.isText(text) ?? false
      case .number(let literal): isEqual = value.number?.isText(literal) ?? false
      case .transactionId: continue
      }
      trace.note(.envelopeField(field, agrees: isEqual))
      guard isEqual else { throw TokenFault(.envelopeFieldMismatch) }
    }
  }

  /// 0.11: a part with two names.
  private static func checkNames(
    of parts: EnvelopeParts, at path: [String], trace: inout Trace
  ) throws(TokenFault) {
    for member in TokenMember.allCases {
      let named = parts.named(member)
      guard let first = named.first else { continue }
      if named.count == 1, first.name != parts.names(of: member).first {
        trace.note(.renamedPart(path + [first.name], member))
      }
      let texts = named.compactMap(\.value.string)
      let agree = named.count == 1 || (texts.count == named.count && texts.allSatisfy { $0.elementsEqual(texts[0]) })
      guard agree else {
        trace.note(.partsDiffer(named.map { path + [$0.name] }))
        throw TokenFault(.envelopeFieldMismatch)
      }
    }
  }

  private static func transactionFields(
    of route: Envelope.Route, in request: [JSONMember]
  ) -> [ExtractedRequest.TransactionField] {
    route.fields.filter { $0.rule == .transactionId }.map { field in
      ExtractedRequest.TransactionField(path: field.path, value: request.values(at: field.path).first)
    }
  }
}

extension Envelope {
  /// Whether the request is the token itself.
  fileprivate var isToken: Bool { routes.isEmpty }
}

extension Trace {
  /// Records the problem and returns the fault to throw.
  fileprivate mutating func malformedEnvelope(_ problem: EnvelopeProblem) -> TokenFault {
    note(.envelopeProblem(problem))
    return TokenFault(.malformedEnvelope)
  }
}
