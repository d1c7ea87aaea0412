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
