import FastDecryption
import Foundation
import Hummingbird
import PaymentToken

/// POST /orders/ID/payment: the body is an Apple Pay token, or the request of a gateway with one inside.
struct PaymentRoutes: Sendable {
  let service: TokenService
  /// What the shop expects of the payment for an order; nil if there is no such order.
  let expectations: @Sendable (String) async throws -> Expectations?

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.post("orders/:order/payment") { request, context in
      try await pay(request, context)
    }
    return router
  }

  func pay(_ request: Request, _ context: some RequestContext) async throws -> PaymentAnswer {
    let order = try context.parameters.require("order")
    guard let expected = try await expectations(order) else { throw HTTPError(.notFound) }
    // Throws 413 when the body is larger.
    let body = try await request.body.collect(upTo: TokenService.largestBody)
    let now = UnixTime(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
    do throws(DecryptionPool.Refusal) {
      let opened = try await service.open(Array(body.readableBytesView), at: now, for: expected)
      return PaymentAnswer(transaction: opened.transactionId, amount: opened.amount)
    } catch {
      context.logger.log(error)
      throw HTTPError(RefusalAnswer(error))
    }
  }
}

/// The answer to an opened token.
struct PaymentAnswer: ResponseEncodable, Equatable {
  let transaction: String
  let amount: Int64
}

extension HTTPError {
  init(_ answer: RefusalAnswer) {
    var headers = HTTPFields()
    if let seconds = answer.retryAfter { headers[.retryAfter] = String(seconds) }
    self.init(HTTPResponse.Status(code: answer.status), headers: headers, message: answer.reason)
  }
}
