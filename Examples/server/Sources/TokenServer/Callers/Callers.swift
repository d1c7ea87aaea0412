/// Who may have tokens opened, as far as files say it: replaced as a whole when they are read again.
final class Callers: Sendable {
  /// Nil for whoever reaches the server.
  let bearerTokens: BearerTokens?
  /// Nil for no TLS.
  let certificate: ServerCertificate?

  /// Reads the files.
  ///
  /// - Throws: `KeyLoadingError` that names the file.
  init(_ files: KeyFileNames) throws(KeyLoadingError) {
    bearerTokens = try files.bearerTokens.map { path throws(KeyLoadingError) in try BearerTokens(reading: path) }
    guard let certificate = files.tlsCertificate, let key = files.tlsKey else {
      self.certificate = nil
      return
    }
    self.certificate = try ServerCertificate(
      certificate: certificate, key: key, clientAuthority: files.clientAuthority)
  }

  /// Whether a request may have a token opened.
  func admit(_ head: RequestHead) -> Bool {
    guard let bearerTokens else { return true }
    return head.bearer.map { bearerTokens.contain($0) } ?? false
  }
}
