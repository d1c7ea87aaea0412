/// A client of the service that holds the merchant's private key.
protocol KeyService: Sendable {
  /// ECDH between the named key and a point of P-256 (04 ‖ x ‖ y): the x-coordinate of the product, big-endian.
  ///
  /// Blocks the calling thread. Throws if there is no answer within the timeout.
  func sharedSecret(of key: String, with point: [UInt8], timeout: Duration) throws -> [UInt8]
}
