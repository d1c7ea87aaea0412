import Foundation
import Synchronization

/// Passes TCP connections on to a port of the loopback. Each byte is sent a fixed time after it came, as if the server
/// were that far away. For systems without `netem`.
final class DelayingProxy: Sendable {
  let port: UInt16

  /// Nil if the system refuses a socket.
  init?(to target: UInt16, delay: Duration) {
    let listener = socket(AF_INET, Self.streamType, 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let address = UnsafeMutablePointer<sockaddr_in>.allocate(capacity: 1)
    defer { address.deallocate() }
    address.initialize(to: Self.loopback(0))
    let isListening = address.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
      bind(listener, raw, size) == 0 && listen(listener, 4) == 0 && getsockname(listener, raw, &size) == 0
    }
    guard isListening else { return nil }
    port = UInt16(bigEndian: address.pointee.sin_port)
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread { [size] in
      while true {
        let client = accept(listener, nil, nil)
        let server = socket(AF_INET, Self.streamType, 0)
        let status = withUnsafePointer(to: Self.loopback(target)) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, size) }
        }
        guard status == 0 else { continue }
        for (from, to) in [(client, server), (server, client)] { Self.pass(from, to, after: delay) }
      }
    }
  }

  private final class Chunks: Sendable {
    let waiting = Mutex<[(due: ContinuousClock.Instant, bytes: [UInt8])]>([])
  }

  private static func pass(_ from: Int32, _ to: Int32, after delay: Duration) {
    var one: Int32 = 1
    setsockopt(to, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let chunks = Chunks()
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { break }
        let due = ContinuousClock.now.advanced(by: delay)
        chunks.waiting.withLock { $0.append((due, Array(buffer[..<count]))) }
      }
      chunks.waiting.withLock { $0.append((.now, [])) }
    }
    Thread.detachNewThread {
      while true {
        guard let first = chunks.waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
          pause(.microseconds(20))
          continue
        }
        let left = ContinuousClock.now.duration(to: first.due)
        if left > .zero { pause(left) }
        guard !first.bytes.isEmpty, write(to, first.bytes, first.bytes.count) == first.bytes.count else { break }
      }
      shutdown(to, Int32(SHUT_RDWR))
    }
  }

  private static func pause(_ time: Duration) {
    var time = timespec(tv_sec: 0, tv_nsec: Int(time.components.attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  #if canImport(Glibc)
    private static let streamType = Int32(SOCK_STREAM.rawValue)
  #else
    private static let streamType = SOCK_STREAM
  #endif
}
