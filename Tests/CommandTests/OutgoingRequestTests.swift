import Foundation
import Gateways
import TestSupport
import Testing

@Suite(.blocking) struct OutgoingRequestTests {
  @Test(arguments: ["fast", "reference"])
  func `worldline is the request with the payment, hash and key`(engine: String) throws {
    let minted = try MintedFolder(["--cardholder", "Ada Lovelace"])
    let outcome = try minted.decrypt(["--output", "worldline", "--engine", engine])
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    let token = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: minted.token))) as? [String: Any])
    let header = try #require(token["header"] as? [String: String])
    let document = try outcome.json()
    let money = ["amount": 1250, "currencyCode": "EUR"] as NSDictionary
    #expect(document["order"] as? NSDictionary == ["amountOfMoney": money])
    let payment =
      [
        "cardholderName": "Ada Lovelace", "cryptogram": MintedFolder.cryptogram, "dpan": MintedFolder.accountNumber,
        "eci": 7, "expiryDate": "1230",
      ] as NSDictionary
    let input = try #require(document["mobilePaymentMethodSpecificInput"] as? NSDictionary)
    #expect(
      input == [
        "paymentProductId": 302, "authorizationMode": "FINAL_AUTHORIZATION",
        "publicKeyHash": header["publicKeyHash"]!, "ephemeralKey": header["ephemeralPublicKey"]!,
        "decryptedPaymentData": payment,
      ])
  }

  @Test func `mpgs is the request with the payment, whatever engine opened it`() throws {
    let minted = try MintedFolder(["--currency", "414", "--amount", "1234"])
    let outcome = try minted.decrypt(["--output", "mpgs"])
    #expect(outcome.status == 0)
    #expect(outcome.text == (try minted.decrypt(["--output", "mpgs", "--engine", "reference"])).text)
    #expect(
      outcome.text == """
        {"apiOperation":"AUTHORIZE","order":{"amount":"1.234","currency":"KWD","walletProvider":"APPLE_PAY"},\
        "sourceOfFunds":{"provided":{"card":{"number":"4111111111111111",\
        "expiry":{"month":"12","year":"30"},"devicePayment":{"cryptogramFormat":"3DSECURE",\
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}},"type":"CARD"},\
        "transaction":{"source":"INTERNET"}}

        """)
  }

  /// Replaces the folder's token with a request that encloses it.
  private func wrap(_ minted: MintedFolder, _ request: (EnclosedToken) -> JSONValue) throws {
    let token = EnclosedToken(Array(try Data(contentsOf: URL(filePath: minted.token))))
    try Data(request(token).text()).write(to: URL(filePath: minted.token))
  }

  /// A purchase for this amount, in euro cents.
  private func order(of amount: Int64 = 1_250) -> OrderFields {
    var order = OrderFields()
    (order.capture, order.reference) = (.purchase, "order-1")
    order.terms = RequestTerms(amount: .minorUnits(amount), currency: Currency.alphabetic("EUR"))
    return order
  }

  @Test(arguments: ["fast", "reference"])
  func `contacts of the request are carried over`(engine: String) throws {
    let minted = try MintedFolder()
    try wrap(minted) { token in
      var order = OrderFields()
      var contact = PaymentContact()
      (contact.givenName, contact.emailAddress, contact.locality) = ("Zoë", "zoe@example.org", "Austin")
      order.shippingContact = contact
      return ApplePayJSRequest.json(for: order, around: token)
    }
    let document = try minted.decrypt(["--output", "worldline", "--engine", engine]).json()
    let customer = try #require((document["order"] as? [String: Any])?["customer"] as? NSDictionary)
    #expect(
      customer == [
        "contactDetails": ["emailAddress": "zoe@example.org"],
        "personalInformation": ["name": ["firstName": "Zoë"]],
        "shippingAddress": ["name": ["firstName": "Zoë"], "city": "Austin"],
      ])
  }

  @Test(arguments: ["fast", "reference"])
  func `another amount than the token's is not sent on before it is said which counts`(engine: String) throws {
    let minted = try MintedFolder()
    try wrap(minted) { token in
      var order = order(of: 999_900)
      order.reference = "order-7"
      order.telephoneNumber = "41001"
      order.terminalLocation = .onPremises
      return MastercardRequest.json(for: order, around: token)
    }
    #expect(try minted.decrypt().status == 0)
    for output in ["mpgs", "worldline"] {
      let refused = try minted.decrypt(["--output", output, "--engine", engine])
      #expect(refused.status == 1 && refused.output.isEmpty)
      #expect(refused.error.contains("amountDiffers") && !refused.error.contains("9999"))
    }
    for (choice, amount) in [("token", "12.50"), ("request", "9999.00")] {
      let document = try minted.decrypt(["--output", "mpgs", "--prefer", choice, "--engine", engine]).json()
      #expect(document["apiOperation"] as? String == "PAY")
      #expect(
        document["order"] as? [String: String] == [
          "amount": amount, "currency": "EUR", "reference": "order-7", "walletProvider": "APPLE_PAY",
        ])
      #expect(document["device"] as? [String: String] == ["ani": "41001"])
      #expect(document["posTerminal"] as? [String: String] == ["location": "PAYER_TERMINAL_ON_PREMISES"])
    }
  }

  @Test func `another merchant than the token's is not sent on before it is said which counts`() throws {
    let (right, wrong) = (try MintedFolder(), try MintedFolder())
    for (folder, merchant) in [(right, "merchant.test.assay.one"), (wrong, "merchant.test.assay.two")] {
      var order = order()
      order.merchantIdentifier = merchant
      try wrap(folder) { BamboraRequest.json(for: order, around: $0, complete: nil) }
    }
    #expect(try right.decrypt(["--output", "mpgs"]).status == 0)
    let refused = try wrong.decrypt(["--output", "mpgs"])
    #expect(refused.status == 1 && refused.output.isEmpty)
    #expect(refused.error.contains("merchantDiffers"))
    let told = try wrong.decrypt(["--output", "mpgs", "--prefer", "token"])
    #expect(told.text == (try right.decrypt(["--output", "mpgs"]).text))
    #expect(told.error == "assay: sent on although the request and the token differ in merchant.\n")
  }

  @Test(arguments: ["worldline", "mpgs"])
  func `a document has the request and what is remarked on it, or why there is none`(output: String) throws {
    let minted = try MintedFolder()
    try wrap(minted) { token in
      var object = MastercardRequest.json(for: order(of: 999_900), around: token)
      object.object["responseControls"] = .nested(["sensitiveData"], .string("UNMASK"))
      return object
    }
    let words = ["--output", output, "--json", "--quiet"]
    let refused = try minted.decrypt(words)
    #expect(refused.status == 1 && refused.error.contains("sensitiveData"))
    let nothing = try refused.json()
    #expect(nothing["request"] is NSNull && nothing["gateway"] as? String == output)
    #expect((nothing["refusals"] as? [String])?.first?.contains("amountDiffers") == true)
    let made = try minted.decrypt(words + ["--prefer", "token"])
    #expect(made.status == 0)
    let document = try made.json()
    #expect(document["schema"] as? String == "assay.gateway-request/1")
    let remarks = try #require(document["remarks"] as? [String])
    #expect(remarks.count == 2 && remarks.map { "assay: \($0)\n" }.joined() == made.error)
    let plain = try minted.decrypt(["--output", output, "--prefer", "token"])
    let request = try #require(document["request"] as? [String: Any])
    #expect(NSDictionary(dictionary: request).isEqual(try plain.json()))
    let forged = try minted.decrypt(words + ["--expect-currency", "USD"])
    #expect(forged.status == 1 && forged.error.isEmpty)
    let rejected = try forged.json()
    #expect((rejected["refusals"] as? [String])?.first?.contains("currencyMismatch") == true)
    #expect((rejected["remarks"] as? [String])?.last?.hasPrefix("explain: otherCurrency") == true)
  }

  @Test func `what is asked for can be chosen`() throws {
    let minted = try MintedFolder()
    func operation(_ options: [String]) throws -> String? {
      try minted.decrypt(["--output", "mpgs"] + options).json()["apiOperation"] as? String
    }
    #expect(try operation([]) == "AUTHORIZE")
    #expect(try operation(["--capture", "purchase"]) == "PAY")
    #expect(try operation(["--operation", "pay"]) == "PAY")
    #expect(try operation(["--operation", "update-session"]) == nil)
    let sale = try minted.decrypt(["--output", "worldline", "--capture", "purchase", "--reference", "order-7"]).json()
    let input = try #require(sale["mobilePaymentMethodSpecificInput"] as? [String: Any])
    #expect(input["authorizationMode"] as? String == "SALE")
    let order = try #require(sale["order"] as? NSDictionary)
    #expect(order["references"] as? NSDictionary == ["merchantReference": "order-7"])
    for options in [
      ["--capture", "purchase"], ["--output", "json", "--prefer", "token"],
      ["--output", "worldline", "--operation", "pay"],
      ["--output", "mpgs", "--operation", "pay", "--capture", "purchase"], ["--output", "mpgs", "--reference", ""],
      ["--output", "mpgs", "--prefer", "request", "--expect-amount", "1250"],
    ] { #expect(try minted.decrypt(options).status == 64) }
  }

  @Test func `a field that is not as its gateway describes it stops the request`() throws {
    let minted = try MintedFolder()
    try wrap(minted) { token in
      var object = MastercardRequest.json(for: order(), around: token)
      object.object["device"] = .nested(["ani"], .raw("41001"))
      return object
    }
    #expect(try minted.decrypt().status == 0)
    let outcome = try minted.decrypt(["--output", "mpgs"])
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error == "assay: cannot be sent on: the request's device.ani is of the wrong type.\n")
  }

  @Test(arguments: ["worldline", "mpgs"])
  func `what nobody signed is not sent on`(output: String) throws {
    let minted = try MintedFolder()
    try wrap(minted) { WorldlineRequest.json(for: order(), around: $0) }
    #expect(try minted.decrypt(["--unsigned"]).status == 0)
    let outcome = try minted.decrypt(["--unsigned", "--output", output])
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error == "assay: cannot be sent on: nobody signed the token.\n")
  }

  @Test(arguments: ["worldline", "mpgs"])
  func `what cannot be sent on leaves a reason and nothing else`(output: String) throws {
    let cases: [([String], [String], String)] = [
      (["--type", "emv"], [], "emvPayment"), (["--currency", "191"], [], "unknownCurrency"),
      (["--currency", "999"], [], "currencyWithoutMinorUnit"), ([], ["--expect-amount", "1"], "amountMismatch"),
    ]
    let plaintext = try MintedFolder().decrypt(["--output", "plaintext"]).text
    let search = try SecretSearch(for: [MintedFolder.accountNumber], from: plaintext)
    for (recipe, options, reason) in cases {
      let minted = try MintedFolder(recipe)
      let outcome = try minted.decrypt(["--output", output] + options)
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(try search.findings(in: outcome.error, marked: reason) == [])
      #expect(try minted.decrypt(["--output", output, "--quiet"] + options).error.isEmpty)
    }
  }
}
