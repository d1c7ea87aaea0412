import PaymentToken

/// Finds the token in requests of the selected envelopes: stage 0 of Docs/Verification.md, except base64.
///
/// Merges the paths of all selected envelopes into one tree of names (`NameTree`), scans the request once, and records
/// the value at each node (`RequestMembers`). The record shows which envelope matches and where its token is. A reader
/// serves any number of requests of its selection; reading one allocates nothing (counted by `BenchTests`).
public struct EnvelopeReader: Sendable {
  private let selection: EnvelopeSelection
  private let envelopes: [EnvelopePlan]
  private var members: RequestMembers

  /// Creates a reader for a selection.
  public init(_ selection: EnvelopeSelection) {
    self.selection = selection
    var tree = NameTree()
    let named =
      switch selection {
      case .named(let envelope): [envelope]
      case .automatic(let envelopes): envelopes
      }
    envelopes = named.map { EnvelopePlan($0, in: &tree) }
    members = RequestMembers(at: tree)
  }

  /// Whether this reader is for the envelopes of `other`.
  public func reads(_ other: EnvelopeSelection) -> Bool { selection == other }

  /// Finds the token (0.1 to 0.5, 0.10). The caller decodes base64 and then calls `ExtractedToken.checkFields` for 0.6
  /// and 0.11.
  ///
  /// - Throws: `tokenTooLarge`, `malformedEnvelope` and `ambiguousEnvelope` of stage 0.
  public mutating func read(_ request: Span<UInt8>) throws(TokenFault) -> ExtractedToken {
    guard request.count <= Envelope.maximumRequestSize else { throw TokenFault(.tokenTooLarge, stage: .envelope) }
    let isStrict: Bool
    do {
      try members.scan(request)
      isStrict = true
    } catch {
      isStrict = false
    }
    switch selection {
    case .named:
      guard isStrict else { throw TokenFault(.malformedEnvelope) }
      return try read(request, by: 0)
    case .automatic:
      guard isStrict, let index = try fittingEnvelope() else {
        return ExtractedToken(bare: Envelope.apple.name)
      }
      return try read(request, by: index)
    }
  }

  // MARK: The envelope (0.9)

  private func fittingEnvelope() throws(TokenFault) -> Int? {
    var fitting: Int?
    for index in envelopes.indices where fits(envelopes[index]) {
      guard fitting == nil else { throw TokenFault(.ambiguousEnvelope) }
      fitting = index
    }
    return fitting
  }

  private func fits(_ envelope: EnvelopePlan) -> Bool {
    for mark in envelope.marks where members.has(mark.node) != mark.isPresent { return false }
    if envelope.routes.isEmpty { return true }
    for route in envelope.routes where members.has(route.end) { return true }
    return false
  }

  // MARK: Its contents (0.3-0.6)

  private func read(_ request: Span<UInt8>, by index: Int) throws(TokenFault) -> ExtractedToken {
    let envelope = envelopes[index]
    guard !envelope.routes.isEmpty else { return ExtractedToken(bare: envelope.name) }
    let route = try route(of: envelope)
    var fieldsAgree = true
    var identifier = TransactionIdentifier.absent
    for field in route.fields {
      guard !members.repeatsName(onPathTo: field.node) else { throw TokenFault(.malformedEnvelope) }
      switch field.rule {
      case .text(let text): if !holdsText(text.utf8.span, at: field.node, in: request) { fieldsAgree = false }
      case .number(let text): if !holdsNumber(text.utf8.span, at: field.node, in: request) { fieldsAgree = false }
      case .transactionId: identifier.combine(TransactionIdentifier(members.value(at: field.node), in: request))
      }
    }
    return ExtractedToken(
      envelope: envelope.name, form: try form(of: route),
      fieldsAgree: fieldsAgree && partsAgree(route.wrapping, in: request), transactionIdentifier: identifier)
  }

  /// The only route that leads to a value. No name on any route may be repeated.
  private func route(of envelope: EnvelopePlan) throws(TokenFault) -> EnvelopePlan.Route {
    var taken: Int?
    for (index, route) in envelope.routes.enumerated() {
      guard !repeatsName(of: route) else { throw TokenFault(.malformedEnvelope) }
      guard members.has(route.end) else { continue }
      guard taken == nil else { throw TokenFault(.malformedEnvelope) }
      taken = index
    }
    guard let taken else { throw TokenFault(.malformedEnvelope) }
    return envelope.routes[taken]
  }

  private func repeatsName(of route: EnvelopePlan.Route) -> Bool {
    if members.repeatsName(onPathTo: route.end) { return true }
    guard case .parts(let parts) = route.wrapping else { return false }
    for part in parts where members.repeatsName(onPathTo: part.node) { return true }
    return false
  }

  private func form(of route: EnvelopePlan.Route) throws(TokenFault) -> ExtractedToken.Form {
    let value = members.value(at: route.end)
    switch route.wrapping {
    case .object: if case .object(let range) = value { return .object(range) }
    case .text: if case .string(let string) = value { return .text(string) }
    case .base64: if case .string(let string) = value { return .base64(string) }
    case .parts(let parts):
      if case .object(let range) = value { return .parts(TokenParts(parts, in: range, of: members)) }
    }
    throw TokenFault(.malformedEnvelope)
  }

  /// Decides 0.11: a part that is present under two names has one value.
  private func partsAgree(_ wrapping: EnvelopePlan.Wrapping, in request: Span<UInt8>) -> Bool {
    guard case .parts(let parts) = wrapping else { return true }
    for part in parts {
      guard let twin = part.twin, members.has(twin), members.has(part.node) else { continue }
      guard case .string(let first) = members.value(at: twin), case .string(let second) = members.value(at: part.node),
        first.hasSameContent(as: second, in: request)
      else { return false }
    }
    return true
  }

  private func holdsText(_ text: Span<UInt8>, at node: Int, in request: Span<UInt8>) -> Bool {
    switch members.value(at: node) {
    case .absent: true
    case .string(let string): string.equals(text, in: request)
    case .number, .object, .other: false
    }
  }

  private func holdsNumber(_ text: Span<UInt8>, at node: Int, in request: Span<UInt8>) -> Bool {
    switch members.value(at: node) {
    case .absent: true
    case .number(let range): request.extracting(range).elementsEqual(text)
    case .string, .object, .other: false
    }
  }
}
