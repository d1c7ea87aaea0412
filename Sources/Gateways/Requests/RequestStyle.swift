/// How a request's JSON is written, which must not matter to any reader. Only `indentsToken` changes the token's JSON.
public struct RequestStyle: Hashable, Sendable {
  public enum Whitespace: Hashable, Sendable, CaseIterable {
    case none
    /// One line per member, indented by two spaces.
    case indented
    /// Up to three bytes of all four kinds wherever white space is allowed.
    case random
  }

  public var whitespace = Whitespace.none
  /// Whether the members of every object are shuffled.
  public var shufflesMembers = false
  /// The maximum number of unknown members added to each object.
  public var unknownSiblings = 0
  /// Escapes on average one in this many characters of names and strings; zero escapes only where required.
  public var escapesOneIn = 0
  /// Whether `/` is written as `\/`.
  public var escapesSolidus = false
  /// Whether the token's own JSON is broken into lines before it is enclosed; in a string these breaks are `\r\n\t`.
  public var indentsToken = false

  /// No white space, no needless escapes.
  public static let plain = RequestStyle()

  /// The plain style.
  public init() {}

  /// A random style.
  public static func random(using random: inout some RandomNumberGenerator) -> RequestStyle {
    var style = RequestStyle()
    style.whitespace = Whitespace.allCases.randomElement(using: &random) ?? .none
    style.shufflesMembers = Bool.random(using: &random)
    style.unknownSiblings = [0, 1, 4].randomElement(using: &random) ?? 0
    style.escapesOneIn = [0, 0, 64, 8, 2].randomElement(using: &random) ?? 0
    style.escapesSolidus = Bool.random(using: &random)
    style.indentsToken = Bool.random(using: &random)
    return style
  }

  /// A value's text in this style; equal generators give equal bytes.
  public func text(of value: JSONValue, using random: inout some RandomNumberGenerator) -> [UInt8] {
    var writer = StyledWriter(style: self)
    writer.space(using: &random)
    writer.write(value, depth: 0, using: &random)
    writer.space(using: &random)
    return writer.text
  }
}

/// Unknown members, which every reader must ignore.
enum UnknownSibling {
  /// Near misses of known names, and names that are hard to read.
  private static let names = [
    "Token", "paymentdata", "payment_data", "paymentData ", "PaymentId", "apple-pay", "payment_tokens", "wallet", "",
    "x", "metadata", "Zoë", "顧客", "👤", "\u{0}", "a\"b\\c/d", "\n", "__proto__",
  ]

  /// Valid JSON values; some look like known members one level too deep.
  private static let values = [
    "null", "true", "false", "0", "-0.0e-10", "1.5E+300", "12345678901234567890123", "\"\"", "\"\\u0000\"",
    "\"\\ud83d\\ude00 \\/ \\\"quoted\\\" {[,:\"", "\"}\"", "[]", "{}", "[[[[[[[[]]]]]]]]",
    "[1,\"two\",{\"three\":[null]}]",
    "{\"token\":{\"paymentData\":{\"version\":\"EC_v1\"}},\"paymentId\":\"1\"}",
    "{\"apple_pay\":{\"payment_token\":\"e30=\"},\"payment_method\":\"none\"}",
    "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"{}\"}}}}}",
    "{\"a\":1,\"a\":2,\"\\u0061\":3}", "[\"" + String(repeating: "0123456789abcdef", count: 16) + "\"]",
  ]

  static func member(using random: inout some RandomNumberGenerator) -> JSONObject.Member {
    let value = JSONValue.raw(values.randomElement(using: &random) ?? "null")
    return JSONObject.Member(names.randomElement(using: &random) ?? "", value)
  }
}
