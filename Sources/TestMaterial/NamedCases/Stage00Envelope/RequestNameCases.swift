import Gateways
import Minting
import PaymentToken

/// Rule 0.3: names that occur more than once.
extension CaseList {
  mutating func addRequestNameCases() {
    for form in RequestForm.all {
      addRepeatedPathCases(form)
      addUnknownNameCases(form)
    }
    addRepeatedFieldCases()
    addRepeatedPartCases()
    addOtherRouteNameCases()
  }

  /// Each name on the way to the token twice: the same value again, another before it, and one written with an escape.
  private mutating func addRepeatedPathCases(_ form: RequestForm) {
    let path = form.route.path
    for (depth, name) in path.enumerated() {
      let parent = Array(path.prefix(depth))
      let escaped = String(decoding: EscapeChoice.first.escaping(JSONText.quoted(name)), as: UTF8.self)
      let edits: Named<Edit<JSONObject>> = [
        "twice": { $0.members += $0.members.filter { $0.name == JSONText.quoted(name) } },
        "null-before-it": { $0.members.insert(.init(name, .raw("null")), at: 0) },
        "again-with-an-escape": { $0.members.append(.init(rawName: escaped, .raw("{}"))) },
      ]
      for (ending, edit) in edits {
        request("0.3", form, "\(name.kebabCase)-\(ending)", .malformedEnvelope) { $0.edit(parent, edit) }
      }
    }
  }

  private mutating func addUnknownNameCases(_ form: RequestForm) {
    request("0.3", form, "with-100-unknown-members-of-one-name") { object in
      for parent in (0..<form.route.path.count).map({ Array(form.route.path.prefix($0)) }) {
        object.edit(parent) { inner in for _ in 0..<100 { inner.append("unknown", .raw("0")) } }
      }
    }
    request("0.3", form, "with-every-name-of-its-path-escaped") { object in
      // The innermost first: the names before it still lead there.
      for (depth, name) in form.route.path.enumerated().reversed() {
        object.edit(Array(form.route.path.prefix(depth))) { inner in
          for index in inner.members.indices where inner.members[index].name == JSONText.quoted(name) {
            inner.members[index].name = JSONText.escaped(name)
          }
        }
      }
    }
    request("0.3", form, "with-its-names-in-capitals-beside-them") { object in
      for (depth, name) in form.route.path.enumerated() {
        object.edit(Array(form.route.path.prefix(depth))) { $0.append(name.uppercased(), .raw("null")) }
      }
    }
  }

  private mutating func addRepeatedFieldCases() {
    for form in [RequestForm.worldline, .mpgs, .bambora] {
      guard let constant = form.constant else { continue }
      for (depth, name) in constant.path.enumerated() {
        let parent = Array(constant.path.prefix(depth))
        request("0.3", form, "field-\(name.kebabCase)-twice", .malformedEnvelope) {
          $0.edit(parent) { $0.appendAgain(name) }
        }
      }
    }
    for form in [RequestForm.applepayjs, .alphapay] {
      request("0.3", form, "transaction-identifier-twice", .malformedEnvelope) {
        $0.edit(["token"]) { $0.appendAgain("transactionIdentifier") }
      }
    }
    request("0.3", .applepayjsToken, "transaction-identifier-twice", .malformedEnvelope) {
      $0.append("transactionIdentifier", .raw("null"))
    }
    request("0.3", .mpgs, "wallet-provider-twice-in-another-object") { object in
      object.append("orders", .raw(#"{"walletProvider":"NONE","walletProvider":"NONE"}"#))
    }
    request("0.3", .mpgs, "a-repeated-name-before-a-wrong-field", .malformedEnvelope) { object in
      object[["order", "walletProvider"]] = .string("GOOGLE_PAY")
      object.append("sourceOfFunds", .raw("null"))
    }
  }

  private mutating func addRepeatedPartCases() {
    let parts = [
      "encryptedPaymentData", "signature", "publicKeyHash", "transactionId", "ephemeralPublicKey", "applicationData",
    ]
    for name in parts {
      request("0.3", .worldline, "part-\(name.kebabCase)-twice", .malformedEnvelope) { object in
        object.edit(RequestForm.worldline.route.path) { inner in
          if inner[name] == nil { inner.append(name, .raw("null")) }
          inner.appendAgain(name)
        }
      }
    }
    request("0.3", .worldline, "part-names-twice-outside") { for name in parts { $0.appendTwice(name) } }
    request("0.3", .worldline, "token-names-twice-among-the-parts") { object in
      object.edit(RequestForm.worldline.route.path) { inner in
        for name in ["data", "version", "header", "wrappedKey"] { inner.appendTwice(name, .raw("0")) }
      }
    }
  }

  /// Names of the route that is not taken are read; its fields are not.
  private mutating func addOtherRouteNameCases() {
    request("0.3", .applepayjs, "other-route-twice", .malformedEnvelope) { $0.appendTwice("paymentData") }
    request("0.3", .applepayjs, "transaction-identifier-of-the-other-route-twice") {
      $0.appendTwice("transactionIdentifier", .raw("0"))
    }
    request("0.3", .applepayjsToken, "other-route-begins-twice", .malformedEnvelope) {
      $0.appendTwice("token", .raw("{}"))
    }
    request("0.3", .applepayjsToken, "transaction-identifier-of-the-other-route-twice") { object in
      object.append("token", .raw(#"{"transactionIdentifier":0,"transactionIdentifier":1}"#))
    }
    request("0.3", "mpgs-a-repeated-name-where-the-rest-of-the-path-is-missing", .malformedEnvelope) { draft in
      draft.policy.envelope = .named(.mpgs)
      draft.request = Array(#"{"sourceOfFunds":{"provided":null,"provided":{}}}"#.utf8)
    }
  }
}
