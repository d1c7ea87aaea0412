import Minting
import PaymentToken

/// Stage 11: the device's key, and what follows from it. All of these are signed.
extension CaseList {
  mutating func addEphemeralKeyCases() {
    addHeaderCases()
    addPointCases()
    addSharedSecretCases()
  }

  private mutating func key(
    _ name: String, _ code: TokenFault.Code? = .invalidEphemeralKey, _ edit: @escaping @Sendable (inout [UInt8]) -> Void
  ) {
    either("11.1", "ephemeral-key-\(name)", code) { draft in
      var bytes = draft.layers.ephemeralPublicKey
      edit(&bytes)
      try draft.ephemeral(bytes)
    }
  }

  private mutating func addHeaderCases() {
    for index in 0..<27 {
      key("with-a-bit-flipped-in-octet-\(index)") { $0[index] ^= 1 }
    }
    key("with-the-curve-prime239v1") { $0[22] = 4 }
    key("with-the-algorithm-ec-dh") { $0[10] = 3 }
    key("with-a-bit-string-of-one-unused-bit") { $0[25] = 1 }
    key("of-zeros-throughout") { $0 = zeros(91) }
    key("with-the-point-at-the-start") { $0 = Array($0[26...] + $0[..<26]) }
    for (name, first) in [
      ("compressed-even", UInt8(2)), ("compressed-odd", 3), ("at-infinity", 0), ("of-form-1", 1), ("of-form-5", 5),
      ("of-form-ff", 0xFF),
    ] { key("\(name)-of-full-length") { $0[26] = first } }
    for wrong in [false, true] {
      key("in-the-\(wrong ? "wrong-" : "")hybrid-form") { $0[26] = wrong ? 7 - ($0[90] & 1) : 6 + ($0[90] & 1) }
    }
    reject("11.1", "ephemeral-key-on-secp256k1-of-full-length", .invalidEphemeralKey) { draft in
      let pair = try KeyPair(.secp256k1, from: &draft.stream)
      try draft.ephemeral(Array(draft.layers.ephemeralPublicKey.prefix(26)) + pair.point)
    }
    reject("11.1", "ephemeral-key-with-a-long-length-and-a-shorter-point", .invalidEphemeralKey) { draft in
      let info = draft.minter.merchants[0].keys[0].pair.publicKeyInfo.encoded
      try draft.ephemeral([0x30, 0x81, 0x59] + info[2..<90])
    }
    reject("4.3", "ephemeral-key-with-explicit-parameters", .invalidLength, .ephemeralPublicKey, note: "forgery K") {
      draft in
      let info = ASN1Node.sequence([
        .sequence([OID.ecPublicKey, ExplicitParameters.p256]), .bitString(draft.layers.ephemeral.point),
      ])
      try draft.ephemeral(info.encoded, point: draft.layers.ephemeral.point)
    }
  }

  private mutating func addPointCases() {
    key("off-the-curve-by-the-last-bit-of-y") { $0[90] ^= 1 }
    key("off-the-curve-by-the-last-bit-of-x") { $0[58] ^= 1 }
    key("with-coordinates-swapped") { $0 = Array($0[..<27] + $0[59...] + $0[27..<59]) }
    key("of-coordinates-0-0") { $0 = $0[..<27] + zeros(64) }
    key("of-coordinates-1-1") { $0 = $0[..<27] + (zeros(31) + [1] + zeros(31) + [1]) }
    key("of-coordinates-ff") { $0 = $0[..<27] + [UInt8](repeating: 0xFF, count: 64) }
    key("with-x-the-prime") { $0 = $0[..<27] + ExplicitParameters.prime + $0[59...] }
    key("with-y-the-prime") { $0 = $0[..<59] + ExplicitParameters.prime }
    key("with-x-the-prime-where-0-would-do") { $0 = $0[..<27] + ExplicitParameters.prime + SmallPoints.zero.suffix(32) }
    key("with-x-above-the-prime-and-congruent", .invalidEphemeralKey) {
      // A true point whose x is small, written with the prime added: a reader that reduces x accepts it.
      $0 = $0[..<27] + SmallPoints.fivePlusPrime + SmallPoints.five.suffix(32)
    }
    for (name, point) in [("x-0", SmallPoints.zero), ("x-5", SmallPoints.five)] {
      accept("11.1", "ephemeral-key-of-\(name)") { draft in
        try draft.ephemeral(draft.layers.ephemeralPublicKey[..<26] + point, point: point)
      }
    }
    accept("11.1", "ephemeral-key-that-is-the-merchant-s-own") { draft in
      try draft.layers.replaceEphemeral(with: draft.layers.merchantKey.pair)
    }
    accept("11.1", "ephemeral-key-that-is-the-generator") { draft in
      try draft.layers.replaceEphemeral(with: try KeyPair(.p256, wideScalar: [0]))
    }
    for (name, index) in [("x", 1), ("y", 33)] {
      accept("11.1", "ephemeral-key-whose-\(name)-begins-with-a-zero-octet") { draft in
        try draft.searchEphemeral { $0.point[index] == 0 }
      }
    }
  }

  private mutating func addSharedSecretCases() {
    accept(
      "11.2", "shared-secret-that-begins-with-a-zero-octet",
      note: "forgery I, which is none: readers that drop the zero fail"
    ) {
      try $0.searchSecret { $0[0] == 0 }
    }
    accept("11.2", "shared-secret-that-ends-with-a-zero-octet") { try $0.searchSecret { $0[31] == 0 } }
    accept("11.2", "shared-secret-that-begins-with-a-high-octet") { try $0.searchSecret { $0[0] >= 0x80 } }
  }
}

extension CaseDraft {
  /// Takes device keys from the stream until the secret shared with the merchant fits.
  mutating func searchSecret(_ fits: ([UInt8]) -> Bool) throws {
    let merchant = layers.merchantKey.pair.point
    try searchEphemeral { try fits($0.sharedSecret(with: merchant)) }
  }

  /// Takes device keys from the stream until one fits.
  fileprivate mutating func searchEphemeral(_ fits: (KeyPair) throws -> Bool) throws {
    for _ in 0..<20_000 {
      let pair = try KeyPair(.p256, from: &stream)
      if try fits(pair) { return try layers.replaceEphemeral(with: pair) }
    }
    throw MintingError.recipe("no such key")
  }
}

/// Points of P-256 with small x, and x with the prime added.
enum SmallPoints {
  static let zero =
    [4] + zeros(32)
    + ExplicitParameters.number("66485C780E2F83D72433BD5D84A06BB6541C2AF31DAE871728BF856A174F93F4")
  static let five =
    [4] + zeros(31) + [5]
    + ExplicitParameters.number("459243B9AA581806FE913BCE99817ADE11CA503C64D9A3C533415C083248FBCC")
  static let fivePlusPrime = ExplicitParameters.number(
    "FFFFFFFF00000001000000000000000000000001000000000000000000000004")
}
