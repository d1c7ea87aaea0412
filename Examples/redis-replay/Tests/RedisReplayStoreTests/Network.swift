import Foundation
import Testing

/// Passes TCP connections on to a port of the loopback. The port can be changed, and connections held up and cut.
final class Relay: @unchecked Sendable {
  let port: Int
  private let lock = NSCondition()
  private var target: Int
  private var isFrozen = false
  private var open: [Int32] = []
  /// The number of bytes that clients still get, in all; Int.max for no limit.
  private var left = Int.max
  private let listener: Int32

  init(to target: Int) throws {
    self.target = target
    port = try freePort()
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    try #require(Self.withAddress(port) { bind(listener, $0, $1) } == 0 && listen(listener, 16) == 0)
    Foundation.Thread { [self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        pass(client)
      }
    }.start()
  }

  /// The address for a `RedisServer`.
  var address: String { "redis://127.0.0.1:\(port)" }

  /// Closes all connections. New ones go to `new`, if it is not nil.
  func cut(to new: Int? = nil) {
    lock.withLock {
      target = new ?? target
      for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
      open = []
      isFrozen = false
      lock.broadcast()
    }
  }

  /// Passes nothing on until `thaw` or `cut`, but still accepts new connections.
  func freeze() { lock.withLock { isFrozen = true } }

  func thaw() {
    lock.withLock {
      isFrozen = false
      lock.broadcast()
    }
  }

  /// Passes at most `bytes` more bytes to clients, in all, then closes a connection that has more to pass.
  func limitReplies(to bytes: Int) { lock.withLock { left = bytes } }

  func end() {
    cut()
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func pass(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var one: Int32 = 1
    for descriptor in [client, server] { setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4) }
    let target = lock.withLock { self.target }
    guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
      close(client)
      close(server)
      return
    }
    lock.withLock { open += [client, server] }
    Foundation.Thread { [self] in copy(client, server, isReply: false) }.start()
    Foundation.Thread { [self] in copy(server, client, isReply: true) }.start()
  }

  private func copy(_ from: Int32, _ to: Int32, isReply: Bool) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(from, &buffer, buffer.count)
      let (isOpen, part) = lock.withLock {
        while isFrozen { lock.wait() }
        let part = isReply ? min(count, left) : count
        if isReply, left < Int.max { left -= max(0, part) }
        return (open.contains(from), part)
      }
      guard count > 0, isOpen, Foundation.send(to, buffer, part, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }

  private static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}

/// A network namespace. A pair of virtual interfaces, which can be taken down, joins it to the test's own namespace.
final class NetworkNamespace {
  private let name = "assay-\(UInt16.random(in: 0...(.max)))"
  private let subnet = "10.\(Int.random(in: 64..<128)).\(Int.random(in: 0..<256))"
  private var interface: String { name + "a" }

  /// Whether this process may make one: it is root and has `ip`.
  static let isAvailable: Bool = (try? NetworkNamespace()) != nil
  static let comment: Comment = "network namespaces need root and ip (Debian: apt-get install iproute2)"

  init() throws {
    try run("ip", ["netns", "add", name])
    try run("ip", ["link", "add", interface, "type", "veth", "peer", "name", name + "b", "netns", name])
    try run("ip", ["address", "add", outer + "/24", "dev", interface])
    try run("ip", ["link", "set", interface, "up"])
    try run("ip", ["-n", name, "address", "add", inner + "/24", "dev", name + "b"])
    try run("ip", ["-n", name, "link", "set", name + "b", "up"])
    try run("ip", ["-n", name, "link", "set", "lo", "up"])
  }

  deinit {
    _ = try? run("ip", ["link", "delete", interface], mayFail: true)
    _ = try? run("ip", ["netns", "delete", name], mayFail: true)
  }

  /// The addresses of the test's side and of the namespace's side.
  var outer: String { subnet + ".1" }
  var inner: String { subnet + ".2" }
  /// The words before a command that runs there.
  var prefix: [String] { ["ip", "netns", "exec", name] }

  /// Cuts or restores the link. While it is cut, packets are lost without an error.
  func setLink(up isUp: Bool) throws {
    try run("ip", ["-n", name, "link", "set", name + "b", isUp ? "up" : "down"])
  }
}
