import Foundation
import Gateways
import Minting
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  /// Requests of gateways and requests for gateways.
  struct GatewayTests {
    @Test func `every gateway's request is opened, by its name and by its shape`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        var index: UInt64 = 0
        for gateway in Gateway.all {
          for form in gateway.signedForms {
            for path in ["/decrypt", "/decrypt/auto", "/decrypt/\(gateway.name)", "/decrypt?gateway=\(gateway.name)"] {
              index += 1
              let minted = try merchant.minter.mint(TokenRecipe(index: index))
              let response = try request(server, "POST", path, form.request(around: minted.bytes))
              #expect(response.status == 200, "\(gateway.name) \(path) \(response.text)")
              try expect(response, is: minted, in: gateway.name)
            }
          }
        }
        #expect(await eventually { server.metrics.accepted == index })
      }
    }

    @Test func `a bare token is opened, and by no gateway's name`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let minted = try merchant.minter.mint(TokenRecipe(index: 1))
        for gateway in Gateway.all {
          let response = try request(server, "POST", "/decrypt/\(gateway.name)", minted.bytes)
          #expect(response.status == 422)
          #expect(response.code == "malformedEnvelope")
        }
        try expect(try request(server, "POST", "/decrypt/apple", minted.bytes), is: minted, in: "apple")
        let other = try merchant.minter.mint(TokenRecipe(index: 2))
        try expect(try request(server, "POST", "/decrypt", other.bytes), is: other, in: "apple")
      }
    }

    @Test func `a payment is answered with the request to send on, to every gateway that takes it`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        var index: UInt64 = 0
        for gateway in Gateway.all where !gateway.outgoingBodies.isEmpty {
          index += 1
          var recipe = TokenRecipe(index: index)
          if gateway.name == "alphapay" { recipe.payload.currencyCode = "124" }  // its only currency
          let minted = try merchant.minter.mint(recipe)
          let form = gateway.name == "alphapay" ? Gateway.alphapay.signedForms[0] : Gateway.applepayjs.signedForms[0]
          let response = try request(server, "POST", "/request/\(gateway.name)", form.request(around: minted.bytes))
          guard gateway.name != "bambora" else {
            #expect(response.status == 422 && response.code == "incomplete")
            #expect(response.text.contains("apple_pay.apple_pay_merchant_id"))
            continue
          }
          #expect(response.status == 200, "\(response.text)")
          #expect(response.headers["cache-control"] == "no-store")
          let check = try BodyCheck(Array(response.text.utf8).span, among: gateway.bodies)
          #expect(check.problems.map(\.path) == [])
        }
      }
    }

    /// Bambora's request for 12.50 around a token for this merchant.
    private func bambora(_ merchant: String, _ token: [UInt8]) throws -> [UInt8] {
      var order = OrderFields()
      (order.reference, order.merchantIdentifier) = ("order-1", merchant)
      order.terms = RequestTerms(amount: .decimal("12.50"), currency: nil)
      let body = try Gateway.bambora.body(of: .token(EnclosedToken(token)), order)
      return try #require(body).text
    }

    @Test func `a request that contradicts its token is not sent on`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        var details = RequestDetails()
        details.amount = 999
        for (index, path) in ["/request/mpgs", "/request/bambora"].enumerated() {
          let minted = try merchant.minter.mint(TokenRecipe(index: UInt64(index) + 1))
          let body = Gateway.mpgs.signedForms[0].request(around: minted.bytes, details)
          let response = try request(server, "POST", path, body)
          #expect(response.status == 422 && response.code == "amountDiffers")
        }
        let stranger = try merchant.minter.mint(TokenRecipe(index: 9))
        let body = try bambora("merchant.test.assay.other", stranger.bytes)
        #expect(try request(server, "POST", "/request/mpgs", body).code == "merchantDiffers")
        for path in ["/request/apple", "/request/nobody", "/request/"] {
          #expect(try request(server, "POST", path, stranger.bytes).status == 404)
        }
      }
    }

    @Test func `a request for a gateway is checked by the keys that opened it, also after a reload`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.deadline = nil
      try await withServer(options, replay: gate) { server in
        func send(_ number: Int) throws -> Client {
          let name = merchant.minter.merchants[number].identifier
          let body = try bambora(name, try merchant.token(1, merchant: number))
          let client = try Client(server.address)
          client.post("/request/mpgs", body)
          return client
        }
        let openedByOldKey = try send(0)
        #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
        let openedByNewKey = try send(1)
        #expect(await eventually { server.metrics.queueDepth == 1 })
        try merchant.writeKey(1)
        try server.reloadKeys()
        gate.open()
        for client in [openedByOldKey, openedByNewKey] {
          let response = try #require(client.receive())
          #expect(response.status == 200 && response.code == nil, "\(response.text)")
        }
      }
    }

    @Test func `a form-encoded request is opened as the JSON it stands for`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let minted = try merchant.minter.mint(TokenRecipe(index: 1))
        let token = Data(minted.bytes).base64EncodedString().replacing("+", with: "%2B").replacing("=", with: "%3D")
        let form = "amount=12.50&transaction-type=purchase&apple-wallet%5Bpayment-token%5D=\(token)"
        try expect(try request(server, "POST", "/decrypt", Array(form.utf8)), is: minted, in: "bambora")
      }
    }

    private func expect(_ response: Response, is minted: MintedToken, in envelope: String) throws {
      let document = try response.json()
      #expect(response.headers["cache-control"] == "no-store")
      #expect(response.headers["content-type"] == "application/json")
      #expect(document["accepted"] as? Bool == true)
      #expect(document["envelope"] as? String == envelope)
      #expect(document["version"] as? String == "EC_v1")
      #expect(document["transactionId"] as? String == Hex.encode(minted.transactionId))
      #expect(document["signedAt"] as? String == noon.rfc3339)
      #expect(document["verifiedAt"] as? String == noon.rfc3339)
      let payment = try #require(document["payment"] as? NSDictionary)
      let plaintext = try JSONSerialization.jsonObject(with: Data(minted.plaintext)) as? NSDictionary
      #expect(payment == plaintext)
    }
  }
}
