import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// Callers whose permission is withdrawn while their lines arrive.
  struct LineCallersTests {
    @Test func `of a bearer token that is withdrawn, lines are refused from then on, and those before answered`()
      async throws
    {
      let merchant = try Merchant()
      let (kept, withdrawn) = (String(repeating: "k", count: 32), String(repeating: "w", count: 32))
      try merchant.folder.write("\(withdrawn)\n\(kept)\n", to: "bearers")
      var options = merchant.options
      options.files.bearerTokens = merchant.folder.path("bearers")
      try await withServer(options) { server in
        func header(_ bearer: String) -> String { "Authorization: Bearer \(bearer)\r\n" }
        let bodies = try ([1...20, 21...40] as [ClosedRange<UInt64>]).map { try $0.map { try merchant.token($0) } }
        // Twelve lines, and a part of the next one.
        let begun = lines(Array(bodies[0].prefix(12))).count + 1_000
        let clients = try zip([withdrawn, kept], bodies).map { bearer, bodies in
          let client = try Client(server.address)
          client.beginLines(length: lines(bodies).count, headers: header(bearer))
          client.send(Array(lines(bodies)[..<begun]))
          return client
        }
        #expect(await eventually { server.metrics.accepted == 24 })
        try merchant.folder.write("\(kept)\n", to: "bearers")
        try server.reloadKeys()
        for (client, bodies) in zip(clients, bodies) { client.send(Array(lines(bodies)[begun...])) }
        let outcomes = try clients.map { try #require($0.receive()).outcomes() }
        #expect(outcomes[0] == (1...20).map { Outcome($0, $0 <= 12 ? "accepted" : "unknownCaller") })
        #expect(outcomes[1] == (1...20).map { Outcome($0, "accepted") })
        #expect(server.metrics.submitted == 32)
        #expect(
          try request(server.address, "POST", "/decrypt", bodies[0][12], headers: header(withdrawn)).status == 401)
        // The store does not know the refused lines.
        let rest = try linesRequest(
          server.address, lines(Array(bodies[0].dropFirst(12))), headers: lineType + header(kept))
        #expect(try rest.outcomes() == (1...8).map { Outcome($0, "accepted") })
      }
    }
  }
}
