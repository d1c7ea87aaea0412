import Gateways
import PaymentToken
import TestSupport
import Testing

@Suite struct BodyCheckTests {
  private func bodies(_ gateway: String) throws -> [BodyDescription] { try #require(Gateway.named(gateway)).bodies }

  private func check(_ gateway: String, _ text: String, as name: String? = nil) throws -> BodyCheck {
    try BodyCheck(Array(text.utf8).span, among: try bodies(gateway), as: name)
  }

  private func problems(_ gateway: String, _ text: String, as name: String? = nil) throws -> [String] {
    try check(gateway, text, as: name).problems.map { "\($0.path) \($0.kind.rawValue)" }
  }

  @Test(arguments: DocumentExamples.all)
  func `the document's own example is as it describes it`(_ gateway: String, _ body: String, _ text: String) throws {
    let check = try check(gateway, text)
    #expect(check.body.name == body)
    #expect(check.problems.map(\.path) == [])
  }

  @Test func `every body that is described has an example here`() {
    let described = Gateway.all.flatMap { gateway in gateway.bodies.map { "\(gateway.name) \($0.name)" } }
    #expect(Set(described) == Set(DocumentExamples.all.map { "\($0.gateway) \($0.body)" }))
  }

  /// Replaces each value, and renames each member that is not optional. `changed` counts the replaced values.
  @Test(arguments: DocumentExamples.all)
  func `a value of another type is told by its path, whichever it is`(
    _ gateway: String, _ body: String, _ text: String
  ) throws {
    let fields = try #require(try bodies(gateway).first { $0.name == body }).fields
    var changed = 0
    for field in fields {
      for other in ["[0]", "null"] {
        guard let edited = Self.replacing(field.path, in: text, with: other) else { continue }
        changed += 1
        #expect(try problems(gateway, edited, as: body).contains("\(field.path) form"), "\(field.path) = \(other)")
      }
      guard field.presence != .optional, let edited = Self.removing(field.path, from: text) else { continue }
      #expect(try problems(gateway, edited, as: body).contains("\(field.path) missing"), "\(field.path)")
    }
    #expect(changed >= 8)
  }

  @Test func `all problems are told at once`() throws {
    let text = """
      {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":4761120010000492,"expiryDate":"1325",
      "cryptogram":"jiSR\u{E9}"},"encryptedPaymentData":"","paymentProductId":"302","authorizationMode":"sale"},
      "order":{"amountOfMoney":{"amount":"3000","currencyCode":"eur"}}}
      """
    let input = "mobilePaymentMethodSpecificInput."
    #expect(
      try Set(problems("worldline", text)) == [
        "order.amountOfMoney.amount form", "order.amountOfMoney.currencyCode form", input + "paymentProductId form",
        input + "authorizationMode form", input + "decryptedPaymentData.dpan form",
        input + "decryptedPaymentData.expiryDate form", input + "decryptedPaymentData.cryptogram form",
        input + "encryptedPaymentData exclusion",
      ])
  }

  @Test func `an ephemeral key may have either name, and both where they agree`() throws {
    let path = "mobilePaymentMethodSpecificInput.ephemeralPublicKey"
    let renamed = DocumentExamples.sample.createPayment.replacing("ephemeralPublicKey", with: "ephemeralKey")
    #expect(try problems("worldline", renamed) == [])
    let none = DocumentExamples.sample.createPayment.replacing("ephemeralPublicKey", with: "key")
    #expect(try problems("worldline", none) == ["\(path) missing"])
    let other = DocumentExamples.key.replacing("AAEC", with: "AAED")
    let both = DocumentExamples.sample.createPayment.replacing(
      #""paymentProductId""#, with: #""ephemeralKey":"\#(other)","paymentProductId""#)
    #expect(try problems("worldline", both) == ["\(path) disagreement"])
    for (second, expected) in [(other, ["\(path) disagreement"]), (DocumentExamples.key, [])] {
      let decrypted = DocumentExamples.createPaymentDecrypted.replacing(
        #""paymentProductId""#,
        with: #""ephemeralKey":"\#(DocumentExamples.key)","ephemeralPublicKey":"\#(second)","paymentProductId""#)
      #expect(try problems("worldline", decrypted) == expected)
    }
  }

  @Test func `a transaction that is named twice is one transaction`() throws {
    let identifier = DocumentExamples.sample.pay
    #expect(try problems("alphapay", identifier) == [])
    let name = #""transactionIdentifier":""#
    let upper = identifier.replacing(name + "c1", with: name + "C1")
    #expect(try problems("alphapay", upper) == [])
    let other = identifier.replacing(name + "c1", with: name + "c2")
    #expect(try problems("alphapay", other) == ["token.transactionIdentifier disagreement"])
  }

  @Test(arguments: [
    ("30.10", "USD", true), ("30.1", "USD", true), ("30", "USD", true), ("30.105", "USD", false),
    ("30.0", "JPY", false),
    ("30.105", "KWD", true), ("-1", "USD", false), ("1e1", "USD", false), ("", "USD", false),
  ])
  func `an amount has no more decimals than its currency`(_ amount: String, _ currency: String, _ holds: Bool) throws {
    let text = DocumentExamples.authorizeDecrypted.replacing("30.10", with: amount).replacing("USD", with: currency)
    #expect(try problems("mpgs", text) == (holds ? [] : ["order.amount form"]))
  }

  @Test(arguments: [
    ("2019-08-24T14:15:22Z", true), ("2019-08-24T14:15:22.123+02:00", true), ("2019-02-29T14:15:22Z", false),
    ("2019-08-24 14:15:22Z", false), ("2019-08-24T14:15:22", false), ("2019-08-24T24:15:22Z", false),
    ("2019-08-24T14:15:22.Z", false), ("2019.5-08-24T14:15:22Z", false), ("2019-08-24T14:15:22+2:00", false),
    ("2019-08-24T14:15:22Zx", false),
    ("", false),
  ])
  func `a date is one of RFC 3339`(_ date: String, _ holds: Bool) throws {
    let text = DocumentExamples.payResponse.replacing("2019-08-24T14:16:22Z", with: date)
    #expect(try problems("alphapay", text) == (holds ? [] : ["paymentTime form"]))
  }

  @Test(arguments: [
    ("https://a", true), ("https://", false), ("https:///a", false), ("http://a", false), ("https://a b", false),
    ("", false), ("https://?x", false), ("https://#", false), ("https://:443", false), ("https://[::1]/a", true),
    ("https://9.example", true), ("HTTPS://A", true),
  ])
  func `an address is one of https`(_ address: String, _ holds: Bool) throws {
    let text = DocumentExamples.preOrder.replacing("https://www.example.com/notify", with: address)
    #expect(try problems("alphapay", text) == (holds ? [] : ["order.notifyUrl form"]))
  }

  @Test func `a description has 128 characters at most, whatever their bytes`() throws {
    for (count, expected) in [(128, []), (129, ["order.description form"])] {
      let text = DocumentExamples.preOrder.replacing(
        "Apple Pay test order", with: String(repeating: "\u{1F512}", count: count))
      #expect(try problems("alphapay", text) == expected)
    }
  }

  @Test func `large amounts of small currencies are amounts`() throws {
    let text = DocumentExamples.mastercardResponse.replacing("USD", with: "IDR").replacing(
      "30.10", with: "150000000.00"
    )
    .replacing(#""totalCapturedAmount":0.00"#, with: #""totalCapturedAmount":150000000.00"#)
    #expect(try problems("mpgs", text) == [])
  }

  @Test func `a body that cannot be checked is refused`() throws {
    #expect(throws: BodyCheck.Refusal.malformed) { try check("mpgs", "{") }
    #expect(throws: BodyCheck.Refusal.malformed) { try check("mpgs", "[]") }
    #expect(throws: BodyCheck.Refusal.malformed) { try check("mpgs", #"{"result":1,"result":2}"#) }
    #expect(throws: BodyCheck.Refusal.malformed) {
      try check("mpgs", #"{"result":""# + String(repeating: "a", count: 65_536) + #""}"#)
    }
    #expect(throws: BodyCheck.Refusal.unrecognized) { try check("mpgs", "{}") }
    #expect(throws: BodyCheck.Refusal.unknownBody) { try check("mpgs", "{}", as: "pay") }
  }

  @Test func `nothing of what a body holds is told`() throws {
    let text = DocumentExamples.authorizeDecrypted.replacing("5123450000000008", with: "5123450000000008777777")
    let found = try check("mpgs", text).problems
    #expect(found.map(\.path) == ["sourceOfFunds.provided.card.number"])
    #expect(!"\(found)".contains("51234"))
    #expect("\(found) 51234".contains("51234"))
  }

  // MARK: Editing

  /// The text with the value at a path replaced; nil where there is none.
  static func replacing(_ path: String, in text: String, with value: String) -> String? {
    guard let range = range(of: path, in: Array(text.utf8)) else { return nil }
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(range.value, with: value.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with the member at a path under another name; nil where there is none.
  static func removing(_ path: String, from text: String) -> String? {
    guard let range = range(of: path, in: Array(text.utf8)) else { return nil }
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(range.name, with: "\"gone\"".utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The places of the last name of a path, with its quotes, and of its value.
  private static func range(of path: String, in bytes: [UInt8]) -> (name: Range<Int>, value: Range<Int>)? {
    var scanner = PathScanner(bytes: bytes)
    return scanner.find(path.split(separator: ".").map(String.init)[...])
  }
}

/// Finds members of well-formed JSON that has no escapes in names.
private struct PathScanner {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func find(_ path: ArraySlice<String>) -> (name: Range<Int>, value: Range<Int>)? {
    skipSpace()
    guard bytes[position] == UInt8(ascii: "{") else { return nil }
    position += 1
    while true {
      skipSpace()
      if bytes[position] == UInt8(ascii: "}") { return nil }
      let name = range { $0.skipString() }
      skipSpace()
      position += 1
      skipSpace()
      let isNext = String(decoding: bytes[name].dropFirst().dropLast(), as: UTF8.self) == path.first
      if isNext, path.count > 1 { return find(path.dropFirst()) }
      let value = range { $0.skipValue() }
      if isNext { return (name, value) }
      skipSpace()
      if bytes[position] == UInt8(ascii: ",") { position += 1 }
    }
  }

  private mutating func range(_ skip: (inout PathScanner) -> Void) -> Range<Int> {
    let start = position
    skip(&self)
    return start..<position
  }

  private mutating func skipSpace() { while bytes[position] <= 0x20 { position += 1 } }

  private mutating func skipString() {
    position += 1
    while bytes[position] != UInt8(ascii: "\"") { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
    position += 1
  }

  private mutating func skipValue() {
    var depth = 0
    repeat {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
    } while depth > 0 || ![UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[position])
  }
}
