import FastDecryption
import Foundation
import Hummingbird
import Minting
import PaymentToken
import Testing

@testable import HummingbirdCheckout

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
    let respond = try #require(routes.router().routes["orders/:order/payment"])

    let token = try minter.mint().bytes
    let context = BasicRequestContext(parameters: ["order": "1"])
    func request(_ body: [UInt8]) -> Request { Request(body: RequestBody(buffer: ByteBuffer(bytes: body))) }
    func refusal(_ body: [UInt8], _ context: BasicRequestContext) async -> HTTPError? {
      await #expect(throws: HTTPError.self) { try await respond(request(body), context) }
    }

    let answer = try #require(try await respond(request(token), context) as? PaymentAnswer)
    #expect(answer.amount == 1_250)

    let replayed = try #require(await refusal(token, context))
    #expect(replayed.status.code == 422 && replayed.body == "replayedTransaction")
    #expect(replayed.headers[.retryAfter] == nil)
    #expect(context.logger.lines == ["token refused: replayedTransaction (stage 14)"])
    #expect(await refusal(token, BasicRequestContext(parameters: ["order": "2"]))?.status == .notFound)
    #expect(await refusal([0x7B], context)?.status.code == 422)
    let tooLarge = [UInt8](repeating: 0x20, count: TokenService.largestBody + 1)
    await #expect(throws: NIOTooManyBytesError.self) { try await respond(request(tooLarge), context) }

    try await PoolService(pool: service.pool, logger: context.logger).run()
    let late = try #require(await refusal(token, context))
    #expect(late.status.code == 503 && late.headers[.retryAfter] == "1")
  }
}
