import Foundation
import Testing

struct OutgoingRequestTests {
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
        "sourceOfFunds":{"type":"CARD","provided":{"card":{"number":"4111111111111111",\
        "expiry":{"month":"12","year":"30"},"devicePayment":{"cryptogramFormat":"3DSECURE",\
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}}},\
        "transaction":{"source":"INTERNET"}}

        """)
  }

  @Test(arguments: ["worldline", "mpgs"])
  func `what cannot be sent on leaves a reason and nothing else`(output: String) throws {
    let cases: [([String], [String], String)] = [
      (["--type", "emv"], [], "emvPayment"), (["--currency", "191"], [], "unknownCurrency"),
      (["--currency", "999"], [], "currencyWithoutMinorUnit"), ([], ["--expect-amount", "1"], "amountMismatch"),
    ]
    for (recipe, options, reason) in cases {
      let minted = try MintedFolder(recipe)
      let outcome = try minted.decrypt(["--output", output] + options)
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.contains(reason))
      #expect(!outcome.error.contains(MintedFolder.accountNumber))
      #expect(try minted.decrypt(["--output", output, "--quiet"] + options).error.isEmpty)
    }
  }
}
