import Gateways
import PaymentToken

/// Rule 0.7: what is extracted is the token itself, never another envelope.
extension CaseList {
  mutating func addEnvelopeNestingCases() {
    let version = TokenFault(.missingMember, member: .version)
    for outer in RequestForm.all where !outer.isParts {
      for inner in RequestForm.all {
        request("0.7", "\(outer.label)-around-\(inner.label)", version) { draft in
          draft.token = JSONValue.object(draft.object(inner)).text()
          draft.enclose(outer)
        }
        request("0.7", "auto-\(outer.label)-around-\(inner.label)", version) { draft in
          draft.token = JSONValue.object(draft.object(inner)).text()
          draft.enclose(outer)
          draft.policy.envelope = .automatic
        }
      }
    }
    for inner in RequestForm.all where !inner.isParts {
      request("0.7", "worldline-with-\(inner.label)-as-data", TokenFault(.wrongType, member: .data)) { draft in
        let request = JSONValue.object(draft.object(inner))
        draft.enclose(.worldline) { $0[RequestForm.worldline.route.path + ["encryptedPaymentData"]] = request }
      }
    }
    for form in RequestForm.all where !form.isParts {
      request("0.7", "\(form.label)-inside-a-bare-token", note: "the token's own members count") { draft in
        let inner = JSONValue.object(draft.object(form))
        draft.json { $0.append("request", inner) }
      }
      request("0.9", "auto-\(form.label)-beside-a-tokens-members", .ambiguousEnvelope) { draft in
        let members = draft.object(form).members
        draft.json { $0.members += members }
        draft.policy.envelope = .automatic
        draft.request = draft.bareToken
      }
    }
  }
}
