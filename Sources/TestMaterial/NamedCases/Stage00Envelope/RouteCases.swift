import Gateways
import Minting
import PaymentToken

/// Rule 0.4: exactly one route leads to a value.
extension CaseList {
  private static let strangers = [
    ("null", "null"), ("true", "true"), ("a-number", "0"), ("a-string", "\"{}\""), ("an-array", "[{}]"),
    ("an-empty-array", "[]"),
  ]

  mutating func addRouteCases() {
    for form in RequestForm.all {
      for depth in form.route.path.indices {
        let path = Array(form.route.path.prefix(depth + 1))
        let label = form.route.path[depth].kebabCase
        request("0.4", form, "without-\(label)", .malformedEnvelope) { $0[path] = nil }
        request("0.4", form, "with-\(label)-in-capitals", .malformedEnvelope) { object in
          let value = object[path]
          object[path] = nil
          object[path.dropLast() + [(path.last ?? "").uppercased()]] = value
        }
        guard depth < form.route.path.count - 1 else { continue }
        request("0.4", form, "\(label)-is-an-empty-object", .malformedEnvelope) { $0[path] = .raw("{ }") }
        for (name, text) in CaseList.strangers {
          request("0.4", form, "\(label)-is-\(name)", .malformedEnvelope) { $0[path] = .raw(text) }
        }
        request("0.4", form, "\(label)-in-an-array", .malformedEnvelope) { object in
          object[path] = .array([object[path] ?? .raw("null")])
        }
      }
    }
    request("0.4", "an-empty-request-of-each-gateway", .malformedEnvelope) { draft in
      draft.policy.envelope = .named(.alphapay)
      draft.request = Array("{}".utf8)
    }
    addSeveralRouteCases()
    addDoubledPathCases()
    for form in RequestForm.all {
      request("0.4", "\(form.label)-by-name-is-a-bare-token", .malformedEnvelope) { draft in
        draft.policy.envelope = .named(form.gateway.envelope)
      }
      for other in RequestForm.all where !CaseList.fits(other, form) {
        request("0.4", "\(form.label)-by-name-is-\(other.label)", .malformedEnvelope) { draft in
          draft.enclose(other)
          draft.policy.envelope = .named(form.gateway.envelope)
        }
      }
      request("3.1", "apple-by-name-is-\(form.label)", .missing(.version)) { draft in
        draft.enclose(form)
        draft.policy.envelope = .named(.apple)
      }
    }
    request("0.9", "applepayjs-by-name-is-alphapay", note: "marks count where nobody names the envelope") { draft in
      draft.enclose(.alphapay)
      draft.policy.envelope = .named(.applepayjs)
    }
    request("0.9", "alphapay-by-name-is-applepayjs", note: "marks count where nobody names the envelope") { draft in
      draft.enclose(.applepayjs)
      draft.policy.envelope = .named(.alphapay)
    }
  }

  /// Whether a request of one form has a route of the other's envelope.
  private static func fits(_ request: RequestForm, _ form: RequestForm) -> Bool {
    form.gateway.envelope.routes.contains { $0.path == request.route.path }
  }

  private mutating func addSeveralRouteCases() {
    request("0.4", .applepayjs, "along-both-routes", .malformedEnvelope) { object in
      object["paymentData"] = object[["token", "paymentData"]]
    }
    for (name, text) in [("null", "null"), ("a-string", "\"\""), ("an-empty-object", "{}"), ("false", "false")] {
      request("0.4", .applepayjs, "other-route-leads-to-\(name)", .malformedEnvelope) { $0["paymentData"] = .raw(text) }
      request("0.4", .applepayjsToken, "other-route-leads-to-\(name)", .malformedEnvelope) {
        $0[["token", "paymentData"]] = .raw(text)
      }
      request("0.4", .applepayjsToken, "other-route-breaks-off-at-\(name)") { $0["token"] = .raw(text) }
    }
    request("0.4", .applepayjsToken, "other-route-breaks-off-in-an-array") {
      $0["token"] = .raw(#"[{"paymentData":{}}]"#)
    }
  }

  /// The path of the envelope once more where the token should be.
  private mutating func addDoubledPathCases() {
    for form in [RequestForm.applepayjs, .applepayjsToken, .alphapay] {
      request("0.7", form, "its-path-doubled", .missing(.version)) { object in
        object[form.route.path] = .nested(form.route.path, object[form.route.path] ?? .raw("null"))
      }
    }
    for form in [RequestForm.mpgs, .bambora] {
      request("0.5", form, "its-path-doubled", .malformedEnvelope) { object in
        object[form.route.path] = .nested(form.route.path, object[form.route.path] ?? .raw("null"))
      }
    }
    request("0.4", .worldline, "its-path-doubled", .missing(.data)) { object in
      object[RequestForm.worldline.route.path] = .nested(
        RequestForm.worldline.route.path, object[RequestForm.worldline.route.path] ?? .raw("null"))
    }
    request("0.4", .mpgs, "its-path-one-level-too-deep", .malformedEnvelope) { object in
      object = JSONObject([.init("request", .object(object))])
    }
    request("0.4", .mpgs, "its-path-as-one-name", .malformedEnvelope) { object in
      let path = RequestForm.mpgs.route.path
      let value = object[path] ?? .raw("null")
      object["sourceOfFunds"] = nil
      object.append(path.joined(separator: "."), value)
    }
  }
}
