/// The members of the payload's `paymentData`. `PayloadFields` checks them once the payment's type is known.
struct PaymentDataFields {
  let onlinePaymentCryptogram: PayloadValue
  let eciIndicator: PayloadValue
  let emvData: PayloadValue
  let encryptedPINData: PayloadValue

  /// Reads the object at the scanner's position, at nesting 2.
  init(_ scanner: inout JSONScanner) throws(MalformedJSON) {
    let values = try scanner.values(
      of: ["onlinePaymentCryptogram", "eciIndicator", "emvData", "encryptedPINData"], depth: 2)
    onlinePaymentCryptogram = values[0]
    eciIndicator = values[1]
    emvData = values[2]
    encryptedPINData = values[3]
  }
}

/// The value of a payload member.
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

  /// The string. The member must be present and a string.
  func required() throws(MalformedJSON) -> JSONString {
    guard case .string(let string) = self else { throw MalformedJSON() }
    return string
  }

  /// The string, or nil if the member is absent. Any other type is rejected.
  func optional() throws(MalformedJSON) -> JSONString? {
    if case .absent = self { return nil }
    return try required()
  }
}

extension JSONScanner {
  /// Reads an object whose names must be unique, and returns the values of the members with these names.
  @inline(__always)
  mutating func values<let count: Int>(
    of names: InlineArray<count, StaticString>, depth: Int
  ) throws(MalformedJSON) -> InlineArray<count, PayloadValue> {
    var values = InlineArray<count, PayloadValue>(repeating: .absent)
    var seen = MemberNames()
    var more = try enterObject()
    while more {
      let name = try memberName()
      try seen.countMember()
      var index: Int?
      for known in names.indices where name.equals(names[known], in: input) {
        index = known
        break
      }
      let isRepeated = if let index { seen.repeats(known: index) } else { seen.repeats(name, in: input) }
      guard !isRepeated else { throw MalformedJSON() }
      let value = try PayloadValue(&self, depth: depth)
      if let index { values[index] = value }
      more = try continuesObject()
    }
    return values
  }
}
