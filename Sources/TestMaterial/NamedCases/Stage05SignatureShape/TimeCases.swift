import Minting
import PaymentToken

/// Rule 5.12: times, in the signature and in certificates.
extension CaseList {
  private typealias Form = @Sendable (String, String) -> ASN1Node

  /// Each makes a malformed time from a valid `YYMMDDhhmmssZ` and `YYYYMMDDhhmmssZ`.
  private static let malformed: [(name: String, make: Form)] = [
    ("utc-time-without-seconds", { short, _ in .utcTime(String(short.prefix(10)) + "Z") }),
    ("utc-time-with-an-offset", { short, _ in .utcTime(String(short.prefix(12)) + "+0000") }),
    ("utc-time-without-z", { short, _ in .utcTime(String(short.prefix(12))) }),
    ("utc-time-with-a-small-z", { short, _ in .utcTime(String(short.prefix(12)) + "z") }),
    ("utc-time-with-a-byte-after-it", { short, _ in .utcTime(short + " ") }),
    ("utc-time-with-four-digits-of-the-year", { _, long in .utcTime(long) }),
    ("utc-time-with-a-fraction", { short, _ in .utcTime(String(short.prefix(12)) + ".0Z") }),
    ("utc-time-with-a-space", { short, _ in .utcTime(" " + short.dropFirst()) }),
    ("utc-time-with-a-sign", { short, _ in .utcTime("+" + short.dropFirst()) }),
    ("utc-time-empty", { _, _ in .utcTime("") }),
    ("utc-time-of-month-0", { short, _ in .utcTime(short.prefix(2) + "0001000000Z") }),
    ("utc-time-of-month-13", { short, _ in .utcTime(short.prefix(2) + "1301000000Z") }),
    ("utc-time-of-day-0", { short, _ in .utcTime(short.prefix(2) + "0100000000Z") }),
    ("utc-time-of-january-32", { short, _ in .utcTime(short.prefix(2) + "0132000000Z") }),
    ("utc-time-of-april-31", { short, _ in .utcTime(short.prefix(2) + "0431000000Z") }),
    ("utc-time-of-february-30", { _, _ in .utcTime("280230000000Z") }),
    ("utc-time-of-february-29-in-a-common-year", { _, _ in .utcTime("270229000000Z") }),
    ("utc-time-of-hour-24", { short, _ in .utcTime(short.prefix(6) + "240000Z") }),
    ("utc-time-of-minute-60", { short, _ in .utcTime(short.prefix(6) + "006000Z") }),
    ("utc-time-of-second-60", { short, _ in .utcTime(short.prefix(6) + "235960Z") }),
    ("utc-time-of-month-0-and-a-colon", { short, _ in .utcTime(short.prefix(2) + "0:01000000Z") }),
    ("utc-time-of-day-0-and-a-colon", { short, _ in .utcTime(short.prefix(4) + "0:000000Z") }),
    ("utc-time-of-hour-1-and-a-colon", { short, _ in .utcTime(short.prefix(6) + "1:0000Z") }),
    ("utc-time-of-minute-4-and-a-letter", { short, _ in .utcTime(short.prefix(8) + "4A00Z") }),
    ("utc-time-of-second-0-and-a-slash", { short, _ in .utcTime(short.prefix(10) + "0/Z") }),
    ("generalized-time-of-year-202-and-a-colon", { _, long in .generalizedTime("202:" + long.dropFirst(4)) }),
    ("generalized-time-of-two-digits-of-the-year", { short, _ in .generalizedTime(short) }),
    ("generalized-time-without-seconds", { _, long in .generalizedTime(String(long.prefix(12)) + "Z") }),
    ("generalized-time-with-a-fraction", { _, long in .generalizedTime(String(long.prefix(14)) + ".5Z") }),
    ("generalized-time-without-z", { _, long in .generalizedTime(String(long.prefix(14))) }),
    ("generalized-time-with-an-offset", { _, long in .generalizedTime(String(long.prefix(14)) + "+0100") }),
    ("generalized-time-of-february-29-in-2100", { _, _ in .generalizedTime("21000229000000Z") }),
    ("generalized-time-of-second-60", { _, long in .generalizedTime(long.prefix(8) + "235960Z") }),
    ("time-as-an-octet-string", { short, _ in .octetString(Array(short.utf8)) }),
    ("time-as-a-printable-string", { short, _ in .printableString(short) }),
    ("time-as-an-integer", { _, _ in .integer(1_700_000_000) }),
  ]

  mutating func addTimeCases() {
    for (name, make) in CaseList.malformed {
      reject("5.12", .standing(.apple, .rfc(5652, "11.3"), .strictness, "signing-time-\(name)"), .malformedSignature) {
        draft in
        let time = draft.layers.signedAt
        draft.layers.signatureRecipe.signingTime = make(time.utcTimeText, time.generalizedTimeText)
        try draft.sign()
      }
      date("leaf-not-after-\(name)", 1, make, \.leafRecipe.notAfter)
    }
    for (name, make) in CaseList.malformed.prefix(6) {
      date("leaf-not-before-\(name)", -1, make, \.leafRecipe.notBefore)
      date("intermediate-not-before-\(name)", -1, make, \.intermediateRecipe.notBefore)
    }
    addLeapSecondCases()
    accept("5.12", "signing-time-as-generalized-time") {
      try $0.sign { $0.signatureRecipe.signingTime = .generalizedTime($0.signedAt.generalizedTimeText) }
    }
    accept("5.12", "validity-as-generalized-time-before-2050") { draft in
      let time = draft.minter.time
      try draft.leaf {
        $0.notBefore = .generalizedTime(time.advanced(by: -86_400).generalizedTimeText)
        $0.notAfter = .generalizedTime(time.advanced(by: 86_400).generalizedTimeText)
      }
    }
    leaf("5.12", .standing(.apple, .rfc(5280, "4.1.2.5"), .interoperability, "leaf-valid-from-1950-to-9999"), nil) {
      $0.notBefore = .utcTime("500101000000Z")
      $0.notAfter = .generalizedTime("99991231235959Z")
    }
    leaf("5.12", .standing(.apple, .rfc(5280, "4.1.2.5"), .interoperability, "leaf-valid-until-2049-by-utc-time"), nil)
    { $0.notAfter = .utcTime("491231235959Z") }
    leaf("5.12", "leaf-valid-until-1950-by-utc-time", .certificateExpired) {
      $0.notBefore = .generalizedTime("19000101000000Z")
      $0.notAfter = .utcTime("500101000000Z")
    }
    accept("5.12", .standing(.apple, .rfc(5652, "11.3"), .interoperability, "signing-time-on-a-leap-day")) { draft in
      let years = draft.minter.time.civil.year + 1...draft.minter.time.civil.year + 8
      let leapYear = years.first { UnixTime.days(inMonth: 2, of: $0) == 29 } ?? 2_000
      guard let time = UnixTime(year: leapYear, month: 2, day: 29, hour: 23, minute: 59, second: 59) else {
        throw MintingError.recipe("no leap day")
      }
      draft.now = time
      try draft.leaf {
        $0.notBefore = .time(time.advanced(by: -1))
        $0.notAfter = .time(time.advanced(by: 1))
      }
      draft.layers.signedAt = time
      try draft.sign()
    }
  }

  /// A certificate has this date, some days after the minting time.
  private mutating func date(
    _ name: CaseName, _ days: Int64, _ make: @escaping Form,
    _ date: any WritableKeyPath<TestPKI, ASN1Node> & Sendable
  ) {
    reject("5.12", name, .malformedSignature) { draft in
      let time = draft.minter.time.advanced(by: days * 86_400)
      try draft.issueIntermediate { $0[keyPath: date] = make(time.utcTimeText, time.generalizedTimeText) }
    }
  }

  /// Second 60 in the dates that `addTimeCases` leaves out, and a leap second that really occurred.
  private mutating func addLeapSecondCases() {
    for (name, make) in CaseList.malformed where name.hasSuffix("-of-second-60") {
      date("leaf-not-before-\(name)", -1, make, \.leafRecipe.notBefore)
      date("intermediate-not-before-\(name)", -1, make, \.intermediateRecipe.notBefore)
      date("intermediate-not-after-\(name)", 1, make, \.intermediateRecipe.notAfter)
    }
    let leapSecond = ASN1Node.utcTime("161231235960Z")
    leafAndIntermediate("5.12", "not-before-the-leap-second-of-2016") { $0.notBefore = leapSecond }
    reject(
      "5.12", .standing(.apple, .rfc(5652, "11.3"), .strictness, "signing-time-in-the-leap-second-of-2016"),
      .malformedSignature
    ) {
      try $0.sign { $0.signatureRecipe.signingTime = leapSecond }
    }
  }
}

/// Rule 5.12: a digit is 0 to 9. A colon follows 9 in ASCII, and a reader that takes it for ten finds a sound time.
extension CaseList {
  mutating func addTimeDigitCases() {
    let (short, long) = ("401020102030Z", "20401020102030Z")
    leaf(
      "5.12", .standing(.apple, .rfc(5280, "4.1.2.5"), .interoperability, "leaf-not-after-of-utc-time-with-zeros"), nil
    ) { $0.notAfter = .utcTime(short) }
    leaf("5.12", "leaf-not-after-of-generalized-time-with-zeros", nil) { $0.notAfter = .generalizedTime(long) }
    for (index, name) in ["year", "month", "day", "hour", "minute", "second"].enumerated() {
      leaf("5.12", "leaf-not-after-of-utc-time-with-a-colon-in-its-\(name)") {
        $0.notAfter = .utcTime(CaseList.withColon(short, pair: index))
      }
    }
    for (index, name) in ["century", "year", "month", "day", "hour", "minute", "second"].enumerated() {
      leaf("5.12", "leaf-not-after-of-generalized-time-with-a-colon-in-its-\(name)") {
        $0.notAfter = .generalizedTime(CaseList.withColon(long, pair: index))
      }
    }
    let colons: [(CaseName, ASN1Node)] = [
      ("utc-time-that-begins-with-a-colon", .utcTime(":00102030405Z")),
      ("generalized-time-that-begins-with-a-colon", .generalizedTime(":0000102030405Z")),
    ]
    for (name, time) in colons { leaf("5.12", "leaf-not-before-of-\(name)") { $0.notBefore = time } }
    leaf("5.12", "leaf-not-after-of-generalized-time-whose-year-begins-with-a-colon") {
      $0.notAfter = .generalizedTime("20:00102030405Z")
    }
  }

  /// A pair of digits `x0` becomes `y:` with y = x − 1, which is the same number if a colon counts as ten.
  private static func withColon(_ text: String, pair: Int) -> String {
    var characters = Array(text.utf8)
    characters[2 * pair] -= 1
    characters[2 * pair + 1] = UInt8(ascii: ":")
    return String(decoding: characters, as: UTF8.self)
  }
}
