#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A numeric address and a port: `127.0.0.1:8462`, `[::1]:8462`.
public struct ListenAddress: Hashable, Sendable {
  public let host: String
  /// Zero if the system chooses it.
  public let port: UInt16
  private let isIPv6: Bool

  /// Nil unless `text` is a numeric address and a port.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    let host = text[..<colon]
    isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
    self.host = String(isIPv6 ? host.dropFirst().dropLast() : host)
    self.port = port
    var bytes = in6_addr()
    guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, self.host, &bytes) == 1 else { return nil }
  }

  private init(host: String, port: UInt16) {
    self.host = host
    self.port = port
    isIPv6 = false
  }

  /// 127.0.0.1.
  public static func loopback(port: UInt16) -> ListenAddress { ListenAddress(host: "127.0.0.1", port: port) }

  /// Whether it is 127.… or `::1`, which other machines cannot reach. False for other spellings of `::1`.
  public var isLoopback: Bool { isIPv6 ? host == "::1" : host.hasPrefix("127.") }

  /// The address as text, with another port: the one that the system chose.
  func with(port: UInt16) -> String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Calls `body` with the address in the form that sockets take.
  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      return withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
      }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }
}
