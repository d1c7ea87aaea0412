import PaymentToken

/// A card that belongs to nobody: its number begins like one that a card scheme or processor publishes for tests, and
/// ends with the check digit of ISO/IEC 7812-1 (Luhn).
public struct TestCard: Hashable, Sendable {
  /// The network of a card.
  @nonexhaustive
  public enum Network: String, Hashable, Sendable, CaseIterable {
    case visa, mastercard, amex, discover, jcb, diners, maestro, unionpay

    /// The first eight digits of published test numbers.
    fileprivate var prefixes: [String] {
      switch self {
      case .visa: ["41111111", "40128888"]
      case .mastercard: ["55555555", "52047400", "22230031"]
      case .amex: ["37828224", "37144963"]
      case .discover: ["60111111", "60110009"]
      case .jcb: ["35301113", "35660020"]
      case .diners: ["30569309", "38520000"]
      case .maestro: ["63040000", "67999989"]
      case .unionpay: ["62000000", "62263200"]
      }
    }

    fileprivate var digits: Int {
      switch self {
      case .amex: 15
      case .diners: 14
      case .visa, .mastercard, .discover, .jcb, .maestro, .unionpay: 16
      }
    }

    /// The electronic commerce indicator; some networks send none.
    fileprivate var eciIndicator: String? {
      switch self {
      case .visa: "7"
      case .amex, .discover, .jcb, .diners: "5"
      case .mastercard, .maestro, .unionpay: nil
      }
    }
  }

  /// 14 to 16 digits.
  public let accountNumber: String
  /// YYMMDD, the last day of a month.
  public let expirationDate: String
  /// One digit, or none.
  public let eciIndicator: String?

  /// A card of a network, or of any, drawn from the stream. It expires two to nine years after `year`.
  public init(_ network: Network? = nil, after year: Int, from stream: inout SeededGenerator) {
    let all = Network.allCases
    let drawn = all[Int.random(in: 0..<all.count, using: &stream)]
    let network = network ?? drawn
    var digits = network.prefixes[Int.random(in: 0..<network.prefixes.count, using: &stream)]
    while digits.count < network.digits - 1 { digits += String(Int.random(in: 0...9, using: &stream)) }
    accountNumber = digits + (0...9).map(String.init).filter { TestCard.hasCheckDigit(digits + $0) }.joined()
    let expiry = year + Int.random(in: 2...9, using: &stream)
    let month = Int.random(in: 1...12, using: &stream)
    expirationDate = [expiry % 100, month, UnixTime.days(inMonth: month, of: expiry)]
      .map { ($0 < 10 ? "0" : "") + String($0) }.joined()
    eciIndicator = network.eciIndicator
  }

  /// Whether digits end with their check digit: every second one from the right is doubled, and the digits of all sum
  /// up to a multiple of ten (ISO/IEC 7812-1, annex B).
  public static func hasCheckDigit(_ number: String) -> Bool {
    var sum = 0
    for (index, byte) in number.utf8.reversed().enumerated() {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return false }
      let value = Int(byte - UInt8(ascii: "0")) * (index.isMultiple(of: 2) ? 1 : 2)
      sum += value > 9 ? value - 9 : value
    }
    return !number.isEmpty && sum.isMultiple(of: 10)
  }

  /// Whether a number begins like a published test number.
  public static func isInTestRange(_ number: String) -> Bool {
    Network.allCases.contains { $0.prefixes.contains { number.hasPrefix($0.prefix(6)) } }
  }
}
