import Gateways
import MerchantKeys
import PaymentToken

/// The answers that are gateways' requests.
extension Answer {
  /// The request that sends a payment to a gateway. It has the decrypted payment if the gateway takes that, otherwise
  /// the token. Order details beside the token in the received request are copied, and must not contradict the token.
  ///
  /// - Parameter keys: the sets of which one opened the token.
  init(sending token: DecryptedToken, to gateway: Gateway, beside request: [UInt8], by keys: [MerchantKeySet]) {
    do {
      let body = try Self.body(token, gateway, request, keys)
      guard body.problems.isEmpty else {
        self.init(body.problems)
        return
      }
      var writer = AnswerWriter(capacity: body.text.count + 1)
      writer.write(body.text.span)
      writer.write("\n")
      self.init(.ok, writer.body())
    } catch {
      self.init(error)
    }
  }

  /// Why there is no request; a code and a sentence.
  private struct Refusal: Error {
    let code: String
    let message: String

    init(_ code: String, _ message: String) {
      self.code = code
      self.message = message
    }

    init(_ error: MappingError) { self.init(error.code, error.advice) }
  }

  private init(_ refusal: Refusal) {
    var writer = AnswerWriter(capacity: 512)
    writer.write("{\"schema\":\"assay.server/1\",\"error\":{\"code\":\"")
    writer.write(refusal.code)
    writer.write("\",\"message\":")
    writer.write(JSONText.quoted(refusal.message).span)
    writer.write("}}\n")
    self.init(.unprocessableContent, writer.body(), code: refusal.code)
  }

  private init(_ problems: [BodyProblem]) {
    var writer = AnswerWriter(capacity: 1_024)
    writer.write("{\"schema\":\"assay.server/1\",\"error\":{\"code\":\"incomplete\",\"message\":")
    writer.write("\"Token and request do not say all that the gateway demands.\",\"problems\":[")
    for (index, problem) in problems.enumerated() {
      if index > 0 { writer.write(",") }
      writer.write("{\"path\":")
      writer.write(JSONText.quoted(problem.path).span)
      writer.write(",\"expected\":")
      writer.write(JSONText.quoted(problem.expectation).span)
      writer.write("}")
    }
    writer.write("]}}\n")
    self.init(.unprocessableContent, writer.body(), code: "incomplete")
  }

  private static func body(
    _ token: DecryptedToken, _ gateway: Gateway, _ request: [UInt8], _ keys: [MerchantKeySet]
  ) throws(Refusal) -> OutgoingBody {
    let order = try order(token, request)
    if let merchant = order.merchantIdentifier {
      switch keys.lazy.compactMap({ $0.isToken(token, of: merchant) }).first {
      case true?: break
      case false?: throw Refusal("merchantDiffers", "The request names another merchant than the token is for.")
      case nil: throw Refusal("merchantUnknown", "The request names a merchant, and the key's is not known.")
      }
    }
    do {
      if let body = try gateway.body(of: .opened(token, preferring: nil), order) { return body }
      let found = try enclosed(request)
      if let body = try gateway.body(of: .token(found), order.resolved(with: token.payment)) { return body }
    } catch let error as MappingError {
      throw Refusal(error)
    } catch {
      throw Refusal("unreadable", "The token is not found in the request.")
    }
    throw Refusal("unknownGateway", "The gateway has no such request.")
  }

  private static func enclosed(_ request: [UInt8]) throws(TokenFault) -> EnclosedToken {
    try EnclosedToken.found(in: request.span, from: .automatic).token
  }

  private static func order(_ token: DecryptedToken, _ request: [UInt8]) throws(Refusal) -> OrderFields {
    guard let envelope = Envelope.named(token.envelope) else { return OrderFields() }
    do {
      return try OrderFields(of: request.span, in: envelope)
    } catch {
      throw Refusal("unreadable", "What stands beside the token is not as its gateway describes it.")
    }
  }
}
