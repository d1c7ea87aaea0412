import Gateways
import PaymentToken
import ReferenceDecryption

/// The one known envelope that a request matches (rule 0.9).
struct FittingEnvelope {
  let name: String
  /// The dotted path of its token; nil when it is unknown, or the request is the token.
  let place: String?

  /// Nil when no envelope or several match, or the request is not JSON.
  init?(_ request: Span<UInt8>) {
    var trace = Trace()
    let extracted = try? ReferenceDecryptor.extract(request, from: .automatic, trace: &trace)
    if let name = TraceFacts(trace).envelope {
      self.name = name
      place = trace.facts.compactMap { if case .tokenPlace(let route) = $0 { route.path.dotted } else { nil } }.first
      return
    }
    // A request that matches no envelope is read as the token, so check that it looks like one.
    guard extracted != nil, let text = TokenText(request), NestedToken.isToken(text.members) else { return nil }
    name = Envelope.apple.name
    place = nil
  }
}
