import COpenSSL

/// An ECDSA signature value (SEC 1, 4.1.3) as two magnitudes.
package struct ECDSAValue: Hashable, Sendable {
  /// Big-endian, as long as the order.
  package var r: [UInt8]
  /// Big-endian, as long as the order.
  package var s: [UInt8]

  package init(r: [UInt8], s: [UInt8]) {
    self.r = r
    self.s = s
  }

  /// SEQUENCE of two INTEGERs (RFC 3279, 2.2.3).
  package var node: ASN1Node { .sequence([.unsigned(r), .unsigned(s)]) }
}

extension KeyPair {
  /// Signs a digest with a nonce that follows from key and digest, in the spirit of RFC 6979: the same bytes at every
  /// run.
  package func sign(digest: [UInt8]) throws(MintingError) -> ECDSAValue {
    let field = try ScalarField(curve)
    let wide = SignatureDigest.sha512.hash(scalar + digest) + SignatureDigest.sha512.hash(digest + scalar).prefix(18)
    let nonce = try field.reducedToKey(wide)
    guard let value = try field.sign(digest, nonce: nonce, by: scalar) else { throw .library("ECDSA") }
    return value
  }

  /// The order n, big-endian.
  package func order() throws(MintingError) -> [UInt8] {
    let group = try curve.group()
    var bytes = [UInt8](repeating: 0, count: curve.size)
    guard BN_bn2binpad(group.order, &bytes, Int32(bytes.count)) == Int32(bytes.count) else {
      throw .library("BN_bn2binpad")
    }
    return bytes
  }

  /// The other s of the same signature, n − s.
  package func negated(_ value: ECDSAValue) throws(MintingError) -> ECDSAValue {
    ECDSAValue(r: value.r, s: try ScalarField(curve).negated(value.s))
  }
}
