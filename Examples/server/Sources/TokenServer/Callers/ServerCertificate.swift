import CMicrohttpd
import MerchantKeys
import PaymentToken

/// The server's certificate with its key, and the authorities for clients' certificates. A connection keeps those with
/// which it began.
///
/// `@unchecked Sendable`: nothing changes between `init` and `deinit`; GnuTLS shares credentials among sessions.
final class ServerCertificate: @unchecked Sendable {
  private let credentials: gnutls_certificate_credentials_t
  /// Whether clients must have a certificate.
  private let demandsClient: Bool
  /// When the server's own certificate expires.
  let expiry: UnixTime

  init(certificate: String, key: String, clientAuthority: String?) throws(KeyLoadingError) {
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    let paths = [("--tls-cert", certificate), ("--tls-key", key), ("--client-ca", clientAuthority)]
    for case (let option, let path?) in paths { files.append(try KeyFile(reading: path, for: option, password: nil)) }
    demandsClient = clientAuthority != nil
    var made: gnutls_certificate_credentials_t?
    var (end, culprit) = (Int64(0), Int32(0))
    let failure = Self.withData(of: files) {
      cmicrohttpd_load_certificate(&made, $0, $0 + 1, clientAuthority == nil ? nil : $0 + 2, &end, &culprit)
    }
    guard failure == 0, let made else {
      let reason = gnutls_strerror(failure).map { String(cString: $0) } ?? ""
      let named = zip(paths, files).map { "\($0.0) \($1.name)" }
      let pair = named[..<2].joined(separator: " with ")
      let culprits = files.indices.contains(Int(culprit)) ? named[Int(culprit)] : pair
      throw KeyLoadingError(message: "\(culprits) cannot be used for TLS: \(reason)")
    }
    credentials = made
    expiry = UnixTime(secondsSinceEpoch: end)
  }

  deinit { gnutls_certificate_free_credentials(credentials) }

  /// Sets the certificate for a new connection. Without one, the connection's handshake fails.
  func hold(for connection: OpaquePointer) {
    guard let session = cmicrohttpd_session(connection) else { return }
    _ = cmicrohttpd_set_certificate(session, credentials, demandsClient ? 1 : 0)
  }

  /// Why a client, whose handshake was earlier or under another certificate, would now fail a handshake under this
  /// certificate; nil if it would succeed.
  func refusal(of connection: OpaquePointer) -> Answer? {
    guard demandsClient else { return nil }
    guard let session = cmicrohttpd_session(connection) else { return .clientUnknown }
    let problems = cmicrohttpd_problems_under(session, credentials)
    if problems == 0 { return nil }
    return problems & GNUTLS_CERT_EXPIRED.rawValue == 0 ? .clientUnknown : .clientExpired
  }

  /// The first time later than `time` at which a certificate of a client's chain expires, in seconds since 1970.
  func expiry(of connection: OpaquePointer, after time: Int64) -> Int64 {
    guard demandsClient, let session = cmicrohttpd_session(connection) else { return .max }
    return cmicrohttpd_client_expiry(session, time)
  }

  /// Whether the client's certificate has one of `names`.
  static func isClient(of connection: OpaquePointer, oneOf names: [String]) -> Bool {
    guard let session = cmicrohttpd_session(connection) else { return false }
    return names.contains { cmicrohttpd_client_is(session, $0) != 0 }
  }

  /// Calls `body` with an array of the files' bytes, in the order of `files`.
  private static func withData(
    of files: [KeyFile], _ found: [gnutls_datum_t] = [], _ body: (UnsafePointer<gnutls_datum_t>) -> Int32
  ) -> Int32 {
    guard found.count < files.count else {
      return found.withUnsafeBufferPointer { $0.baseAddress.map(body) ?? -1 }
    }
    return files[found.count].bytes.withUnsafeBufferPointer { bytes in
      let data = gnutls_datum_t(data: UnsafeMutablePointer(mutating: bytes.baseAddress), size: UInt32(bytes.count))
      return withData(of: files, found + [data], body)
    }
  }
}
