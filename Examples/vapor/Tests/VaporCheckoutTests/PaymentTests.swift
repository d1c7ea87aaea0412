import FastDecryption
import Minting
import PaymentToken
import Testing
import Vapor

@testable import VaporCheckout

/// Calls the handler with requests of the stand-ins in Stubs.
@Suite struct PaymentTests {
  @Test func `a token is opened once and refusals have their status`() async throws {
    let now = UnixTime(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
    let minter = try Minter(seed: 20, at: now)
    let engine = try FastDecryptor(keys: try minter.merchantKeySet(), anchors: minter.anchors)
    let service = try TokenService(engine, replay: MemoryReplayStore(capacity: 16))
    let routes = PaymentRoutes(service: service) { order in
      order == "1" ? Expectations(currencyCode: "978", transactionAmount: 1_250) : nil
    }
    let app = try await Application.make()
    try app.register(collection: routes)
    let route = try #require(app.routes.first)
    #expect(route.path == ["orders", ":order", "payment"])

    let token = try minter.mint().bytes
    func request(_ order: String, _ body: [UInt8]?) -> Request {
      Request(parameters: ["order": order], collectedBody: body.map(ByteBuffer.init(bytes:)))
    }
    func refusal(_ request: Request) async -> Abort? {
      await #expect(throws: Abort.self) { try await route.respond(request) }
    }

    let answer = try #require(try await route.respond(request("1", token)) as? PaymentAnswer)
    #expect(answer.amount == 1_250)

    let again = request("1", token)
    let replayed = try #require(await refusal(again))
    #expect(replayed.status.code == 422 && replayed.reason == "replayedTransaction")
    #expect(replayed.headers["Retry-After"].isEmpty)
    #expect(again.logger.lines == ["token refused: replayedTransaction (stage 14)"])
    #expect(await refusal(request("2", token))?.status == .notFound)
    #expect(await refusal(request("1", nil))?.status == .badRequest)
    #expect(await refusal(request("1", [0x7B]))?.status.code == 422)

    await service.stop()
    let late = try #require(await refusal(request("1", token)))
    #expect(late.status.code == 503 && late.headers["Retry-After"] == ["1"])
  }
}
