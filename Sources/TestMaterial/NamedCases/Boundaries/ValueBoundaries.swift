import Gateways
import Minting
import PaymentToken
import TestCases

/// Rule 2.4: a document with as many members and elements as it may have, and one more, wherever they are.
extension CaseList {
  /// Ways to fill a value with members and elements.
  private static let fillers: Named<@Sendable (Int) -> JSONValue> = [
    "zeros": { .array([JSONValue](repeating: .raw("0"), count: $0)) },
    "empty-arrays": { .array([JSONValue](repeating: .raw("[]"), count: $0)) },
    "members": { .object(JSONObject([JSONObject.Member](repeating: .init("", .raw("0")), count: $0))) },
    // Each `[0]` counts as two values: an element, and the one that it holds. An odd count adds a `0`.
    "pairs": { count in
      .array(
        [JSONValue](repeating: .raw("[0]"), count: count / 2) + [JSONValue](repeating: .raw("0"), count: count % 2))
    },
  ]

  private mutating func fill(
    _ clause: String, _ place: CaseName, beyond: TokenFault, hasAll: Bool = true, without omitted: CaseName? = nil,
    _ put: @escaping @Sendable (inout CaseDraft, @Sendable (JSONObject) -> JSONValue) throws -> Void
  ) {
    let limit = Standing(clause == "13.1" ? .apple : .holder, .project, .choice)
    for (number, (filler, value)) in Self.fillers.enumerated() where filler != omitted && (hasAll || number == 0) {
      for total in [RuleLimits.values, RuleLimits.values + 1] {
        bound(
          clause, .standing(limit, "\(place)-of-\(filler)-to-\(total)-values"),
          total > RuleLimits.values ? beyond : nil, isCommitted: number == 0
        ) { draft in
          // The member that holds the values is one of them.
          try put(&draft) { value(total - (JSONPiece(JSONValue.object($0).text())?.valueCount ?? 0) - 1) }
        }
      }
    }
  }

  mutating func addValueBoundaries() {
    for isFirst in [false, true] {
      fill("2.4", "unknown-\(isFirst ? "first" : "last")-value", beyond: .malformedJSON) { draft, value in
        draft.json { $0.members.insert(.init("unknown", value($0)), at: isFirst ? 0 : $0.members.count) }
      }
    }
    fill("2.4", "unknown-value-in-the-header", beyond: .malformedJSON) { draft, value in
      let filled = value(draft.layers.object)
      draft.header { $0.append("unknown", filled) }
    }
    // An encrypted payload of so many members does not fit into a token.
    fill("13.1", "unknown-payload-value", beyond: .malformedPayload, without: "members") { draft, value in
      try draft.payload { $0.append("unknown", value($0)) }
    }
    for form in RequestForm.all {
      fill("0.2", "\(form.label)-unknown-value", beyond: .malformedEnvelope, hasAll: form.label == "mpgs") {
        draft, value in draft.enclose(form) { $0.append("unknown", value($0)) }
      }
      // A token that is an object counts as a part of the request.
      guard case .object = form.route.wrapping else { continue }
      fill("0.2", "\(form.label)-token-value", beyond: .malformedEnvelope, hasAll: false) { draft, value in
        let filled = value(draft.object(form))
        draft.json { $0.append("unknown", filled) }
        draft.enclose(form)
      }
    }
    fill("0.9", "worldline-chosen-by-shape-with-an-unknown-value", beyond: .malformedJSON, hasAll: false) {
      draft, value in
      draft.enclose(.worldline) { $0.append("unknown", value($0)) }
      draft.policy.envelope = .automatic(Envelope.all)
    }
  }
}
