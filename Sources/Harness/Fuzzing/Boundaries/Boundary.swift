import PaymentToken
import TestCases

/// The rule of Docs/Verification.md for one member's content, with its limits. `Boundary.payload` and `Boundary.token`
/// are the tables from which mutations draw values next to each limit, and by which `Features` says on which side of
/// each limit a value is.
struct Boundary: Sendable {
  /// What the rule requires of the content, unescaped.
  enum Form: Sendable {
    /// Decimal digits, as many as the range allows.
    case digits(ClosedRange<Int>)
    /// YYMMDD.
    case date
    /// Hexadecimal of as many bytes as the range allows.
    case hexadecimal(ClosedRange<Int>)
    /// Base64 of as many bytes as the range allows.
    case base64(ClosedRange<Int>)
    /// One of these texts.
    case words([String])
    /// Any text.
    case text
    /// A JSON number by rule 13.3.
    case amount
    /// Another JSON value: one of `others`.
    case value
  }

  /// The rule's number.
  let rule: String
  /// The names that lead to the member.
  let path: [String]
  let form: Form
  /// Values that do not follow from the form, as JSON text: of other types and alphabets.
  let others: [String]

  init(_ rule: String, _ path: [String], _ form: Form, others: [String] = []) {
    self.rule = rule
    self.path = path
    self.form = form
    self.others = others
  }

  var isBase64: Bool { if case .base64 = form { true } else { false } }

  /// Stands for a limit that a rule leaves open.
  static let unlimited = 100_000

  /// The members of the payload.
  static let payload: [Boundary] = [
    Boundary(
      "13.2", ["applicationPrimaryAccountNumber"], .digits(12...19),
      others: ["\"\"", "\"411111111111111a\"", "\"４111111111111111\"", "4111111111111111"]),
    Boundary("13.2", ["applicationExpirationDate"], .date, others: ["\"\"", "\"30123a\"", "\"-11231\""]),
    Boundary("13.2", ["currencyCode"], .digits(3...3), others: ["\"\"", "\"97a\"", "\"٩٧٨\""]),
    Boundary("13.2", ["deviceManufacturerIdentifier"], .hexadecimal(1...32)),
    Boundary(
      "13.2", ["paymentDataType"], .words(["3DSecure", "EMV"]), others: ["\"3dsecure\"", "\"emv\"", "\"\""]),
    Boundary("13.3", ["transactionAmount"], .amount),
    Boundary("13.4", ["paymentData", "onlinePaymentCryptogram"], .base64(1...unlimited), others: base64Texts),
    Boundary("13.4", ["paymentData", "eciIndicator"], .digits(1...2), others: ["\"a\"", "\"٧\"", "7", "null"]),
    Boundary("13.4", ["paymentData", "emvData"], .base64(1...unlimited), others: base64Texts),
    Boundary(
      "13.4", ["paymentData", "encryptedPINData"], .hexadecimal(1...unlimited),
      others: ["null", "0", "{}", "\"\(String(repeating: "ab", count: 300))\""]),
    Boundary(
      "13.5", ["cardholderName"], .text, others: ["null", "0", "[]", "\"\(String(repeating: "N", count: 300))\""]),
    Boundary("13.5", ["merchantTokenIdentifier"], .text, others: ["null", "0", "{}"]),
    Boundary(
      "13.5", ["merchantTokenMetadata"], .value,
      others: ["{}", "null", "[]", "\"\"", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":[]}}", "{ }", "0"]),
    Boundary("13.5", ["authenticationResponses"], .value, others: PayloadResponses.texts),
  ]

  private static let base64Texts = ["====", "AA==AAAA", "AAAA====", "é===", "+\\/+\\/"].map { "\"\($0)\"" }

  /// The members of the token.
  static let token: [Boundary] = [
    Boundary("3.2", ["version"], .words(["EC_v1", "RSA_v1"])),
    Boundary("4.3", ["data"], .base64(17...unlimited)),
    Boundary("4.3", ["signature"], .base64(1...unlimited)),
    Boundary("4.3", ["header", "ephemeralPublicKey"], .base64(91...91)),
    Boundary("4.3", ["header", "wrappedKey"], .base64(256...512)),
    Boundary("4.3", ["header", "publicKeyHash"], .base64(32...32)),
    Boundary("4.3", ["header", "transactionId"], .hexadecimal(32...32)),
    Boundary("4.3", ["header", "applicationData"], .hexadecimal(32...32)),
  ]
}

// MARK: Values next to the limits

extension Boundary {
  /// Content at the edge of the rule: a length one off a limit, a character next to the alphabet, unused bits that are
  /// set.
  ///
  /// - Parameter current: the member's content, which hexadecimal and base64 forms edit in some cases.
  func content(near current: [UInt8]?, using random: inout QuickGenerator) -> [UInt8] {
    switch form {
    case .digits(let counts):
      let count = Self.length(counts, using: &random)
      return strange(Self.digits(count, from: Alphabet.decimal.members, using: &random), .decimal, using: &random)
    case .date: return CalendarEdges.date(using: &random)
    case .hexadecimal(let counts):
      var count = 2 * Self.length(counts, using: &random)
      if random.chance(4) { count = max(0, count + random.pick([-1, 1])) }
      let keeps = random.chance(2)
      let digits =
        keeps && current?.count == count
        ? current ?? [] : Self.digits(count, from: Alphabet.hexadecimal.members, using: &random)
      return strange(digits, .hexadecimal, using: &random)
    case .base64(let counts): return base64(counts, near: current, using: &random)
    case .words(let words):
      let word = Array(random.pick(words).utf8)
      return random.chance(3) ? word : ByteEdits.offByOne(word, using: &random)
    case .text: return random.pick(Self.texts)
    case .value: return Array(random.pick(others).utf8)
    case .amount: return AmountEdges.text(using: &random)
    }
  }

  /// A length at most one off either limit.
  private static func length(_ counts: ClosedRange<Int>, using random: inout QuickGenerator) -> Int {
    let edge = counts.upperBound == unlimited || random.chance(2) ? counts.lowerBound : counts.upperBound
    return max(0, edge + random.pick([-1, 0, 0, 1]))
  }

  private static func digits(_ count: Int, from digits: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    (0..<count).map { _ in random.pick(digits) }
  }

  /// Half of the time, replaces one character by one outside the alphabet.
  private func strange(_ text: [UInt8], _ alphabet: Alphabet, using random: inout QuickGenerator) -> [UInt8] {
    guard !text.isEmpty, random.chance(2) else { return text }
    var text = text
    text[Self.place(in: text.count, using: &random)] = alphabet.stranger(using: &random)
    return text
  }

  /// The first, the last or any place.
  private static func place(in count: Int, using random: inout QuickGenerator) -> Int {
    random.pick([0, count - 1, random.below(count), random.below(count)])
  }

  private func base64(
    _ counts: ClosedRange<Int>, near current: [UInt8]?, using random: inout QuickGenerator
  ) -> [UInt8] {
    func fresh(_ count: Int, _ random: inout QuickGenerator) -> [UInt8] {
      Array(Base64.encode(random.bytes(count)).utf8)
    }
    let length = Self.length(counts, using: &random)
    let kind = random.below(8)
    if kind < 2 { return fresh(length, &random) }
    // An edit of the existing content decodes to almost the value that the rest of the token requires.
    var text = current ?? []
    if text.isEmpty || random.chance(2) { text = fresh(max(1, counts.lowerBound) + random.below(3), &random) }
    switch kind {
    case 2: Base64Edits.setUnusedBits(&text, using: &random)
    case 3: text += Array(random.pick(["=", "==", "===", "A", "AA", "AAA", "A===", "AA==", "AAA="]).utf8)
    case 4:
      text[max(0, text.count - 1 - random.below(4))] = UInt8(ascii: "=")
    case 5: text = Array(text.dropLast(random.pick([1, 1, 2, 3])))
    default: text[Self.place(in: text.count, using: &random)] = Alphabet.base64.stranger(using: &random)
    }
    return text
  }

  private static let texts: [[UInt8]] = ["", "\u{0}", "\u{7F}", "é", "😀", "\u{10FFFF}", "\u{FFFF}", "\"\\/"].map {
    Array($0.utf8)
  }
}

extension Boundary {
  /// Writes the member with content at the edge of its rule, in some spelling.
  func write(to tree: inout JSONPiece, using random: inout QuickGenerator) {
    // Members of the other payment data type are ignored (13.4), so the type usually changes too.
    if path.first == "paymentData", !random.chance(4) { selectType(in: &tree) }
    if let other = random.pick(from: others), random.chance(3) {
      tree[path[...]] = .scalar(Array(other.utf8))
      return
    }
    let content = content(near: tree.content(at: path), using: &random)
    switch form {
    case .amount, .value: tree[path[...]] = .scalar(content)
    default: tree[path[...]] = StringSpelling.written(content, using: &random)
    }
  }

  /// Makes the payload one of the type that reads this member of `paymentData`.
  private func selectType(in tree: inout JSONPiece) {
    let isEMV = path.last == "emvData" || path.last == "encryptedPINData"
    let required = ["paymentData", isEMV ? "emvData" : "onlinePaymentCryptogram"]
    tree["paymentDataType"] = .string(isEMV ? "EMV" : "3DSecure")
    if tree[required[...]] == nil { tree[required[...]] = .string("AAAA") }
  }
}
