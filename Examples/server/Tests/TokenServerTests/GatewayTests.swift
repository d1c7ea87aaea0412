import Foundation
import Gateways
import Minting
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  /// Requests that are accepted.
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
