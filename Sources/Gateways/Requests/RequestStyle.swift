/// How a request's JSON is written: what every reader must see through. The token itself stays byte for byte as it is.
public struct RequestStyle: Hashable, Sendable {
  public enum Whitespace: Hashable, Sendable, CaseIterable {
    case none
    /// A line a member, indented by two spaces.
    case indented
    /// Any of the four kinds, up to three bytes wherever some may be.
    case random
  }

  public var whitespace = Whitespace.none
  /// Whether the members of every object stand in an order of their own.
  public var shufflesMembers = false
  /// At most so many members that no gateway knows, in each object.
  public var unknownSiblings = 0
  /// One in so many characters of names and strings is escaped; zero for none but those that must be.
  public var escapesOneIn = 0
  /// Whether `/` is written as `\/`.
  public var escapesSolidus = false
  /// Whether the token's own JSON is broken into lines before it is enclosed: in a string those breaks are `\r\n\t`.
  public var indentsToken = false

  /// As short as can be.
  public static let plain = RequestStyle()

  /// As short as can be, until it is changed.
  public init() {}

  /// A style drawn from a generator.
  public static func random(using random: inout some RandomNumberGenerator) -> RequestStyle {
    var style = RequestStyle()
    style.whitespace = Whitespace.allCases.randomElement(using: &random) ?? .none
    style.shufflesMembers = Bool.random(using: &random)
    style.unknownSiblings = [0, 1, 4].randomElement(using: &random) ?? 0
    style.escapesOneIn = [0, 0, 64, 8, 1].randomElement(using: &random) ?? 0
    style.escapesSolidus = Bool.random(using: &random)
    style.indentsToken = Bool.random(using: &random)
    return style
  }

  /// A value's text in this style; the same generator gives the same bytes.
  public func text(of value: JSONValue, using random: inout some RandomNumberGenerator) -> [UInt8] {
    var writer = StyledWriter(style: self)
    writer.space(using: &random)
    writer.write(value, depth: 0, using: &random)
    writer.space(using: &random)
    return writer.text
  }
}

/// Members that no gateway knows, and that no reader may mind.
enum UnknownSibling {
  /// Near misses of names that are read, and names that only some readers can read.
  private static let names = [
    "Token", "paymentdata", "payment_data", "paymentData ", "PaymentId", "apple-pay", "payment_tokens", "wallet", "",
    "x", "metadata", "Zoë", "顧客", "👤", "\u{0}", "a\"b\\c/d", "\n", "__proto__",
  ]

  /// Values in JSON, sound all of them; some look like what is read, one level too deep.
  private static let values = [
    "null", "true", "false", "0", "-0.0e-10", "1.5E+300", "12345678901234567890123", "\"\"", "\"\\u0000\"",
    "\"\\ud83d\\ude00 \\/ \\\"quoted\\\" {[,:\"", "\"}\"", "[]", "{}", "[[[[[[[[]]]]]]]]",
    "[1,\"two\",{\"three\":[null]}]",
    "{\"token\":{\"paymentData\":{\"version\":\"EC_v1\"}},\"paymentId\":\"1\"}",
    "{\"apple_pay\":{\"payment_token\":\"e30=\"},\"payment_method\":\"none\"}",
    "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"{}\"}}}}}",
    "{\"a\":1,\"a\":2,\"\\u0061\":3}", "[\"" + String(repeating: "0123456789abcdef", count: 16) + "\"]",
  ]

  /// One of them.
  static func member(using random: inout some RandomNumberGenerator) -> JSONObject.Member {
    let value = JSONValue.raw(values.randomElement(using: &random) ?? "null")
    return JSONObject.Member(names.randomElement(using: &random) ?? "", value)
  }
}
