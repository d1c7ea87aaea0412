import Gateways
import PaymentToken
import Testing
import TokenScanning

/// Rules 0.1 to 0.8, each with accepted and rejected requests.
@Suite struct EnvelopeRuleTests {
  // MARK: The token's place

  @Test func `each gateway's token is found at its place`() throws {
    #expect(try found("{\"token\":{\"paymentData\":{\"a\": 1}}}", .applepayjs) == .object("{\"a\": 1}"))
    #expect(try found(" {\"x\":[{}],\"paymentData\" : {} } ", .applepayjs) == .object("{}"))
    #expect(try found("{\"paymentId\":1,\"token\":{\"paymentData\":{}}}", .alphapay) == .object("{}"))
    #expect(try found("{\"mobilePaymentMethodSpecificInput\":{}}", .worldline) == .parts(isSigned: false))
    #expect(
      try found("{\"mobilePaymentMethodSpecificInput\":{\"signature\":null}}", .worldline) == .parts(isSigned: true))
    let card = "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"{}\"}}}}}"
    #expect(try found(card, .mpgs) == .text("{}"))
    #expect(try found("{\"apple_pay\":{\"payment_token\":\"e30=\"}}", .bambora) == .base64("e30="))
  }

  @Test func `names and a token's text are unescaped`() throws {
    #expect(try found("{\"\\u0074oken\":{\"payment\\u0044ata\":{}}}", .applepayjs) == .object("{}"))
    let card = "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"TEXT\"}}}}}"
    func text(_ written: String) throws -> Finding {
      try found(card.replacing("TEXT", with: written), .mpgs)
    }
    #expect(try text("\\r\\n\\t{\\\"a\\\":\\\"\\/\\/\\\"}") == .text("\r\n\t{\"a\":\"//\"}"))
    #expect(try text("\\u0000\\uD83D\\uDE00\\u00e9") == .text("\0\u{1F600}\u{E9}"))
    #expect(try text("") == .text(""))
  }

  @Test func `a token at the very end of the request is found`() throws {
    #expect(try found("{\"paymentData\":{}}", .applepayjs) == .object("{}"))
    #expect(try found("{\"apple_pay\":{\"payment_token\":\"\"}}", .bambora) == .base64(""))
  }

  // MARK: 0.1

  @Test func `a request has at most 65,536 bytes in every envelope`() {
    let request = "{\"paymentData\":{}}"
    let padded = request + String(repeating: " ", count: 65_536 - request.utf8.count)
    #expect(fault(padded, .applepayjs) == nil)
    for selection in [EnvelopeSelection.named(.applepayjs), .automatic, .automatic([])] {
      #expect(fault(padded + " ", selection) == TokenFault(.tokenTooLarge, stage: .envelope))
      #expect(
        fault(String(repeating: "x", count: 65_537), selection) == TokenFault(.tokenTooLarge, stage: .envelope))
    }
  }

  // MARK: 0.2

  @Test(arguments: [
    "", "[]", "1", "{", "{}}", "{\"paymentData\":{}", "{\"paymentData\":{},}", "\u{FEFF}{\"paymentData\":{}}",
    "{\"paymentData\":{\"a\":01}}", "{\"paymentData\":{},\"a\":\"\u{1}\"}", "{\"paymentData\":{},\"a\":\"\\x\"}",
    "{\"paymentData\":{},\"a\":\"\\uD800\"}", "{\"paymentData\":{},\"a\":\"\\uDC00\"}", "{\"paymentData\":{},\"a\":+1}",
    "{\"paymentData\":{},\"a\":\"\\uD83Dx\"}", "{\"paymentData\":{}} x", "{'paymentData':{}}", "{\"paymentData\":tru}",
  ]) func `a request that is not strict JSON is malformed`(_ request: String) {
    #expect(fault(request, .applepayjs) == malformed)
  }

  @Test func `invalid UTF-8 is malformed anywhere`() {
    for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] {
      let request = Array("{\"paymentData\":{},\"a\":\"".utf8) + bytes + Array("\"}".utf8)
      #expect(Reading.of(request, by: .named(.applepayjs)) == .failure(malformed))
    }
  }

  @Test func `nesting is at most 32, including the token's own objects`() {
    func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
      String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }
    #expect(fault("{\"paymentData\":{},\"a\":\(nested(31))}", .applepayjs) == nil)
    #expect(fault("{\"paymentData\":{},\"a\":\(nested(32))}", .applepayjs) == malformed)
    #expect(fault("{\"paymentData\":{\"a\":\(nested(30))}}", .applepayjs) == nil)
    #expect(fault("{\"paymentData\":{\"a\":\(nested(31))}}", .applepayjs) == malformed)
    #expect(fault("{\"token\":{\"paymentData\":{\"a\":\(nested(29))}}}", .applepayjs) == nil)
    #expect(fault("{\"token\":{\"paymentData\":{\"a\":\(nested(30))}}}", .applepayjs) == malformed)
    #expect(fault("{\"token\":\(nested(31)),\"paymentData\":{}}", .applepayjs) == nil)
    #expect(fault("{\"token\":\(nested(32)),\"paymentData\":{}}", .applepayjs) == malformed)
  }

  @Test func `a path of 31 names is followed, one of 32 exceeds the nesting limit`() {
    for (count, expected) in [(31, nil), (32, malformed)] {
      let path = (0..<count).map { "n\($0)" }
      let envelope = Envelope(name: "deep", routes: [Envelope.Route(path, .object)], marks: [])
      let request = path.reduce("") { $0 + "{\"\($1)\":" } + "{}" + String(repeating: "}", count: count)
      #expect(fault(request, envelope) == expected)
    }
  }

  // MARK: 0.3

  @Test(arguments: [
    "{\"token\":{\"paymentData\":{}},\"token\":{\"paymentData\":{}}}",
    "{\"token\":{\"paymentData\":{}},\"token\":1}",
    "{\"token\":1,\"\\u0074oken\":{\"paymentData\":{}}}",
    "{\"token\":{\"paymentData\":{},\"paymentDat\\u0061\":{}}}",
    "{\"token\":{\"paymentData\":{},\"transactionIdentifier\":1,\"transactionIdentifier\":1}}",
    "{\"paymentData\":{},\"paymentData\":{}}",
    "{\"paymentData\":{},\"token\":1,\"token\":2}",
    "{\"paymentData\":{},\"transactionIdentifier\":\"\",\"transactionIdentifier\":\"\"}",
  ]) func `a name on a path occurs once`(_ request: String) {
    #expect(fault(request, .applepayjs) == malformed)
  }

  @Test(arguments: [
    "{\"paymentData\":{},\"a\":1,\"a\":2}",
    "{\"paymentData\":{\"a\":1,\"a\":1,\"paymentData\":1,\"paymentData\":1}}",
    // The fields of a route that is not taken are not checked.
    "{\"token\":{\"paymentData\":{}},\"transactionIdentifier\":\"\",\"transactionIdentifier\":\"\"}",
    "{\"paymentData\":{},\"token\":{\"transactionIdentifier\":1,\"transactionIdentifier\":1}}",
    // Marks are not checked if the envelope is named.
    "{\"paymentData\":{},\"paymentId\":1,\"paymentId\":1}",
    // The same name at another level, or inside an array, is another name.
    "{\"token\":{\"paymentData\":{},\"token\":1,\"a\":{\"paymentData\":{}}},\"a\":[{\"token\":1,\"token\":1}]}",
  ]) func `other names may be repeated`(_ request: String) {
    #expect(fault(request, .applepayjs) == nil)
  }

  @Test func `a repeated name counts in every object on its path, even if the path ends there`() {
    let card = "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"\"}}}},\"order\":{}}"
    #expect(fault(card, .mpgs) == nil)
    let repeated = card.replacing("{}}", with: "{\"walletProvider\":\"APPLE_PAY\",\"walletProvider\":\"APPLE_PAY\"}}")
    #expect(fault(repeated, .mpgs) == malformed)
    #expect(fault(card.replacing("\"order\"", with: "\"order\":1,\"order\""), .mpgs) == malformed)
    #expect(fault("{\"paymentData\":{},\"token\":{\"paymentDat\":1,\"paymentDat\":1}}", .applepayjs) == nil)
  }

  @Test func `each part occurs once in the object of parts`() throws {
    for part in ["encryptedPaymentData", "signature", "applicationData", "paymentProductId"] {
      let value = part == "paymentProductId" ? "302" : "1"
      let request = "{\"mobilePaymentMethodSpecificInput\":{\"\(part)\":\(value),\"x\":1,\"x\":1,\"\(part)\":\(value)}}"
      #expect(fault(request, .worldline) == malformed, "\(part)")
    }
    #expect(fault("{\"signature\":1,\"signature\":1,\"mobilePaymentMethodSpecificInput\":{}}", .worldline) == nil)
  }

  // MARK: 0.4, 0.5

  @Test(arguments: [
    "{}", "{\"token\":{}}", "{\"token\":[{\"paymentData\":{}}]}", "{\"token\":\"paymentData\"}", "{\"paymentdata\":{}}",
    "{\"paymentData\\u0000\":{}}", "{\"a\":{\"paymentData\":{}}}", "{\"token\":{\"token\":{\"paymentData\":{}}}}",
    "{\"token\":{\"paymentData\":{}},\"paymentData\":{}}", "{\"token\":{\"paymentData\":null},\"paymentData\":{}}",
    "{\"paymentData\":null}", "{\"paymentData\":[]}", "{\"paymentData\":\"{}\"}", "{\"paymentData\":1}",
    "{\"paymentData\":true}",
  ]) func `no route, two routes or a value of another type is malformed`(_ request: String) {
    #expect(fault(request, .applepayjs) == malformed)
  }

  @Test func `a text, base64 and parts are of their own types`() {
    for value in ["null", "{}", "[]", "1", "false"] {
      let card = "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\(value)}}}}}"
      #expect(fault(card, .mpgs) == malformed)
      #expect(fault("{\"apple_pay\":{\"payment_token\":\(value)}}", .bambora) == malformed)
      let expected = value == "{}" ? nil : malformed
      #expect(fault("{\"mobilePaymentMethodSpecificInput\":\(value)}", .worldline) == expected)
    }
    #expect(fault("{\"mobilePaymentMethodSpecificInput\":\"\"}", .worldline) == malformed)
  }

  // MARK: 0.6

  @Test(arguments: [
    ("\"APPLE_PAY\"", true), ("\"APPLE\\u005FPAY\"", true), ("\"APPLE_PAY \"", false), ("\"APPLE_PA\"", false),
    ("\"apple_pay\"", false), ("\"\"", false), ("null", false), ("1", false), ("[]", false), ("{}", false),
    ("\"APPLE_PAY\\u0000\"", false),
  ]) func `a text field that is present equals its constant`(_ value: String, _ agrees: Bool) {
    let card = "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"\"}}}},ORDER}"
    func verdict(_ order: String) -> TokenFault? { fault(card.replacing("ORDER", with: order), .mpgs) }
    #expect(verdict("\"order\":{\"walletProvider\":\(value)}") == (agrees ? nil : TokenFault(.envelopeFieldMismatch)))
    // A path does not continue in values other than objects.
    #expect(verdict("\"order\":[{\"walletProvider\":\(value)}]") == nil)
    #expect(verdict("\"order\":\(value)") == nil)
  }

  @Test(arguments: [
    ("302", true), ("\"302\"", false), ("302.0", false), ("3.02e2", false), ("0302", nil), ("-302", false),
    ("3020", false), ("null", false), ("301", false), ("[302]", false), ("{}", false),
  ]) func `a number field that is present has exactly the expected characters`(_ value: String, _ agrees: Bool?) {
    let verdict = fault("{\"mobilePaymentMethodSpecificInput\":{\"paymentProductId\":\(value)}}", .worldline)
    switch agrees {
    case true?: #expect(verdict == nil)
    case false?: #expect(verdict == TokenFault(.envelopeFieldMismatch))
    case nil: #expect(verdict == malformed)
    }
  }

  @Test func `malformed requests are reported before contradicting fields`() {
    let request = "{\"apple_pay\":{\"payment_token\":1},\"payment_method\":\"card\"}"
    #expect(fault(request, .bambora) == malformed)
    #expect(fault(request.replacing(":1}", with: ":\"\"}"), .bambora) == TokenFault(.envelopeFieldMismatch))
  }

  // MARK: 14.0

  @Test func `a transaction identifier is 64 digits of either case, or none at all`() throws {
    func identifier(_ value: String) throws -> TransactionIdentifier {
      let request = "{\"paymentData\":{},\"transactionIdentifier\":\(value)}"
      return try Reading.of(Array(request.utf8), by: .named(.applepayjs)).get().identifier
    }
    let digits = String(repeating: "aB09", count: 16)
    let bytes = try #require(Bytes32(hex: digits))
    #expect(try identifier("\"\(digits)\"") == .bytes(bytes))
    #expect(try identifier("\"\\u0061\(digits.dropFirst())\"") == .bytes(bytes))
    for value in [
      "\"\(digits.dropLast())\"", "\"\(digits)0\"", "\"\(digits)00\"", "\"\(digits.dropLast())g\"", "\"\"", "null", "1",
      "[]", "{}", "\" \(digits)\"", "\"\(digits)\\u0000\"",
    ] {
      #expect(try identifier(value) == .unreadable, "\(value)")
    }
    #expect(TransactionIdentifier.bytes(bytes).agrees(with: bytes))
    #expect(!TransactionIdentifier.bytes(bytes).agrees(with: nil))
    #expect(!TransactionIdentifier.unreadable.agrees(with: nil))
    #expect(TransactionIdentifier.absent.agrees(with: nil))
  }
}
