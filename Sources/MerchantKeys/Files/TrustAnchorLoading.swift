public import PaymentToken

extension TrustAnchors {
  /// Loads root certificates from PEM (any number a file) or DER. One that comes twice is one root.
  ///
  /// - Throws: what reading a file throws; `privateKeyAmongRoots` when one holds a private key.
  public static func load(files: [KeyFile]) throws(KeyError) -> TrustAnchors {
    var certificates: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    for file in files {
      let contents = try KeyFileContents(file)
      guard contents.keys.isEmpty else { throw KeyError(.privateKeyAmongRoots, file: file.name) }
      for certificate in contents.certificates where seen.insert(certificate.der).inserted {
        certificates.append(certificate.der)
      }
    }
    return TrustAnchors(certificates: certificates)
  }
}
