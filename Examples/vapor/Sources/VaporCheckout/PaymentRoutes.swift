import FastDecryption
import PaymentToken
import Vapor

/// POST /orders/ID/payment: the body is an Apple Pay token, or the request of a gateway with one inside.
struct PaymentRoutes: RouteCollection {
  let service: TokenService
  /// What the shop expects of the payment for an order; nil if there is no such order.
  let expectations: @Sendable (String) async throws -> Expectations?

  func boot(routes: any RoutesBuilder) throws {
    let limit = ByteCount(value: TokenService.largestBody)
    routes.on(.POST, "orders", ":order", "payment", body: .collect(maxSize: limit)) { request in
      try await pay(request)
    }
  }

  func pay(_ request: Request) async throws -> PaymentAnswer {
    guard let order = request.parameters.get("order"), let expected = try await expectations(order) else {
      throw Abort(.notFound)
    }
    guard let body = request.body.data else { throw Abort(.badRequest) }
    let now = UnixTime(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
    do throws(DecryptionPool.Refusal) {
      let opened = try await service.open(Array(body.readableBytesView), at: now, for: expected)
      return PaymentAnswer(transaction: opened.transactionId, amount: opened.amount)
    } catch {
      request.logger.log(error)
      throw Abort(RefusalAnswer(error))
    }
  }
}

/// The answer to an opened token.
struct PaymentAnswer: Content, Equatable {
  let transaction: String
  let amount: Int64
}

extension Abort {
  init(_ answer: RefusalAnswer) {
    var headers = HTTPHeaders()
    if let seconds = answer.retryAfter { headers.add(name: "Retry-After", value: String(seconds)) }
    self.init(HTTPResponseStatus(statusCode: answer.status), headers: headers, reason: answer.reason)
  }
}
