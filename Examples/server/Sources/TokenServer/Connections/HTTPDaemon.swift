import CMicrohttpd
import PaymentToken

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A daemon of libmicrohttpd: accepts connections, reads requests and sends answers on its own threads.
///
/// `@unchecked Sendable`: the library's functions that are called here may be called from any thread.
final class HTTPDaemon: @unchecked Sendable {
  let port: UInt16
  private let daemon: OpaquePointer
  /// The listening socket after `stopListening`; nil before it and after `stop`.
  private let listening = Guarded<Int32?>(nil)
  /// Kept alive for the library's callbacks, which point to it.
  private let listener: Listener

  /// Starts to listen and to answer. Nil if that fails; `errno` says why.
  init?(_ listener: Listener, on address: ListenAddress) {
    let (limits, connections) = (listener.handler.limits, listener.connections)
    let daemon = address.withSocketAddress { socketAddress in
      var settings = cmicrohttpd_settings(
        address: socketAddress, connection_memory: limits.head, connections: UInt32(connections.all),
        connections_per_address: UInt32(connections.perAddress), timeout_seconds: limits.timeout,
        threads: UInt32(limits.neededThreads(for: connections.all)),
        speaks_tls: listener.certificate == nil ? 0 : 1, handle: handleRequest, completed: noteCompletion,
        connection: noteConnection, target: noteTarget, context: Unmanaged.passUnretained(listener).toOpaque())
      return cmicrohttpd_start(&settings)
    }
    guard let daemon else { return nil }
    self.daemon = daemon
    self.listener = listener
    port = cmicrohttpd_port(daemon)
  }

  /// Accepts no more connections; those that are open stay.
  func stopListening() {
    listening.withLock { listening in
      guard listening == nil else { return }
      let socket = MHD_quiesce_daemon(daemon)
      // The socket must not be closed before the daemon ends. Without this call the kernel would still accept
      // connections, which nobody answers.
      if socket >= 0 { shutdown(socket, Int32(SHUT_RD)) }
      listening = socket
    }
  }

  /// Closes all connections, and ends the threads. Call it once, when the pool has no request left.
  func stop() {
    MHD_stop_daemon(daemon)
    listening.withLock { listening in
      if let socket = listening, socket >= 0 { close(socket) }
      listening = nil
    }
  }
}
