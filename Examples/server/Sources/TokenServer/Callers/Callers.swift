/// The sender of a request. Valid only within the library's callbacks about its connection.
struct Caller {
  /// Nil unless the request has one `Authorization`, with a bearer token.
  let bearer: BearerDigest?
  let connection: OpaquePointer
  let client: ClientConnection?

  /// Whether a certificate of its chain may have expired since the handshake.
  var mayHaveExpired: Bool { client?.mayHaveExpired(connection) ?? false }
}

/// The rules about who may have tokens opened, as read from files. Reading them again makes a new object.
final class Callers: Sendable {
  /// Nil if callers need none.
  let bearerTokens: BearerTokens?
  /// Nil for no TLS.
  let certificate: ServerCertificate?

  init(_ files: KeyFileNames) throws(KeyLoadingError) {
    bearerTokens = try files.bearerTokens.map { path throws(KeyLoadingError) in try BearerTokens(reading: path) }
    guard let certificate = files.tlsCertificate, let key = files.tlsKey else {
      self.certificate = nil
      return
    }
    self.certificate = try ServerCertificate(
      certificate: certificate, key: key, clientAuthority: files.clientAuthority)
  }

  /// Why a caller may have no token opened; nil if it may.
  func refusal(of caller: Caller) -> Answer? {
    if let bearerTokens, caller.bearer.map({ bearerTokens.contain($0) }) != true { return .unknownCaller }
    guard let certificate, certificate !== caller.client?.certificate || caller.mayHaveExpired else { return nil }
    if let refusal = certificate.refusal(of: caller.connection) { return refusal }
    caller.client?.passesExpiry(caller.connection)
    return nil
  }
}
