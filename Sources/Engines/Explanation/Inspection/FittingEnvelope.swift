import Gateways
import PaymentToken
import ReferenceDecryption

/// The one known envelope that has a request's shape (rule 0.9).
struct FittingEnvelope {
  let name: String
  /// Where its token is, as people write paths; nil when that cannot be told, or the request is the token.
  let place: String?

  /// Nil when none or several fit, or the request is no JSON.
  init?(_ request: Span<UInt8>) {
    var trace = Trace()
    let extracted = try? ReferenceDecryptor.extract(request, from: .automatic, trace: &trace)
    if let name = TraceFacts(trace).envelope {
      self.name = name
      place = trace.facts.compactMap { if case .tokenPlace(let route) = $0 { route.path.dotted } else { nil } }.first
      return
    }
    // What fits none is read as the token, which it need not look like.
    guard extracted != nil, let text = TokenText(request), NestedToken.isToken(text.members) else { return nil }
    name = Envelope.apple.name
    place = nil
  }
}
