import Gateways
import PaymentToken

/// How to open a token, and whether to answer with the payment or with a gateway's request.
struct Opening: Hashable, Sendable {
  /// The kind of request it comes in.
  let envelope: EnvelopeSelection
  /// The name of the gateway whose request is made of it; nil to answer with the payment.
  var gateway: String?
}

/// What a request for a path does.
enum Route: Hashable {
  /// Opens a token.
  case open(Opening)
  case metrics
  case ready
  case live

  /// The route of a path, or what was not found: the path or the gateway.
  ///
  /// - Parameter gateway: the query's `gateway`. `/decrypt` alone takes it; paths below `/decrypt/` and `/request/`
  ///   with one are not found.
  static func find(_ path: String, gateway: String?) -> Result<Route, NotFound> {
    switch path {
    case "/metrics": return .success(.metrics)
    case "/ready": return .success(.ready)
    case "/live": return .success(.live)
    case "/decrypt": return decrypt(gateway ?? "auto")
    default:
      let (opening, sending) = ("/decrypt/", "/request/")
      guard gateway == nil else { return .failure(.path) }
      if path.hasPrefix(opening) { return decrypt(String(path.dropFirst(opening.count))) }
      guard path.hasPrefix(sending) else { return .failure(.path) }
      return request(String(path.dropFirst(sending.count)))
    }
  }

  /// The first part of a path, such as `/decrypt` of `/decrypt/mpgs`; nil if it is not served, as it may be any text.
  static func firstPart(of path: String) -> String? {
    ["/decrypt", "/request", "/metrics", "/ready", "/live"].first { path == $0 || path.hasPrefix($0 + "/") }
  }

  enum NotFound: Error {
    case path
    case gateway
  }

  /// The methods it knows, as the header Allow lists them.
  var methods: String {
    switch self {
    case .open: "POST"
    case .metrics, .ready, .live: "GET, HEAD"
    }
  }

  /// Whether it allows a method. Names of methods are case-sensitive (RFC 9110 section 9.1).
  func allows(_ method: String) -> Bool {
    switch self {
    case .open: method == "POST"
    case .metrics, .ready, .live: method == "GET" || method == "HEAD"
    }
  }

  private static func decrypt(_ name: String) -> Result<Route, NotFound> {
    if name == "auto" { return .success(.open(Opening(envelope: .automatic))) }
    guard let envelope = Envelope.named(name) else { return .failure(.gateway) }
    return .success(.open(Opening(envelope: .named(envelope))))
  }

  private static func request(_ name: String) -> Result<Route, NotFound> {
    guard let gateway = Gateway.named(name), !gateway.outgoingBodies.isEmpty else { return .failure(.gateway) }
    return .success(.open(Opening(envelope: .automatic, gateway: name)))
  }
}
