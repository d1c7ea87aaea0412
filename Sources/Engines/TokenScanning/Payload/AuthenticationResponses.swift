import PaymentToken

/// The payload's `authenticationResponses`: an array of objects with three strings each (Docs/Verification.md 13.5).
enum AuthenticationResponses {
  private typealias Fields = (merchantIdentifier: JSONString, authenticationData: JSONString, amount: JSONString)

  /// Checks the array at the scanner's position.
  static func scan(_ scanner: inout JSONScanner) throws(MalformedJSON) {
    try forEach(&scanner) { _ in }
  }

  /// Copies an array that `scan` has checked.
  static func values(
    _ range: Range<Int>, in text: Span<UInt8>
  ) throws(MalformedJSON) -> [AuthenticationResponse] {
    var all: [Fields] = []
    var scanner = JSONScanner(text, at: range.lowerBound)
    try forEach(&scanner) { all.append($0) }
    var values: [AuthenticationResponse] = []
    for fields in all {
      values.append(
        AuthenticationResponse(
          merchantIdentifier: fields.merchantIdentifier.text(in: text),
          authenticationData: fields.authenticationData.text(in: text),
          transactionAmount: fields.amount.text(in: text)))
    }
    return values
  }

  private static func forEach(_ scanner: inout JSONScanner, _ body: (Fields) -> Void) throws(MalformedJSON) {
    var more = try scanner.enterArray()
    while more {
      let values = try scanner.values(of: ["merchantIdentifier", "authenticationData", "transactionAmount"], depth: 3)
      body((try values[0].required(), try values[1].required(), try values[2].required()))
      more = try scanner.continuesArray()
    }
  }
}
