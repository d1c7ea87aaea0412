#if Redis

import CRedisTLS

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A non-blocking socket, with TLS or without.
final class Transport {
  typealias Failure = RedisReplayStore.Failure

  let socket: Int32
  private let tls: OpaquePointer?
  /// Whether the socket must become writable before anything else can be done.
  private(set) var isBlockedOnWriting = false

  /// Takes over a socket, which may still be connecting.
  init(socket: Int32, _ configuration: RedisReplayStore.Configuration) throws(Failure) {
    self.socket = socket
    guard configuration.server.usesTLS, case .tcp(let host, _) = configuration.server.endpoint else {
      tls = nil
      return
    }
    do {
      tls = try TLSContext(configuration).connection(on: socket, to: host)
    } catch {
      tls = nil
    }
    // The deinitializer closes the socket.
    guard tls != nil else { throw .tlsFailed }
  }

  deinit {
    if let tls {
      // Sends close_notify if the handshake was completed, and does not wait for the server's.
      if SSL_is_init_finished(tls) == 1 { SSL_shutdown(tls) }
      SSL_free(tls)
      ERR_clear_error()
    }
    close(socket)
  }

  /// Sends what the socket takes, and returns the number of bytes.
  func send(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int {
    isBlockedOnWriting = false
    guard let tls else { return try finish(write(socket, bytes.baseAddress, bytes.count), isWriting: true) }
    ERR_clear_error()
    return try finish(tls, SSL_write(tls, bytes.baseAddress, Int32(min(bytes.count, 1 << 20))))
  }

  /// Reads what was received, and returns the number of bytes; zero if there is nothing more.
  func receive(_ bytes: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    guard let tls else {
      let count = read(socket, bytes.baseAddress, bytes.count)
      if count == 0 { throw .closedByServer }
      return try finish(count, isWriting: false)
    }
    // The next `send` sets it again if it is blocked.
    isBlockedOnWriting = false
    ERR_clear_error()
    return try finish(tls, SSL_read(tls, bytes.baseAddress, Int32(bytes.count)))
  }

  private func finish(_ count: Int, isWriting: Bool) throws(Failure) -> Int {
    if count >= 0 { return count }
    switch errno {
    case EAGAIN, EWOULDBLOCK, EINTR:
      if isWriting { isBlockedOnWriting = true }
      return 0
    case let number: throw .unreachable(number)
    }
  }

  private func finish(_ tls: OpaquePointer, _ count: Int32) throws(Failure) -> Int {
    if count > 0 { return Int(count) }
    switch SSL_get_error(tls, count) {
    case SSL_ERROR_WANT_READ: return 0
    case SSL_ERROR_WANT_WRITE:
      isBlockedOnWriting = true
      return 0
    default:
      if SSL_is_init_finished(tls) == 1 { throw .closedByServer }
      throw SSL_get_verify_result(tls) == X509_V_OK ? .tlsFailed : .certificateRefused
    }
  }
}

/// An address of a server, resolved.
struct ResolvedAddress {
  private let family: Int32
  private let bytes: [UInt8]

  /// The addresses of a server. Blocks while names are looked up.
  static func all(of endpoint: RedisServer.Endpoint) throws(RedisReplayStore.Failure) -> [ResolvedAddress] {
    switch endpoint {
    case .unix(let path): return [unix(path)]
    case .tcp(let host, let port):
      var hints = addrinfo()
      hints.ai_socktype = streamType
      hints.ai_flags = AI_NUMERICSERV
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, port, &hints, &list) == 0 else { throw .nameNotFound }
      defer { freeaddrinfo(list) }
      var found: [ResolvedAddress] = []
      var next = list
      while let info = next?.pointee {
        let raw = UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen))
        found.append(ResolvedAddress(family: info.ai_family, bytes: Array(raw)))
        next = info.ai_next
      }
      if found.isEmpty { throw .nameNotFound }
      return found
    }
  }

  private static func unix(_ path: String) -> ResolvedAddress {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    memcpy(&address.sun_path, path, min(path.utf8.count, MemoryLayout.size(ofValue: address.sun_path) - 1))
    return ResolvedAddress(family: AF_UNIX, bytes: withUnsafeBytes(of: address) { Array($0) })
  }

  #if canImport(Glibc)
  private static let streamType = Int32(SOCK_STREAM.rawValue)
  #else
  private static let streamType = SOCK_STREAM
  #endif

  /// Begins to connect, and returns the socket, which becomes writable when it is connected.
  func connect() throws(RedisReplayStore.Failure) -> Int32 {
    let descriptor = socket(family, Self.streamType, 0)
    guard descriptor >= 0 else { throw .unreachable(errno) }
    var one: Int32 = 1
    if family != AF_UNIX {
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }
    guard Descriptor.prepare(descriptor), begin(descriptor) else {
      let number = errno
      close(descriptor)
      throw .unreachable(number)
    }
    return descriptor
  }

  private func begin(_ descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { raw in
      guard let start = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      #if canImport(Glibc)
      let status = Glibc.connect(descriptor, start, socklen_t(raw.count))
      #else
      let status = Darwin.connect(descriptor, start, socklen_t(raw.count))
      #endif
      return status == 0 || errno == EINPROGRESS
    }
  }

  /// The error of a connection that was begun; zero if there is none.
  static func error(of descriptor: Int32) -> Int32 {
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno
  }
}

#endif
