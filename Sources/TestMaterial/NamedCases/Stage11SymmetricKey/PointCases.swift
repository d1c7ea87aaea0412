import Minting
import PaymentToken

/// Rules 11.1 and 11.2: points made to measure.
extension CaseList {
  /// Numbers far smaller than chance makes them.
  mutating func addLeadingZeroCases() {
    for count in [2, 3, 4, 8, 16, 31, 32] {
      accept("11.2", "shared-secret-of-\(count)-leading-zeros", note: "the device's point is made for it") { draft in
        // The point of the secret divided by the merchant's scalar.
        let scalar = draft.layers.merchantKey.pair.scalar
        let point = try draft.point(ofLeadingZeros: count, over: scalar)
        try draft.ephemeral(draft.layers.ephemeralPublicKey[..<26] + point, point: point)
      }
    }
    for count in [2, 8, 31] {
      accept("11.1", "ephemeral-key-whose-x-has-\(count)-leading-zeros") { draft in
        let one = zeros(31) + [1]
        let point = try draft.point(ofLeadingZeros: count, over: one)
        try draft.ephemeral(draft.layers.ephemeralPublicKey[..<26] + point, point: point)
      }
    }
  }

  /// Points of other curves y² = x³ − 3x + b, on which the formulas of P-256 compute as well: they never use b. Each answer
  /// tells the merchant's scalar modulo the order of the point.
  mutating func addInvalidCurveCases() {
    for (name, x, y) in CaseList.invalidPoints {
      reject(
        "11.1", "ephemeral-key-\(name)", .invalidEphemeralKey,
        note: "the data opens with the point's own x: what unchecked arithmetic makes of it, for some scalars"
      ) { draft in
        let x = ExplicitParameters.number(x)
        let point: [UInt8] = [4] + x + ExplicitParameters.number(y)
        draft.layers.ephemeralPublicKey.replaceSubrange(26..., with: point)
        draft.layers.data = try TokenEncryption.seal(
          draft.layers.plaintext,
          key: TokenEncryption.symmetricKey(sharedSecret: x, merchantHash: draft.layers.merchantHash))
        try draft.sign()
      }
    }
  }

  private static let invalidPoints: [(name: String, x: String, y: String)] = [
    (
      "of-order-2-on-an-invalid-curve", "0000000000000000000000000000000000000000000000000000000000000005",
      "0000000000000000000000000000000000000000000000000000000000000000"
    ),
    (
      "of-order-3-on-an-invalid-curve", "0000000000000000000000000000000000000000000000000000000000000006",
      "7FF941862F6F542F5876F5E0DEE8DAEA8E62107045285E8EC03E1A7343ED5110"
    ),
    (
      "of-order-4-on-an-invalid-curve", "7B0187141CD370277C64A3B91C32CA4A969D9904BB5EB8EB6D1786597F47B075",
      "1BE4AEB3C4822D1F2BD4F2CD1201052199A12F5C9F164A79B55B3A57E5D8E96E"
    ),
    (
      "of-order-5-on-an-invalid-curve", "0000000000000000000000000000000000000000000000000000000000000007",
      "7B406476F6D6B92C9566055D31D966C74C5AF2D5324504073D2F353D7B2F9939"
    ),
    (
      "of-order-6-on-an-invalid-curve", "BFA42437D64B98E8087761B1F9942F6CA66C173960E1058D7956144B499D1D70",
      "052F50214FB9F55607F48AF904CAC80459B2E92C3F00355040061CAE12297C37"
    ),
    (
      "of-order-7-on-an-invalid-curve", "3284DDA63ED39EB3DC94CC21CA2E85B4E068A4CB2DE79A4DB20A553ED0BC1B58",
      "BC2EB23E62C516D5916494E12F294525AA8306A79B10EA484FA0791B9267247B"
    ),
    (
      "of-order-8-on-an-invalid-curve", "783F098B75B33D63D4A6097D6E76E65A26A38698104D5D5FF1CFA0E4D4D8755C",
      "FE50D91BE4A13CEB3440D47D916D737A4AA70EDA391046D0BC69893B69326F71"
    ),
    // y² = x³ − 3x − b, to which the twist is isomorphic, since −1 is no square.
    (
      "on-the-twist", "0000000000000000000000000000000000000000000000000000000000000001",
      "E1C326485E55A67E45DD8348B4C99E8CA0A77D9150889F19A2D39DBC8C3D7CFA"
    ),
    // −y² = x³ − 3x + b: the curve has no point of this x, its twist has.
    (
      "of-an-x-that-the-twist-alone-has", "0000000000000000000000000000000000000000000000000000000000000001",
      "DE17B2671045FE58740248C17A8BD2FB2EF7C3C49B01DA9F903EFA3DCDA669C7"
    ),
  ]
}

extension CaseDraft {
  /// The point that times `scalar` is one whose x begins with that many zero bytes and no more.
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
