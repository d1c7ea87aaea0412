import Gateways
import Minting
import PaymentToken
import TestCases

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
        request("0.4", form, "with-\(label)-in-capitals", .malformedEnvelope) {
          $0.move(path, to: path.dropLast() + [(path.last ?? "").uppercased()])
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
      request("0.4", .choice(.holder, "\(form.label)-by-name-is-a-bare-token"), .malformedEnvelope) { draft in
        draft.policy.envelope = .named(form.gateway.envelope)
      }
      for other in RequestForm.all where !CaseList.fits(other, form) {
        request("0.4", .choice(.holder, "\(form.label)-by-name-is-\(other.label)"), .malformedEnvelope) { draft in
          draft.enclose(other)
          draft.policy.envelope = .named(form.gateway.envelope)
        }
      }
      request("3.1", "apple-by-name-is-\(form.label)", .missing(.version)) { draft in
        draft.enclose(form)
        draft.policy.envelope = .named(.apple)
      }
    }
    for (form, other) in [(RequestForm.applepayjs, RequestForm.alphapay), (.alphapay, .applepayjs)] {
      let note = "marks count only where the envelope is not named"
      request("0.9", "\(form.label)-by-name-is-\(other.label)", note: note) { draft in
        draft.enclose(other)
        draft.policy.envelope = .named(form.gateway.envelope)
      }
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
    let faults: [(clause: String, fault: TokenFault, forms: [RequestForm])] = [
      ("0.7", .missing(.version), [.applepayjs, .applepayjsToken, .alphapay]),
      ("0.5", .malformedEnvelope, [.mpgs, .bambora]), ("0.4", .missing(.data), [.worldline]),
    ]
    for (clause, fault, forms) in faults {
      for form in forms {
        let standing = form.label == "mpgs" ? Standing(.holder, .project, .strictness) : nil
        request(clause, form, .standing(standing, "its-path-doubled"), fault) {
          $0[form.route.path] = .nested(form.route.path, $0[form.route.path] ?? .raw("null"))
        }
      }
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

/// Rules 0.6 and 0.7: fields that must be constants, and their place in the order.
extension CaseList {
  mutating func addConstantFieldCases() {
    for form in [RequestForm.worldline, .mpgs, .bambora] {
      guard let constant = form.constant else { continue }
      addConstantCases(form, constant.path, constant.value)
    }
    addWorldlineProductCases()
    addTextConstantCases()
    addFieldOrderCases()
  }

  private mutating func addConstantCases(_ form: RequestForm, _ path: [String], _ value: String) {
    let label = (path.last ?? "").kebabCase
    request("0.6", form, "without-\(label)") { $0[path] = nil }
    for (name, text) in [
      ("null", "null"), ("true", "true"), ("an-object", "{}"), ("an-array", "[\(value)]"), ("an-empty-string", "\"\""),
      ("zero", "0"),
    ] { request("0.6", form, "\(label)-is-\(name)", .fieldMismatch) { $0[path] = .raw(text) } }
    guard path.count > 1, form.gateway.name != "worldline" else { return }
    for (name, text) in [("null", "null"), ("a-string", "\"\""), ("an-array", "[{}]"), ("an-empty-object", "{}")] {
      request("0.6", form, "\(path[0].kebabCase)-is-\(name)", note: "the field is absent") { $0[path[0]] = .raw(text) }
    }
  }

  private mutating func addWorldlineProductCases() {
    let path = ["mobilePaymentMethodSpecificInput", "paymentProductId"]
    for (name, text) in [
      ("320", "320"), ("303", "303"), ("3020", "3020"), ("30", "30"), ("302-with-a-fraction", "302.0"),
      ("302-with-an-exponent", "302e0"), ("3.02e2", "3.02e2"), ("minus-302", "-302"), ("302-as-text", "\"302\""),
    ] {
      let name = String(name.map { $0 == "." ? "-" : $0 })
      request("0.6", .worldline, "product-\(name)", .fieldMismatch) { $0[path] = .raw(text) }
    }
    request("0.2", .worldline, "product-with-a-leading-zero", .malformedEnvelope) { $0[path] = .raw("0302") }
    request("0.6", .worldline, "product-outside-of-the-parts") { object in
      object[path] = nil
      object.append("paymentProductId", .raw("1"))
    }
  }

  private mutating func addTextConstantCases() {
    for (form, right) in [(RequestForm.mpgs, "APPLE_PAY"), (.bambora, "apple_pay")] {
      guard let path = form.constant?.path else { continue }
      let label = (path.last ?? "").kebabCase
      for (name, text) in [
        ("of-another-wallet", "GOOGLE_PAY"), ("in-another-case", right == "APPLE_PAY" ? "apple_pay" : "APPLE_PAY"),
        ("cut-short", String(right.dropLast())), ("with-a-space-after-it", right + " "),
        ("with-a-null-character-after-it", right + "\u{0}"), ("with-a-hyphen", "apple-pay"),
      ] { request("0.6", form, "\(label)-\(name)", .fieldMismatch) { $0[path] = .string(text) } }
      request("0.6", form, "\(label)-with-escapes") { $0[path] = .raw(JSONText.escaped(right)) }
      request("0.6", form, .choice(.holder, "\(label)-in-another-object")) { object in
        object[path] = nil
        object["unknown"] = .nested(path, .string("other"))
      }
    }
  }

  /// 0.1 to 0.6 come in this order, and all of them before the token.
  private mutating func addFieldOrderCases() {
    let wrong = JSONValue.string("CHASE_PAY")
    let (wallet, parts) = (["order", "walletProvider"], RequestForm.worldline.route.path)
    request(
      "0.7", .mpgs, "a-wrong-field-and-a-token-too-large", .fieldMismatch,
      { $0[wallet] = wrong }, around: { $0.padToken(to: RuleLimits.token + 1) })
    let tokens: [(RequestForm, String, JSONValue, TokenFault)] = [
      (.mpgs, "no-token-in-the-text", .string(""), .fieldMismatch),
      (.mpgs, "a-token-of-another-type", .raw("{}"), .malformedEnvelope),
      (.bambora, "faulty-base64", .string("A"), .malformedEnvelope),
      (.bambora, "base64-of-no-token", .string("AAAA"), .fieldMismatch),
    ]
    for (form, name, token, fault) in tokens {
      let field = form.constant?.path ?? []
      request("0.7", form, "a-wrong-field-and-\(name)", fault) { $0.set([field: wrong, form.route.path: token]) }
    }
    request("0.7", .worldline, "a-wrong-field-and-no-parts", .fieldMismatch) {
      $0[parts] = .raw(#"{"paymentProductId":1}"#)
    }
    request("0.7", .worldline, "a-wrong-field-and-parts-too-large", .fieldMismatch) { object in
      object[parts + ["paymentProductId"]] = .raw("1")
      object.edit(parts) { $0.append("unknown", .string(String(repeating: "x", count: RuleLimits.token))) }
    }
    request("0.7", "mpgs-a-wrong-field-in-a-request-too-large", .requestTooLarge) { draft in
      draft.enclose(.mpgs) { $0[wallet] = wrong }
      draft.padRequest(to: Envelope.maximumRequestSize + 1)
    }
    request("0.7", .mpgs, "a-wrong-field-and-broken-syntax", .malformedEnvelope) { object in
      object[wallet] = wrong
      object.append("unknown", .raw("tru"))
    }
  }
}
