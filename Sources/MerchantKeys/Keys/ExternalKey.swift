public import PaymentToken

/// A P-256 key whose private half is kept elsewhere: its point, and who is asked for shared secrets.
public struct ExternalKey: Sendable {
  /// 04 ‖ x ‖ y, 65 octets.
  public let publicKey: [UInt8]
  /// Asked once a token, in stage 11.
  public let agreement: any KeyAgreement

  /// A key by its point, 04 ‖ x ‖ y.
  ///
  /// - Throws: `KeyError.Code.unsupportedCurve` unless it is a point of P-256.
  public init(publicKey: [UInt8], agreement: any KeyAgreement) throws(KeyError) {
    guard EllipticCurve.p256.contains(publicKey) else { throw KeyError(.unsupportedCurve) }
    self.publicKey = publicKey
    self.agreement = agreement
  }

  /// The key that a payment processing certificate is for.
  ///
  /// - Throws: `KeyError.Code.unsupportedCurve` unless that is one of P-256.
  public init(of certificate: Certificate, agreement: any KeyAgreement) throws(KeyError) {
    guard case .p256(let point) = certificate.publicKey else { throw KeyError(.unsupportedCurve) }
    publicKey = point
    self.agreement = agreement
  }
}
