import PaymentToken

/// The payload's `authenticationResponses`: an array of objects with three strings each (Docs/Verification.md 13.5).
enum AuthenticationResponses {
  private typealias Fields = (merchantIdentifier: JSONString, authenticationData: JSONString, amount: JSONString)

  /// Checks the array at the scanner's position.
  static func scan(_ scanner: inout JSONScanner) throws(MalformedJSON) {
    var more = try scanner.enterArray()
    while more {
      _ = try fields(&scanner)
      more = try scanner.continuesArray()
    }
  }

  /// Copies an array that `scan` has checked.
  static func values(
    _ range: Range<Int>, in text: Span<UInt8>
  ) throws(MalformedJSON) -> [AuthenticationResponse] {
    var values: [AuthenticationResponse] = []
    var scanner = JSONScanner(text, at: range.lowerBound)
    var more = try scanner.enterArray()
    while more {
      let fields = try fields(&scanner)
      values.append(
        AuthenticationResponse(
          merchantIdentifier: fields.merchantIdentifier.text(in: text),
          authenticationData: fields.authenticationData.text(in: text),
          transactionAmount: fields.amount.text(in: text)))
      more = try scanner.continuesArray()
    }
    return values
  }

  private static func fields(_ scanner: inout JSONScanner) throws(MalformedJSON) -> Fields {
    var names = MemberNames()
    var merchantIdentifier = PayloadValue.absent
    var authenticationData = PayloadValue.absent
    var amount = PayloadValue.absent
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      try names.countMember()
      let input = scanner.input
      if name.equals("merchantIdentifier", in: input) {
        guard !names.repeats(known: 0) else { throw MalformedJSON() }
        merchantIdentifier = try PayloadValue(&scanner, depth: 3)
      } else if name.equals("authenticationData", in: input) {
        guard !names.repeats(known: 1) else { throw MalformedJSON() }
        authenticationData = try PayloadValue(&scanner, depth: 3)
      } else if name.equals("transactionAmount", in: input) {
        guard !names.repeats(known: 2) else { throw MalformedJSON() }
        amount = try PayloadValue(&scanner, depth: 3)
      } else {
        guard !names.repeats(name, in: input) else { throw MalformedJSON() }
        try scanner.skipValue(depth: 3)
      }
      more = try scanner.continuesObject()
    }
    return (try merchantIdentifier.required(), try authenticationData.required(), try amount.required())
  }
}
