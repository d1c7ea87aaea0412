import PaymentToken

/// The members of the token object and its `header`, before they are checked.
struct TokenMembers: Sendable {
  // Smaller than `RequestMembers.Value`: nine are written for each token.
  private enum Value: Sendable, BitwiseCopyable {
    case absent
    case string(JSONString)
    case object
    case other
  }

  /// Indexed by `Self.index(of:)`.
  private var values = InlineArray<9, Value>(repeating: .absent)
  // The first repetition of a name in the text.
  private(set) var hasRepeatedName = false
  private(set) var repeatedMember: TokenMember?

  mutating func scan(_ token: Span<UInt8>) throws(MalformedJSON) {
    var scanner = JSONScanner(token)
    scanner.skipWhitespace()
    try scanObject(&scanner, isHeader: false)
    try scanner.expectEnd()
  }

  private mutating func scanObject(_ scanner: inout JSONScanner, isHeader: Bool) throws(MalformedJSON) {
    var names = MemberNames()
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      try names.countMember()
      let member = TokenMember.named(name, inHeader: isHeader, of: scanner.input)
      let repeated =
        if let member { names.repeats(known: Self.index(of: member)) } else {
          names.repeats(name, in: scanner.input)
        }
      if repeated, !hasRepeatedName {
        hasRepeatedName = true
        repeatedMember = member
      }
      let value = try scanValue(&scanner, isHeaderObject: member == .header, depth: isHeader ? 2 : 1)
      if let member, !repeated { values[Self.index(of: member)] = value }
      more = try scanner.continuesObject()
    }
  }

  private mutating func scanValue(
    _ scanner: inout JSONScanner, isHeaderObject: Bool, depth: Int
  ) throws(MalformedJSON) -> Value {
    switch scanner.next {
    case UInt8(ascii: "\""):
      return .string(try scanner.string())
    case UInt8(ascii: "{") where isHeaderObject:
      try scanObject(&scanner, isHeader: true)
      return .object
    default:
      try scanner.skipValue(depth: depth)
      return .other
    }
  }

  private static func index(of member: TokenMember) -> Int {
    switch member {
    case .version: 0
    case .data: 1
    case .signature: 2
    case .header: 3
    case .ephemeralPublicKey: 4
    case .wrappedKey: 5
    case .publicKeyHash: 6
    case .transactionId: 7
    case .applicationData: 8
    }
  }

  /// Sets the value of a member to that of a part.
  mutating func set(_ member: TokenMember, to value: RequestMembers.Value) {
    values[Self.index(of: member)] =
      switch value {
      case .absent: .absent
      case .string(let string): .string(string)
      case .object: .object
      case .number, .other: .other
      }
  }

  // MARK: Presence and type. Methods here, because the struct is too large to be passed around.

  @inline(__always)
  func isAbsent(_ member: TokenMember) -> Bool {
    if case .absent = values[Self.index(of: member)] { return true }
    return false
  }

  @inline(__always)
  func requiredString(_ member: TokenMember) throws(TokenFault) -> JSONString {
    switch values[Self.index(of: member)] {
    case .string(let string): return string
    case .absent: throw TokenFault(.missingMember, member: member)
    case .object, .other: throw TokenFault(.wrongType, member: member)
    }
  }

  /// Nil when the member is absent (3.4).
  @inline(__always)
  func optionalString(_ member: TokenMember) throws(TokenFault) -> JSONString? {
    isAbsent(member) ? nil : try requiredString(member)
  }

  /// Decides 3.1 for `header`.
  @inline(__always)
  func requireHeader() throws(TokenFault) {
    switch values[Self.index(of: .header)] {
    case .object: return
    case .absent: throw TokenFault(.missingMember, member: .header)
    case .string, .other: throw TokenFault(.wrongType, member: .header)
    }
  }
}

extension TokenMember {
  /// The member with this name, compared byte by byte after unescaping; nil if there is none.
  ///
  /// - Parameter inHeader: true for a name in the token's `header`, false for a name in the token object.
  @inline(__always)
  public static func named(_ name: JSONString, inHeader: Bool, of input: Span<UInt8>) -> TokenMember? {
    if inHeader {
      if name.equals("ephemeralPublicKey", in: input) { return .ephemeralPublicKey }
      if name.equals("publicKeyHash", in: input) { return .publicKeyHash }
      if name.equals("transactionId", in: input) { return .transactionId }
      if name.equals("applicationData", in: input) { return .applicationData }
      return name.equals("wrappedKey", in: input) ? .wrappedKey : nil
    }
    if name.equals("data", in: input) { return .data }
    if name.equals("version", in: input) { return .version }
    if name.equals("signature", in: input) { return .signature }
    return name.equals("header", in: input) ? .header : nil
  }
}
