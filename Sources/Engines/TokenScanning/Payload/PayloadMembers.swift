/// The members of the payload object, before `PayloadFields` checks their values (Docs/Verification.md 13.1).
struct PayloadMembers {
  private(set) var accountNumber: JSONString?
  private(set) var expirationDate: JSONString?
  private(set) var currencyCode: JSONString?
  private(set) var transactionAmount: Range<Int>?
  private(set) var cardholderName: JSONString?
  private(set) var deviceManufacturerIdentifier: JSONString?
  private(set) var paymentDataType: JSONString?
  private(set) var paymentData: PaymentDataFields?
  private(set) var authenticationResponses: Range<Int>?
  private(set) var merchantTokenIdentifier: JSONString?
  private(set) var merchantTokenMetadata: Range<Int>?

  private enum Member: Int, CaseIterable {
    case accountNumber, expirationDate, currencyCode, transactionAmount, cardholderName
    case deviceManufacturerIdentifier, paymentDataType, paymentData, authenticationResponses
    case merchantTokenIdentifier, merchantTokenMetadata

    var name: StaticString {
      switch self {
      case .accountNumber: "applicationPrimaryAccountNumber"
      case .expirationDate: "applicationExpirationDate"
      case .currencyCode: "currencyCode"
      case .transactionAmount: "transactionAmount"
      case .cardholderName: "cardholderName"
      case .deviceManufacturerIdentifier: "deviceManufacturerIdentifier"
      case .paymentDataType: "paymentDataType"
      case .paymentData: "paymentData"
      case .authenticationResponses: "authenticationResponses"
      case .merchantTokenIdentifier: "merchantTokenIdentifier"
      case .merchantTokenMetadata: "merchantTokenMetadata"
      }
    }

    /// The member with this name. The search begins after the previous member, since most texts have this order.
    static func named(_ name: JSONString, after previous: Member?, in input: Span<UInt8>) -> Member? {
      let start = previous.map { $0.rawValue + 1 } ?? 0
      return named(name, from: start, in: input) ?? named(name, from: 0, in: input)
    }

    @inline(__always)
    private static func named(_ name: JSONString, from start: Int, in input: Span<UInt8>) -> Member? {
      var index = start
      while let member = Member(rawValue: index) {
        if name.equals(member.name, in: input) { return member }
        index += 1
      }
      return nil
    }
  }

  mutating func scan(_ plaintext: Span<UInt8>) throws(MalformedJSON) {
    var scanner = JSONScanner(plaintext)
    scanner.skipWhitespace()
    var names = MemberNames()
    var previous: Member?
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      try names.countMember()
      if let member = Member.named(name, after: previous, in: plaintext) {
        previous = member
        guard !names.repeats(known: member.rawValue) else { throw MalformedJSON() }
        try read(member, &scanner)
      } else {
        guard !names.repeats(name, in: plaintext) else { throw MalformedJSON() }
        try scanner.skipValue(depth: 1)
      }
      more = try scanner.continuesObject()
    }
    try scanner.expectEnd()
  }

  private mutating func read(_ member: Member, _ scanner: inout JSONScanner) throws(MalformedJSON) {
    switch member {
    case .accountNumber: accountNumber = try scanner.string()
    case .expirationDate: expirationDate = try scanner.string()
    case .currencyCode: currencyCode = try scanner.string()
    case .transactionAmount: transactionAmount = try scanner.number()
    case .cardholderName: cardholderName = try scanner.string()
    case .deviceManufacturerIdentifier: deviceManufacturerIdentifier = try scanner.string()
    case .paymentDataType: paymentDataType = try scanner.string()
    case .paymentData: paymentData = try PaymentDataFields(&scanner)
    case .authenticationResponses:
      let start = scanner.position
      try AuthenticationResponses.scan(&scanner)
      authenticationResponses = start..<scanner.position
    case .merchantTokenIdentifier: merchantTokenIdentifier = try scanner.string()
    case .merchantTokenMetadata:
      guard scanner.next == UInt8(ascii: "{") else { throw MalformedJSON() }
      let start = scanner.position
      try scanner.skipValue(depth: 1)
      merchantTokenMetadata = start..<scanner.position
    }
  }
}
