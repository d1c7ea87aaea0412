import Gateways
import Minting
import PaymentToken
import TestCases

/// The limit on nesting (rules 0.2, 2.4 and 13.1): values in the request, the token, its header and the payload, nested
/// to one level less than the limit, to the limit, and to one more.
extension CaseList {
  /// How containers are nested in each other.
  private enum Nest: String, CaseIterable {
    case arrays, objects, mixed
    /// Each container has elements before and after the one that nests.
    case siblings

    /// `depth` containers, each in the one before.
    func value(_ depth: Int) -> JSONValue {
      guard depth > 0 else { return .raw("0") }
      var text = ""
      for level in (0..<depth).reversed() {
        let inner = text
        switch self {
        case .arrays: text = "[\(inner)]"
        case .objects: text = inner.isEmpty ? "{}" : "{\"a\":\(inner)}"
        case .mixed where level % 2 == 0: text = "[\(inner)]"
        case .mixed: text = inner.isEmpty ? "{}" : "{\"a\":\(inner)}"
        case .siblings: text = inner.isEmpty ? "[]" : "[[],{\"b\":0},\(inner),[]]"
        }
      }
      return .raw(text)
    }
  }

  /// One less than the limit, the limit, and one more.
  private static let levels = [31, 32, 33]

  private mutating func nest(
    _ clause: String, _ place: CaseName, level: Int, nests: [Nest] = Nest.allCases, within: TokenFault?,
    beyond: TokenFault, _ put: @escaping @Sendable (inout CaseDraft, JSONValue) throws -> Void
  ) {
    // The standing of the place, if it has one, takes precedence: a missing member can matter more than a limit.
    let limit = Standing(clause == "13.1" ? .apple : .holder, .project, .choice)
    let place: CaseName = .standing(place.ownStanding ?? limit, place)
    for nest in nests {
      for total in Self.levels {
        let value = nest.value(total - level)
        bound(
          clause, "\(place)-nested-to-\(total)-in-\(nest.rawValue)", total > 32 ? beyond : within,
          isCommitted: total > 31 && nest == nests[0]
        ) { try put(&$0, value) }
      }
    }
  }

  mutating func addNestingBoundaries() {
    let members: [TokenMember] = [
      .version, .data, .signature, .ephemeralPublicKey, .publicKeyHash, .transactionId, .applicationData,
    ]
    for member in members {
      nest(
        "2.4", .standing(.missing(member), "\(member.label)-value"), level: member.names.count,
        within: .wrongType(member), beyond: .malformedJSON
      ) { $0.set(member, $1) }
    }
    nest(
      "2.4", .standing(.missing(.header), "header-value"), level: 1, nests: [.arrays], within: .wrongType(.header),
      beyond: .malformedJSON
    ) { $0.set(.header, $1) }
    nest(
      "2.4", "other-key-value", level: 2, within: TokenFault(.conflictingMembers, member: .wrappedKey),
      beyond: .malformedJSON
    ) { draft, value in draft.header { $0["wrappedKey"] = value } }
    for isFirst in [false, true] {
      let label = isFirst ? "first" : "last"
      nest("2.4", "unknown-\(label)-value", level: 1, within: nil, beyond: .malformedJSON) { draft, value in
        draft.json { $0.members.insert(.init("unknown", value), at: isFirst ? 0 : $0.members.count) }
      }
      nest("2.4", "unknown-\(label)-value-in-the-header", level: 2, within: nil, beyond: .malformedJSON) {
        draft, value in draft.header { $0.members.insert(.init("unknown", value), at: isFirst ? 0 : $0.members.count) }
      }
    }
    nest("2.4", "value-of-an-escaped-name", level: 1, within: nil, beyond: .malformedJSON) { draft, value in
      draft.json { $0.members.append(.init(rawName: #""\u0075nknown""#, value)) }
    }
    nest("2.4", "value-after-an-escaped-string", level: 1, within: nil, beyond: .malformedJSON) { draft, value in
      draft.json { object in
        object.append("before", .raw(#""\\\"[{\u005b""#))
        object.append("unknown", value)
      }
    }
    addPayloadNesting()
  }

  private mutating func addPayloadNesting() {
    func payload(_ place: CaseName, level: Int, _ put: @escaping @Sendable (inout JSONObject, JSONValue) -> Void) {
      nest("13.1", place, level: level, within: nil, beyond: .malformedPayload) { draft, value in
        try draft.payload { put(&$0, value) }
      }
    }
    payload("unknown-payload-value", level: 1) { $0.append("unknown", $1) }
    payload("unknown-payment-data-value", level: 2) { object, value in
      object.edit("paymentData") { $0.append("unknown", value) }
    }
    payload("unknown-value-of-a-response", level: 3) { object, value in
      object.respond(afterValid: true) { $0.append("unknown", value) }
    }
    payload("other-types-payment-data", level: 2) { object, value in
      object.edit("paymentData") { $0.append("emvData", value) }
    }
    nest(
      "13.1", "merchant-token-metadata", level: 1, nests: [.objects], within: nil, beyond: .malformedPayload
    ) { draft, value in try draft.payload { $0["merchantTokenMetadata"] = value } }
  }

  /// Rule 0.2: the levels of the request and of a token in it count together, unless the token is a string.
  mutating func addEnvelopeNestingBoundaries() {
    for form in RequestForm.all {
      let path = form.route.path
      for depth in path.indices {
        let place = Array(path[..<depth])
        nest(
          "0.2", "\(form.label)-unknown-value-at-level-\(depth + 1)", level: depth + 1, within: nil,
          beyond: .malformedEnvelope
        ) { draft, value in draft.enclose(form) { $0.edit(place) { $0.append("unknown", value) } } }
      }
      nest(
        "0.9", "\(form.label)-chosen-by-shape-with-an-unknown-value", level: 1, nests: [.arrays], within: nil,
        beyond: .malformedJSON
      ) { draft, value in
        draft.enclose(form) { $0.append("unknown", value) }
        draft.policy.envelope = .automatic(Envelope.all)
      }
      if let (field, _) = form.constant {
        nest(
          "0.6", "\(form.label)-constant", level: field.count, within: .fieldMismatch, beyond: .malformedEnvelope
        ) { draft, value in draft.enclose(form) { $0[field] = value } }
      }
      addTokenNesting(form)
    }
  }

  private mutating func addTokenNesting(_ form: RequestForm) {
    let level = form.route.path.count
    switch form.route.wrapping {
    case .object:
      nest("0.2", "\(form.label)-token-value", level: level + 1, within: nil, beyond: .malformedEnvelope) {
        draft, value in
        draft.json { $0.append("unknown", value) }
        draft.enclose(form)
      }
      nest("0.2", "\(form.label)-header-value", level: level + 2, within: nil, beyond: .malformedEnvelope) {
        draft, value in
        draft.header { $0.append("unknown", value) }
        draft.enclose(form)
      }
      for field in form.route.fields where field.rule == .transactionId {
        nest(
          "14.0", "\(form.label)-transaction-identifier", level: field.path.count, within: .transactionMismatch,
          beyond: .malformedEnvelope
        ) { draft, value in draft.enclose(form) { $0[field.path] = value } }
      }
    case .text, .base64:
      nest("2.4", "\(form.label)-token-value", level: 1, within: nil, beyond: .malformedJSON) { draft, value in
        draft.json { $0.append("unknown", value) }
        draft.enclose(form)
      }
    case .parts(let parts):
      for part in parts where part.name != "ephemeralKey" {
        nest(
          "0.8", .standing(.missing(part.member), "\(form.label)-\(part.name.kebabCase)"), level: level + 1,
          within: .wrongType(part.member), beyond: .malformedEnvelope
        ) { draft, value in draft.enclose(form) { $0[form.route.path + [part.name]] = value } }
      }
      nest("0.2", "\(form.label)-unknown-part", level: level + 1, within: nil, beyond: .malformedEnvelope) {
        draft, value in draft.enclose(form) { $0[form.route.path + ["unknown"]] = value }
      }
    }
  }
}
