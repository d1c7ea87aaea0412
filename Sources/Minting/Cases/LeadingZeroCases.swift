import PaymentToken

/// Rules 10.1, 11.1 and 11.2: numbers far smaller than chance makes them, and keys that outlive their certificates.
extension CaseList {
  mutating func addLeadingZeroCases() {
    for count in [2, 3, 4, 8, 16, 31, 32] {
      accept("11.2", "shared-secret-of-\(count)-leading-zeros", note: "the device's point is made for it") {
        draft throws(MintingError) in
        // The point of the secret divided by the merchant's scalar.
        let scalar = draft.layers.merchantKey.pair.scalar
        let point = try draft.point(ofLeadingZeros: count, over: scalar)
        try draft.ephemeral(draft.layers.ephemeralPublicKey[..<26] + point, point: point)
      }
    }
    for count in [2, 8, 31] {
      accept("11.1", "ephemeral-key-whose-x-has-\(count)-leading-zeros") { draft throws(MintingError) in
        let one = [UInt8](repeating: 0, count: 31) + [1]
        let point = try draft.point(ofLeadingZeros: count, over: one)
        try draft.ephemeral(draft.layers.ephemeralPublicKey[..<26] + point, point: point)
      }
    }
    addMerchantCertificateDates()
  }

  /// Merchants' certificates are valid for two years in all, the leaves for five.
  private mutating func addMerchantCertificateDates() {
    let year = TestPKI.year
    for (name, offset) in [("that-has-expired", 2 * year), ("that-is-not-yet-valid", -3 * year / 4)] {
      let build: Build = { draft throws(MintingError) in
        draft.now = draft.minter.time.advanced(by: offset)
        draft.layers.signedAt = draft.now
        try draft.layers.sign()
      }
      let note = "the dates of a merchant's certificate are not looked at"
      accept("10.1", "for-a-merchant-s-certificate-\(name)", note: note, build)
      rsa("10.1", "for-a-merchant-s-certificate-\(name)", note: note, build)
    }
  }
}

extension CaseDraft {
  /// The point that times `scalar` is one whose x begins with that many zero octets and no more.
  fileprivate mutating func point(
    ofLeadingZeros count: Int, over scalar: [UInt8]
  ) throws(MintingError) -> [UInt8] {
    let field = try ScalarField()
    let zero = [UInt8](repeating: 0, count: 32)
    let one: [UInt8] = zero.dropLast() + [1]
    for _ in 0..<200 {
      var x: [UInt8] = Array(zero.prefix(count)) + stream.bytes(32 - count)
      if count < 32, x[count] == 0 { x[count] = 1 }
      // (s R − e G) / r with e = 0 and s = 1.
      if let point = try field.recoveredKey(digest: zero, r: scalar, s: one, pointX: x) { return point }
    }
    throw .recipe("no such point")
  }
}
