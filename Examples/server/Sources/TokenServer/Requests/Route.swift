import Gateways
import PaymentToken

/// What a path stands for.
enum Route: Hashable {
  /// Opens the token in a request of this kind.
  case decrypt(EnvelopeSelection)
  case metrics
  case ready
  case live

  /// The route of a path; nil where there is none.
  ///
  /// - Parameter gateway: what the query names, for `/decrypt` alone.
  static func find(_ path: String, gateway: String?) -> Result<Route, NotFound> {
    switch path {
    case "/metrics": return .success(.metrics)
    case "/ready": return .success(.ready)
    case "/live": return .success(.live)
    case "/decrypt": return decrypt(gateway ?? "auto")
    default:
      let prefix = "/decrypt/"
      guard path.hasPrefix(prefix), gateway == nil else { return .failure(.path) }
      return decrypt(String(path.dropFirst(prefix.count)))
    }
  }

  enum NotFound: Error {
    case path
    case gateway
  }

  /// The methods it knows, as the header Allow lists them.
  var methods: String {
    switch self {
    case .decrypt: "POST"
    case .metrics, .ready, .live: "GET, HEAD"
    }
  }

  /// Whether it knows a method; names are compared as they are (RFC 9110 section 9.1).
  func allows(_ method: String) -> Bool {
    switch self {
    case .decrypt: method == "POST"
    case .metrics, .ready, .live: method == "GET" || method == "HEAD"
    }
  }

  private static func decrypt(_ name: String) -> Result<Route, NotFound> {
    if name == "auto" { return .success(.decrypt(.automatic)) }
    guard let envelope = Envelope.named(name) else { return .failure(.gateway) }
    return .success(.decrypt(.named(envelope)))
  }
}
