import Gateways
import PaymentToken

/// The requests in which `assay decrypt --output` sends a payment on.
enum OutgoingRequest {
  case worldline, mastercard

  /// Why there is none, a sentence.
  struct Refusal: Error {
    let message: String
  }

  /// The body for an accepted token, its fields carried over from the request that brought it.
  static func body(
    _ target: OutgoingRequest, for outcome: DecryptOutcome, request: [UInt8]
  ) -> Result<[UInt8], Refusal> {
    switch outcome {
    case .accepted(let token, _):
      do {
        return .success(try target.json(token, try orderFields(of: request, in: token.envelope)).text())
      } catch {
        return .failure(error)
      }
    case .unsigned:
      return .failure(Refusal(message: "cannot be sent on: nobody signed the token."))
    case .rejected(let fault):
      return .failure(Refusal(message: "rejected: \(fault.description). \(fault.code.advice)"))
    }
  }

  private func json(_ token: DecryptedToken, _ order: OrderFields) throws(Refusal) -> JSONValue {
    do {
      return switch self {
      case .worldline: try WorldlinePayment(token, order).json
      case .mastercard: try MastercardPayment(token, order).json
      }
    } catch {
      throw Refusal(message: "cannot be sent on: \(error.rawValue). \(error.advice)")
    }
  }

  private static func orderFields(of request: [UInt8], in envelope: String) throws(Refusal) -> OrderFields {
    guard let envelope = Envelope.named(envelope) else { return OrderFields() }
    do {
      return try OrderFields(of: request.span, in: envelope)
    } catch {
      throw Refusal(message: "cannot be sent on: \(error.sentence).")
    }
  }
}
