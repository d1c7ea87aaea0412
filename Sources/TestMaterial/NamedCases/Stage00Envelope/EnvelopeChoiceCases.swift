import Gateways
import Minting
import PaymentToken

/// Rule 0.9: which envelope a request is read by when nobody names it.
extension CaseList {
  mutating func addEnvelopeChoiceCases() {
    automatic("a-bare-token") { _ in }
    for form in RequestForm.all {
      automatic("\(form.label)") { $0.enclose(form) }
      if let constant = form.constant {
        automatic(form, "with-a-wrong-field", .fieldMismatch) { $0[constant.path] = .raw("\"x\"") }
      }
      automatic(form, "with-a-repeated-name", .malformedEnvelope) { $0.append(form.route.path[0], .raw("null")) }
      automatic(form, "after-a-repeated-name", .malformedEnvelope) {
        $0.members.insert(.init(form.route.path[0], .raw("{}")), at: 0)
      }
      automatic(form, "with-escaped-names") { $0.escapeNames() }
    }
    addAmbiguousCases()
    addUnfittingCases()
    addWrongTypeChoiceCases()
    addMarkCases()
    addChosenListCases()
  }

  /// A request that is read by whichever envelope it fits.
  mutating func automatic(
    _ name: CaseName, _ fault: TokenFault? = nil, clause: String = "0.9", _ build: @escaping Build
  ) {
    request(clause, "auto-\(name)", fault) { draft in
      try build(&draft)
      draft.policy.envelope = .automatic
    }
  }

  private mutating func automatic(
    _ form: RequestForm, _ name: CaseName, _ fault: TokenFault? = nil, _ edit: @escaping Edit<JSONObject>
  ) {
    automatic("\(form.label)-\(name)", fault) { $0.enclose(form, edit) }
  }

  /// Requests of two gateways in one object.
  private mutating func addAmbiguousCases() {
    for (index, first) in RequestForm.all.enumerated() {
      for second in RequestForm.all[(index + 1)...] where first.gateway.name != second.gateway.name {
        // paymentId alone decides between these two.
        let sharesToken =
          [first, second].contains { $0.gateway.name == "alphapay" }
          && [first, second].contains { $0.gateway.name == "applepayjs" }
        guard !sharesToken else { continue }
        automatic("\(first.label)-and-\(second.label)", .ambiguousEnvelope) {
          $0.enclose(first, beside: $0.object(second).members)
        }
      }
    }
    automatic(.alphapay, "with-the-token-along-the-other-route-as-well") {
      $0["paymentData"] = $0[["token", "paymentData"]]
    }
    automatic(.applepayjs, "along-both-routes", .malformedEnvelope) {
      $0["paymentData"] = $0[["token", "paymentData"]]
    }
    automatic("worldline-beside-a-tokens-members", .ambiguousEnvelope) {
      $0.enclose(.worldline, beside: $0.layers.object.members)
    }
    for name in ["version", "data", "signature", "header"] {
      automatic("mpgs-beside-a-tokens-members-without-\(name)") {
        $0.enclose(.mpgs, beside: $0.layers.object.members.filter { $0.name != JSONText.quoted(name) })
      }
    }
    automatic(.mpgs, "beside-members-of-a-tokens-names", .ambiguousEnvelope) { object in
      for name in ["version", "data", "signature", "header"] { object.append(name, .raw("null")) }
    }
    automatic("three-gateways", .ambiguousEnvelope) {
      $0.enclose(.mpgs, beside: $0.object(.bambora).members + $0.object(.worldline).members)
    }
    automatic("two-gateways-and-a-wrong-field", .ambiguousEnvelope) { draft in
      let members = draft.object(.bambora).members
      draft.enclose(.mpgs) { object in
        object[["order", "walletProvider"]] = .raw("null")
        object.members += members
      }
    }
  }

  private mutating func addUnfittingCases() {
    let version = TokenFault(.missingMember, member: .version)
    for (name, text) in [
      ("an-empty-object", "{}"), ("an-unknown-request", #"{"amount":1,"wallet":{"token":{}}}"#),
      ("half-a-path", #"{"sourceOfFunds":{"provided":{"card":{}}},"payment_method":"apple_pay"}"#),
      ("names-in-another-case", #"{"Token":{"paymentData":{}},"PaymentData":{}}"#),
      ("worldline-without-its-data", #"{"mobilePaymentMethodSpecificInput":{"publicKeyHash":""}}"#),
      ("worldline-as-an-array", #"{"mobilePaymentMethodSpecificInput":[{"encryptedPaymentData":""}]}"#),
    ] as [(CaseName, String)] { automatic(name, version) { $0.request = Array(text.utf8) } }
    for (name, text) in [("an-array", "[]"), ("a-string", "\"{}\""), ("base64", "e30=")] as [(CaseName, String)] {
      automatic(name, TokenFault(.malformedJSON)) { $0.request = Array(text.utf8) }
    }
    automatic("mpgs-among-others-in-an-array", .malformedJSON) { draft in
      draft.enclose(.mpgs)
      draft.requestText { $0 = [0x5B] + $0 + [0x5D] }
    }
    automatic("a-bare-token-with-a-repeated-name", .duplicate(.data)) { $0.json { $0.appendAgain("data") } }
    automatic("a-bare-token-without-its-signature", .missing(.signature)) { $0.set(.signature, nil) }
    automatic("a-bare-token-that-is-no-json", .malformedJSON) { $0.text { $0.removeLast() } }
    automatic(.choice(.holder, "a-bare-token-of-depth-33"), .malformedJSON) {
      $0.json { $0.append("deep", .arrays(32)) }
    }
  }

  /// A route may lead to a value of any type: the choice of the envelope does not depend on the type.
  private mutating func addWrongTypeChoiceCases() {
    for form in RequestForm.all where !form.route.isInParts {
      for (name, text) in [("null", "null"), ("a-number", "0"), ("an-array", "[]")] {
        automatic(form, "token-is-\(name)", .malformedEnvelope) { $0[form.route.path] = .raw(text) }
      }
    }
    automatic(.worldline, "with-data-null", .wrongType(.data)) {
      $0[CaseList.part("encryptedPaymentData")] = .raw("null")
    }
    automatic("mpgs-and-bambora-whose-token-is-null", .ambiguousEnvelope) { draft in
      let members = draft.object(.bambora).members
      draft.enclose(.mpgs) { object in
        object.members += members
        object[RequestForm.bambora.route.path] = .raw("null")
      }
    }
  }

  private mutating func addMarkCases() {
    for (name, text) in [("null", "null"), ("false", "false"), ("an-empty-string", "\"\""), ("an-object", "{}")] {
      automatic("alphapay-with-payment-id-\(name)") { $0.enclose(.applepayjs) { $0["paymentId"] = .raw(text) } }
    }
    automatic("payment-id-twice") { $0.enclose(.alphapay) { $0.append("paymentId", .raw("null")) } }
    automatic("payment-id-inside-the-token") { $0.enclose(.applepayjs) { $0[["token", "paymentId"]] = .string("1") } }
    automatic("payment-id-and-the-token-object-alone", .missing(.version)) { draft in
      draft.enclose(.applepayjsToken) { $0["paymentId"] = .string("1") }
    }
    automatic(.worldline, "with-its-data-twice", .malformedEnvelope) {
      $0.edit(CaseList.partsPath) { $0.append("encryptedPaymentData", .raw("null")) }
    }
    automatic("a-token-in-the-second-of-two-objects", .malformedEnvelope) { draft in
      draft.enclose(.bambora) { $0.members.insert(.init("apple_pay", .raw("{\"payment_tokens\":1}")), at: 0) }
    }
    automatic("a-path-whose-halves-stand-in-two-objects", .duplicateMember) { draft in
      draft.request = Array(
        #"{"sourceOfFunds":{"provided":{}},"sourceOfFunds":{"card":{"devicePayment":{"paymentToken":""}}}}"#.utf8)
    }
    automatic("names-of-two-gateways-in-two-objects-of-one-name", .malformedEnvelope) { draft in
      draft.enclose(.applepayjs) { $0.append("token", .raw("{}")) }
    }
  }

  /// The caller's own list.
  private mutating func addChosenListCases() {
    let version = TokenFault(.missingMember, member: .version)
    func chosen(
      _ name: CaseName, _ list: [Envelope], _ fault: TokenFault?, _ form: RequestForm, _ other: RequestForm? = nil
    ) {
      request("0.9", "auto-among-\(name)", fault) { draft in
        draft.enclose(form, beside: other.map { draft.object($0).members } ?? [])
        draft.policy.envelope = .automatic(list)
      }
    }
    chosen("one-that-fits", [.mpgs], nil, .mpgs)
    chosen("two-of-which-one-fits", [.mpgs, .bambora], nil, .bambora, .worldline)
    chosen("two-that-fit", [.mpgs, .bambora, .worldline], .ambiguousEnvelope, .mpgs, .worldline)
    chosen("others", [.mpgs, .bambora], version, .applepayjs)
    chosen("none", [], version, .mpgs)
    chosen("apple-alone", [.apple], version, .bambora)
    request("0.9", "auto-among-none-a-bare-token") { $0.policy.envelope = .automatic([]) }
    request("0.9", "auto-among-one-beside-a-tokens-members", note: "apple is not among the envelopes") { draft in
      draft.enclose(.mpgs, beside: draft.layers.object.members)
      draft.policy.envelope = .automatic([.mpgs])
    }
  }
}
