/// The members of the payload's `paymentData`, judged once the payment's type is known.
struct PaymentDataFields {
  var onlinePaymentCryptogram = PayloadValue.absent
  var eciIndicator = PayloadValue.absent
  var emvData = PayloadValue.absent
  var encryptedPINData = PayloadValue.absent

  /// Reads the object at the scanner's position, which stands at nesting 2.
  init(_ scanner: inout JSONScanner) throws(MalformedJSON) {
    var names = MemberNames()
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      try names.countMember()
      let input = scanner.input
      if name.equals("onlinePaymentCryptogram", in: input) {
        guard !names.repeats(known: 0) else { throw MalformedJSON() }
        onlinePaymentCryptogram = try PayloadValue(&scanner, depth: 2)
      } else if name.equals("eciIndicator", in: input) {
        guard !names.repeats(known: 1) else { throw MalformedJSON() }
        eciIndicator = try PayloadValue(&scanner, depth: 2)
      } else if name.equals("emvData", in: input) {
        guard !names.repeats(known: 2) else { throw MalformedJSON() }
        emvData = try PayloadValue(&scanner, depth: 2)
      } else if name.equals("encryptedPINData", in: input) {
        guard !names.repeats(known: 3) else { throw MalformedJSON() }
        encryptedPINData = try PayloadValue(&scanner, depth: 2)
      } else {
        guard !names.repeats(name, in: input) else { throw MalformedJSON() }
        try scanner.skipValue(depth: 2)
      }
      more = try scanner.continuesObject()
    }
  }
}

/// A member's value as far as the payload's rules ask.
enum PayloadValue {
  case absent
  case string(JSONString)
  case other

  init(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) {
    if scanner.next == UInt8(ascii: "\"") {
      self = .string(try scanner.string())
    } else {
      try scanner.skipValue(depth: depth)
      self = .other
    }
  }

  /// The string, which must be there.
  func required() throws(MalformedJSON) -> JSONString {
    guard case .string(let string) = self else { throw MalformedJSON() }
    return string
  }

  /// The string if the member is there; any other type is refused.
  func optional() throws(MalformedJSON) -> JSONString? {
    if case .absent = self { return nil }
    return try required()
  }
}
