#if Redis

import CRedisTLS

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Authorities and the client's certificate, read for each connection, so that the files may be replaced.
struct TLSContext: ~Copyable {
  private let context: OpaquePointer

  /// - Throws: `ConfigurationError` that names the file that cannot be used.
  init(_ configuration: RedisReplayStore.Configuration) throws(RedisReplayStore.ConfigurationError) {
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw .init("There is no memory left for TLS.") }
    do throws(RedisReplayStore.ConfigurationError) {
      try Self.set(configuration, context)
    } catch {
      SSL_CTX_free(context)
      throw error
    }
    self.context = context
  }

  deinit {
    SSL_CTX_free(context)
  }

  private static func set(
    _ configuration: RedisReplayStore.Configuration, _ context: OpaquePointer
  ) throws(RedisReplayStore.ConfigurationError) {
    guard credistls_restrict(context) == 1 else { throw .init("OpenSSL has no TLS 1.2.") }
    if let file = configuration.authorityFile {
      guard SSL_CTX_load_verify_locations(context, file, nil) == 1 else {
        throw .init("The authority file has no certificate in PEM, or cannot be read.")
      }
    } else {
      guard SSL_CTX_set_default_verify_paths(context) == 1 else { throw .init("The system has no authorities.") }
    }
    guard let certificate = configuration.certificateFile, let key = configuration.keyFile else { return }
    guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
      throw .init("The client's certificate file has no certificate in PEM, or cannot be read.")
    }
    guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1, SSL_CTX_check_private_key(context) == 1
    else { throw .init("The client's key is not that of its certificate, is encrypted, or cannot be read.") }
  }

  /// A connection on a socket, to a server whose certificate must name `host`; nil if there is no memory.
  func connection(on socket: Int32, to host: String) -> OpaquePointer? {
    guard let connection = SSL_new(context) else { return nil }
    guard Self.expect(host, connection), SSL_set_fd(connection, socket) == 1 else {
      SSL_free(connection)
      return nil
    }
    SSL_set_connect_state(connection)
    return connection
  }

  private static func expect(_ host: String, _ connection: OpaquePointer) -> Bool {
    var address = in6_addr()
    let isAddress = inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
    if isAddress { return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), host) == 1 }
    SSL_set_hostflags(connection, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    // Server Name Indication, which does not exist for addresses (RFC 6066 3).
    return SSL_set1_host(connection, host) == 1 && credistls_set_server_name(connection, host) == 1
  }
}

#endif
