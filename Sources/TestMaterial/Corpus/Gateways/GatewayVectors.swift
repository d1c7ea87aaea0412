import Gateways
import PaymentToken
import StrictJSON

/// The vectors of `gateways/*.json` in the corpus: bodies to validate or to read in another encoding, requests to make,
/// answers and event logs to read, and differences between a request and its token. `gateways/schema.json` describes
/// them. Written by hand.
public enum GatewayVectors {
  /// The name of the schema.
  public static let schema = "assay.gateway-vectors/1"

  /// Checks a file and runs its tests.
  ///
  /// - Parameter count: increased by the number of tests.
  public static func findings(in bytes: [UInt8], at path: String, count: inout Int) -> [CorpusFinding] {
    do throws(DocumentError) {
      let root: JSONPlace
      do {
        root = try JSONPlace(reading: bytes)
      } catch {
        return [CorpusFinding(path: path, reason: "is not strict JSON with unique names")]
      }
      _ = try root.object(["schema", "tests"])
      guard try root.member("schema").text() == schema else { throw root.fail("is not of schema \(schema)") }
      var findings: [CorpusFinding] = []
      for (index, test) in try root.member("tests").elements().enumerated() {
        count += 1
        guard let reason = try mismatch(test, number: index + 1) else { continue }
        findings.append(CorpusFinding(path: path, test: index + 1, reason: reason))
      }
      return findings
    } catch {
      return [CorpusFinding(path: path, reason: "\(error.path.isEmpty ? "it" : error.path) \(error.reason)")]
    }
  }

  /// How the result of a test differs from the expected one; nil if it does not.
  private static func mismatch(_ test: JSONPlace, number: Int) throws(DocumentError) -> String? {
    guard try test.member("id").integer(Int.self) == number else { throw test.fail("is not numbered \(number)") }
    guard !(try test.member("comment").text()).isEmpty else { throw test.fail("says nothing of itself") }
    let kind = try test.member("kind")
    switch try kind.text() {
    case "check": return try check(test)
    case "request": return try request(test)
    case "difference": return try difference(test)
    case "answer": return try answer(test)
    case "events": return try events(test)
    case "received": return try received(test)
    default: throw kind.fail("is no kind of test")
    }
  }

  private static let common: Set<String> = ["id", "kind", "comment"]

  private static func gateway(_ test: JSONPlace) throws(DocumentError) -> Gateway {
    let name = try test.member("gateway")
    guard let gateway = Gateway.named(try name.text()) else { throw name.fail("is no gateway") }
    return gateway
  }

  private static func body(_ test: JSONPlace, of gateway: Gateway) throws(DocumentError) -> BodyDescription {
    let name = try test.member("body")
    let text = try name.text()
    guard let body = gateway.bodies.first(where: { $0.name == text }) else { throw name.fail("is none of its bodies") }
    return body
  }

  private static func input(_ test: JSONPlace) throws(DocumentError) -> [UInt8] {
    Array(try test.member("input").text().utf8)
  }

  /// Nil if both are equal.
  private static func difference<Value: Equatable>(_ found: Value, _ expected: Value) -> String? {
    found == expected ? nil : "ends in \(found)"
  }

  // MARK: Kinds

  /// The problems of a body, as paths and kinds.
  private static func check(_ test: JSONPlace) throws(DocumentError) -> String? {
    _ = try test.object(common.union(["gateway", "body", "input", "problems"]))
    let body = try body(test, of: gateway(test))
    let expected = try problems(test.member("problems"))
    let input = try input(test)
    guard let check = try? BodyCheck(input.span, among: [body], as: body.name) else { return "ends in no check" }
    return difference(check.problems.map { [$0.path, $0.kind.rawValue] }, expected)
  }

  private static func problems(_ place: JSONPlace) throws(DocumentError) -> [[String]] {
    var problems: [[String]] = []
    for problem in try place.elements() {
      _ = try problem.object(["path", "kind"])
      problems.append([try problem.member("path").text(), try problem.member("kind").text()])
    }
    return problems
  }

  /// The request made from a token or a payment and an order, or why there is none.
  private static func request(_ test: JSONPlace) throws(DocumentError) -> String? {
    _ = try test.object(
      common.union(["gateway", "body", "order", "token", "payment", "counts", "text", "problems", "error"]))
    let gateway = try gateway(test)
    let body = try body(test, of: gateway)
    let order = try test.member("order")
    let orderText = Array(try order.text().utf8)
    guard let fields = try? OrderFields(readingOrder: orderText.span) else { throw order.fail("is no order") }
    let counts = try test.member("counts").nonNull?.text()
    var material = BodyMaterial.nothing
    if let token = try test.member("token").nonNull { material = .token(EnclosedToken(Array(try token.text().utf8))) }
    if let payment = try test.member("payment").nonNull {
      material = .opened(try token(payment), preferring: counts.flatMap(OrderDifference.Choice.init(rawValue:)))
    }
    let expectedText = try test.member("text").nonNull?.text()
    let expectedError = try test.member("error").nonNull?.text()
    var expectedProblems: [[String]]?
    if let place = try test.member("problems").nonNull { expectedProblems = try problems(place) }
    let made: OutgoingBody?
    do {
      made = try gateway.body(of: material, fields, as: body.name)
    } catch {
      return difference(error.code, expectedError ?? "")
    }
    guard let made else { return "ends in no body" }
    if let expectedProblems {
      return difference(made.problems.map { [$0.path, $0.kind.rawValue] }, expectedProblems)
    }
    guard made.problems.isEmpty else { return "ends in problems" }
    return difference(String(decoding: made.text, as: UTF8.self), expectedText ?? "")
  }

  /// The differences between a request and its token.
  private static func difference(_ test: JSONPlace) throws(DocumentError) -> String? {
    _ = try test.object(common.union(["gateway", "input", "payment", "differences"]))
    let gateway = try gateway(test)
    let payment = try token(test.member("payment")).payment
    let expected = try test.member("differences").texts()
    let input = try input(test)
    guard let order = try? gateway.order(input.span) else { return "ends in no order" }
    return difference(order.differences(from: payment).map(\.rawValue), expected)
  }

  /// The outcome of a gateway's answer, compared with an order if the test has one.
  private static func answer(_ test: JSONPlace) throws(DocumentError) -> String? {
    _ = try test.object(common.union(["gateway", "body", "input", "order", "outcome"]))
    let gateway = try gateway(test)
    let body = try body(test, of: gateway)
    let input = try input(test)
    var order: OrderFields?
    if let place = try test.optional("order")?.nonNull {
      guard let fields = try? OrderFields(readingOrder: Array(try place.text().utf8).span) else {
        throw place.fail("is no order")
      }
      order = fields
    }
    guard let check = try? BodyCheck(input.span, among: [body], as: body.name),
      let answer = try? gateway.answer(input.span, check, to: order)
    else { return "ends in no answer" }
    return difference(answer.outcome.rawValue, try test.member("outcome").text())
  }

  /// The outcome after a log of events, and the violations of their sequence.
  private static func events(_ test: JSONPlace) throws(DocumentError) -> String? {
    _ = try test.object(common.union(["input", "outcome", "violations"]))
    let expected = (outcome: try test.member("outcome").text(), violations: try test.member("violations").texts())
    let input = try input(test)
    guard let log = try? OnrampLog(reading: input) else { return difference("unreadable", expected.outcome) }
    var sequence = OnrampSequence()
    var violations: [String] = []
    for case .event(let event) in log.entries {
      if let violation = sequence.take(event) { violations.append(violation.rawValue) }
    }
    return difference([sequence.outcome.rawValue] + violations, [expected.outcome] + expected.violations)
  }

  /// The JSON of a body in another encoding.
  private static func received(_ test: JSONPlace) throws(DocumentError) -> String? {
    _ = try test.object(common.union(["input", "json"]))
    let expected = try test.member("json").nonNull?.text()
    let found = ReceivedBody.json(of: try input(test)).map { String(decoding: $0, as: UTF8.self) }
    return difference(found ?? "nothing", expected ?? "nothing")
  }

  /// A decrypted token with this payment.
  private static func token(_ place: JSONPlace) throws(DocumentError) -> DecryptedToken {
    _ = try place.object([
      "number", "expiry", "currency", "amount", "name", "cryptogram", "eci", "publicKeyHash", "ephemeralPublicKey",
    ])
    let hash = try place.member("publicKeyHash")
    guard let publicKeyHash = Bytes32(try hash.base64()),
      let transactionId = Bytes32([UInt8](repeating: 0, count: 32))
    else { throw hash.fail("is not base64 of 32 bytes") }
    let key = try place.member("ephemeralPublicKey").nonNull?.base64()
    var data = PaymentData.emv(emvData: "AA==", encryptedPINData: nil)
    if let cryptogram = try place.member("cryptogram").nonNull?.text() {
      let indicator = try place.member("eci").nonNull?.text()
      data = .threeDSecure(onlinePaymentCryptogram: cryptogram, eciIndicator: indicator)
    }
    let payment = Payment(
      applicationPrimaryAccountNumber: try place.member("number").text(),
      applicationExpirationDate: try place.member("expiry").text(), currencyCode: try place.member("currency").text(),
      transactionAmount: try place.member("amount").integer(Int64.self),
      cardholderName: try place.member("name").nonNull?.text(), deviceManufacturerIdentifier: "040010030273",
      paymentData: data, authenticationResponses: nil, merchantTokenIdentifier: nil, merchantTokenMetadata: nil)
    return DecryptedToken(
      envelope: Envelope.apple.name, version: key == nil ? .rsaV1 : .ecV1, transactionId: transactionId,
      publicKeyHash: publicKeyHash, ephemeralPublicKey: key, applicationData: nil,
      signedAt: UnixTime(secondsSinceEpoch: 0), verifiedAt: UnixTime(secondsSinceEpoch: 0),
      isFromSandbox: false, payment: payment,
      plaintext: [])
  }
}
