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
    _ name: CaseName, _ code: TokenFault.Code? = .invalidEphemeralKey,
    _ edit: @escaping @Sendable (inout [UInt8]) -> Void
  ) {
    either("11.1", "ephemeral-key-\(name)", code) { draft in
      var bytes = draft.layers.ephemeralPublicKey
      edit(&bytes)
      try draft.ephemeral(bytes)
    }
  }

  private mutating func addHeaderCases() {
    for index in 0..<27 {
      key(.standing(.apple, .apple, .strictness, "with-a-bit-flipped-in-byte-\(index)")) { $0[index] ^= 1 }
    }
    key(.standing(.apple, .apple, .strictness, "with-the-curve-prime239v1")) { $0[22] = 4 }
    key(.standing(.apple, .rfc(5480, "2.1.2"), .choice, "with-the-algorithm-ec-dh")) { $0[10] = 3 }
    key(.standing(.apple, .apple, .strictness, "with-a-bit-string-of-one-unused-bit")) { $0[25] = 1 }
    key("of-zeros-throughout") { $0 = zeros(91) }
    key(.standing(.apple, .apple, .strictness, "with-the-point-at-the-start")) { $0 = Array($0[26...] + $0[..<26]) }
    for (name, first) in [
      ("compressed-even", UInt8(2)), ("compressed-odd", 3), ("at-infinity", 0), ("of-form-1", 1), ("of-form-5", 5),
      ("of-form-ff", 0xFF),
    ] { key(.standing(.apple, .apple, .strictness, "\(name)-of-full-length")) { $0[26] = first } }
    for wrong in [false, true] {
      key(.standing(.apple, .apple, .strictness, "in-the-\(wrong ? "wrong-" : "")hybrid-form")) {
        $0[26] = wrong ? 7 - ($0[90] & 1) : 6 + ($0[90] & 1)
      }
    }
    reject("11.1", "ephemeral-key-on-secp256k1-of-full-length", .invalidEphemeralKey) { draft in
      let pair = try KeyPair(.secp256k1, from: &draft.stream)
      try draft.ephemeral(Array(draft.layers.ephemeralPublicKey.prefix(26)) + pair.point)
    }
    reject(
      "11.1", .standing(.apple, .apple, .strictness, "ephemeral-key-with-a-long-length-and-a-shorter-point"),
      .invalidEphemeralKey
    ) { draft in
      let info = draft.minter.merchants[0].keys[0].pair.publicKeyInfo.encoded
      try draft.ephemeral([0x30, 0x81, 0x59] + info[2..<90])
    }
    reject(
      "4.3", .standing(.apple, .rfc(5480, "2.1.1"), .strictness, "ephemeral-key-with-explicit-parameters"),
      .invalidLength, .ephemeralPublicKey, note: "forgery K"
    ) {
      try $0.ephemeral(parameters: ExplicitParameters.p256)
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
      // A point of the curve with a small x, to which the prime is added. The data is not encrypted for it: a decryptor
      // that reduces x fails at the tag.
      $0 = $0[..<27] + SmallPoints.fivePlusPrime + SmallPoints.five.suffix(32)
    }
    for (name, point) in [
      (.with(.leadingZero, "x-0"), SmallPoints.zero), ("x-5", SmallPoints.five),
    ] as [(CaseName, [UInt8])] {
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
      accept("11.1", .with(.leadingZero, "ephemeral-key-whose-\(name)-begins-with-a-zero-byte")) { draft in
        try draft.searchEphemeral { $0.point[index] == 0 }
      }
    }
  }

  private mutating func addSharedSecretCases() {
    accept(
      "11.2", .with(.leadingZero, "shared-secret-that-begins-with-a-zero-byte"),
      note: "forgery I: the token is valid, but decryptors that drop the zero fail"
    ) {
      try $0.searchSecret { $0[0] == 0 }
    }
    accept("11.2", "shared-secret-that-ends-with-a-zero-byte") { try $0.searchSecret { $0[31] == 0 } }
    accept("11.2", "shared-secret-that-begins-with-a-high-byte") { try $0.searchSecret { $0[0] >= 0x80 } }
  }
}

extension CaseDraft {
  /// Takes ephemeral keys from the stream until the secret shared with the merchant fits.
  mutating func searchSecret(_ fits: ([UInt8]) -> Bool) throws {
    let merchant = layers.merchantKey.pair.point
    try searchEphemeral { try fits($0.sharedSecret(with: merchant)) }
  }

  /// Takes ephemeral keys from the stream until one fits.
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

/// Rules 11.1 and 11.2: points constructed for each case.
extension CaseList {
  /// Secrets and coordinates that begin with more zero bytes than random ones do.
  mutating func addLeadingZeroCases() {
    for count in [2, 3, 4, 8, 16, 31, 32] {
      accept(
        "11.2", .with(.leadingZero, "shared-secret-of-\(count)-leading-zeros"),
        note: "the device's point is chosen for it"
      ) { draft in
        // The point of the secret divided by the merchant's scalar.
        let scalar = draft.layers.merchantKey.pair.scalar
        let point = try draft.point(ofLeadingZeros: count, over: scalar)
        try draft.ephemeral(draft.layers.ephemeralPublicKey[..<26] + point, point: point)
      }
    }
    for count in [2, 8, 31] {
      accept("11.1", .with(.leadingZero, "ephemeral-key-whose-x-has-\(count)-leading-zeros")) { draft in
        let one = zeros(31) + [1]
        let point = try draft.point(ofLeadingZeros: count, over: one)
        try draft.ephemeral(draft.layers.ephemeralPublicKey[..<26] + point, point: point)
      }
    }
  }

  /// Points of other curves y² = x³ − 3x + b, on which the formulas of P-256 compute as well: they never use b. Each
  /// answer reveals the merchant's scalar modulo the order of the point.
  mutating func addInvalidCurveCases() {
    for (name, coordinates) in CaseList.invalidPoints {
      reject(
        "11.1", "ephemeral-key-\(name)", .invalidEphemeralKey,
        note: "the data is encrypted with the point's own x, which unchecked arithmetic yields for some scalars"
      ) { draft in
        let coordinates = ExplicitParameters.number(coordinates)
        draft.layers.ephemeralPublicKey.replaceSubrange(27..., with: coordinates)
        try draft.seal(withSecret: Array(coordinates.prefix(32)))
        try draft.sign()
      }
    }
  }

  /// The coordinates, x and y.
  private static let invalidPoints: Named<String> = [
    "of-order-2-on-an-invalid-curve":
      "0000000000000000000000000000000000000000000000000000000000000005"
      + "0000000000000000000000000000000000000000000000000000000000000000",
    "of-order-3-on-an-invalid-curve":
      "0000000000000000000000000000000000000000000000000000000000000006"
      + "7FF941862F6F542F5876F5E0DEE8DAEA8E62107045285E8EC03E1A7343ED5110",
    "of-order-4-on-an-invalid-curve":
      "7B0187141CD370277C64A3B91C32CA4A969D9904BB5EB8EB6D1786597F47B075"
      + "1BE4AEB3C4822D1F2BD4F2CD1201052199A12F5C9F164A79B55B3A57E5D8E96E",
    "of-order-5-on-an-invalid-curve":
      "0000000000000000000000000000000000000000000000000000000000000007"
      + "7B406476F6D6B92C9566055D31D966C74C5AF2D5324504073D2F353D7B2F9939",
    "of-order-6-on-an-invalid-curve":
      "BFA42437D64B98E8087761B1F9942F6CA66C173960E1058D7956144B499D1D70"
      + "052F50214FB9F55607F48AF904CAC80459B2E92C3F00355040061CAE12297C37",
    "of-order-7-on-an-invalid-curve":
      "3284DDA63ED39EB3DC94CC21CA2E85B4E068A4CB2DE79A4DB20A553ED0BC1B58"
      + "BC2EB23E62C516D5916494E12F294525AA8306A79B10EA484FA0791B9267247B",
    "of-order-8-on-an-invalid-curve":
      "783F098B75B33D63D4A6097D6E76E65A26A38698104D5D5FF1CFA0E4D4D8755C"
      + "FE50D91BE4A13CEB3440D47D916D737A4AA70EDA391046D0BC69893B69326F71",
    // y² = x³ − 3x − b, to which the twist is isomorphic, since −1 is no square.
    "on-the-twist":
      "0000000000000000000000000000000000000000000000000000000000000001"
      + "E1C326485E55A67E45DD8348B4C99E8CA0A77D9150889F19A2D39DBC8C3D7CFA",
    // −y² = x³ − 3x + b: the curve has no point of this x, its twist has.
    "of-an-x-that-the-twist-alone-has":
      "0000000000000000000000000000000000000000000000000000000000000001"
      + "DE17B2671045FE58740248C17A8BD2FB2EF7C3C49B01DA9F903EFA3DCDA669C7",
  ]
}

extension CaseDraft {
  /// The point that, multiplied by `scalar`, has an x with exactly `count` leading zero bytes.
  fileprivate mutating func point(ofLeadingZeros count: Int, over scalar: [UInt8]) throws -> [UInt8] {
    let field = try ScalarField()
    let zero = zeros(32)
    let one: [UInt8] = zero.dropLast() + [1]
    for _ in 0..<200 {
      var x: [UInt8] = Array(zero.prefix(count)) + stream.bytes(32 - count)
      if count < 32, x[count] == 0 { x[count] = 1 }
      // (s R − e G) / r with e = 0 and s = 1.
      if let point = try field.recoveredKey(digest: zero, r: scalar, s: one, pointX: x) { return point }
    }
    throw MintingError.recipe("no such point")
  }
}
