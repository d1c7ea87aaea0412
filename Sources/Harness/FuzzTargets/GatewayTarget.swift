import Gateways
import PaymentToken
import ReferenceDecryption

/// The readers of gateway data: request fields, orders, answers, event logs, forms.
extension FuzzTargets {
  public static func gateways(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    var properties = GatewayProperties()
    if let violation = properties.violation(of: bytes(data, size)) { fail("readers", violation, "") }
    return 0
  }
}

/// Properties that the gateway readers must have for every input.
public struct GatewayProperties {
  /// How often each property was tested: a reader accepts only some inputs.
  public private(set) var taken: [String: Int] = [:]

  /// A placeholder with the shape of a token.
  private let token: EnclosedToken = {
    let (key, hash) = (Base64.encode([UInt8](repeating: 1, count: 91)), Base64.encode([UInt8](repeating: 1, count: 32)))
    let header = #"{"publicKeyHash":"\#(hash)","ephemeralPublicKey":"\#(key)"}"#
    return EnclosedToken(
      Array(#"{"version":"EC_v1","data":"\#(key)","signature":"\#(key)","header":\#(header)}"#.utf8))
  }()

  public init() {}

  /// The violated property; nil if there is none.
  public mutating func violation(of text: [UInt8]) -> String? {
    received(text) ?? requests(text) ?? answers(text) ?? orders(text) ?? preOrders(text) ?? events(text)
  }

  private mutating func take(_ reader: String) { taken[reader, default: 0] += 1 }

  /// The JSON of a received body is strict.
  private mutating func received(_ text: [UInt8]) -> String? {
    guard let json = ReceivedBody.json(of: text) else { return nil }
    take("received")
    return Self.isStrict(json) ? nil : "a received body that is no JSON"
  }

  /// A request made from the fields of a request has the same fields.
  private mutating func requests(_ text: [UInt8]) -> String? {
    for gateway in Gateway.all {
      guard let order = try? gateway.order(text.span) else { continue }
      take("order of \(gateway.name)")
      if let violation = made(of: order) ?? sentOn(order) { return violation }
    }
    return nil
  }

  /// Checks every request that can be made from an order.
  private mutating func made(of order: OrderFields) -> String? {
    for gateway in Gateway.all {
      for body in gateway.outgoingBodies {
        if let violation = made(body, of: gateway, order) { return violation }
      }
    }
    return nil
  }

  private mutating func made(_ body: BodyDescription, of gateway: Gateway, _ order: OrderFields) -> String? {
    guard let made = try? gateway.body(of: body.needsNoToken ? .nothing : .token(token), order, as: body.name) else {
      return nil
    }
    guard Self.isStrict(made.text) else { return "a \(body.name) that is no JSON" }
    guard made.problems.isEmpty, !body.needsNoToken else { return nil }
    take("made \(body.name)")
    guard let again = try? gateway.order(made.text.span) else { return "a \(body.name) that is not read" }
    return Self.contradiction(order, again).map { "a \(body.name) of another \($0)" }
  }

  /// The field in which a request's order differs from the order read back from it; nil if there is none.
  public static func contradiction(_ order: OrderFields, _ again: OrderFields) -> String? {
    if let difference = again.differences(from: order).first { return difference.rawValue }
    if let reference = again.reference, reference != order.reference { return "reference" }
    if again.capture == .purchase, order.capture != .purchase { return "capture" }
    return nil
  }

  /// An order that contradicts its token is not sent on.
  private mutating func sentOn(_ order: OrderFields) -> String? {
    guard let opened = Self.opened else { return "no payment to send on" }
    for gateway in Gateway.all where gateway.takesOpenedTokens {
      guard let made = try? gateway.body(of: .opened(opened, preferring: nil), order) else { continue }
      take("sent on to \(gateway.name)")
      guard order.differences(from: opened.payment).isEmpty else { return "sent on in spite of a difference" }
      guard Self.isStrict(made.text) else { return "a \(made.body.name) that is no JSON" }
    }
    return nil
  }

  /// An answer with problems has an unknown outcome, and the numbers among its facts are masked.
  private mutating func answers(_ text: [UInt8]) -> String? {
    for gateway in Gateway.all {
      for body in gateway.bodies where body.direction == .answer {
        guard let check = try? BodyCheck(text.span, among: [body], as: body.name),
          let answer = try? gateway.answer(text.span, check)
        else { continue }
        take(body.name)
        if !check.problems.isEmpty, answer.outcome != .unknown {
          return "a \(body.name) that is believed"
        }
        let numbers = answer.facts.filter { $0.path.hasSuffix("umber") }
        if numbers.contains(where: { Self.showsNumber($0.value) }) { return "an account number" }
      }
    }
    return nil
  }

  private static func showsNumber(_ text: String) -> Bool {
    // Masked numbers have runs of six and four digits.
    text.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.contains { $0.count > 6 }
  }

  /// An order overlaid by itself stays the same, and every request made from it is JSON.
  private mutating func orders(_ text: [UInt8]) -> String? {
    guard let order = try? OrderFields(readingOrder: text.span) else { return nil }
    take("order")
    if order.overlaid(by: order) != order || OrderFields().overlaid(by: order) != order {
      return "an order that hides itself"
    }
    return made(of: order)
  }

  private mutating func preOrders(_ text: [UInt8]) -> String? {
    guard let order = try? AlphaPayPreOrder.order(reading: text.span) else { return nil }
    take("pre-order")
    return (try? AlphaPayPreOrder.order(reading: AlphaPayPreOrder.json(for: order).text().span)) == order
      ? nil : "a pre-order that is read otherwise"
  }

  /// A result is final, and during a payment no advice says to press the button again.
  private mutating func events(_ text: [UInt8]) -> String? {
    guard let log = try? OnrampLog(reading: text) else { return nil }
    take("event log")
    var sequence = OnrampSequence()
    var (result, hasStarted) = (OnrampSequence.Outcome?.none, false)
    for case .event(let event) in log.entries {
      sequence.take(event)
      hasStarted = hasStarted || event.name == .commitSuccess
      if let result, sequence.outcome != result { return "a result that changed" }
      if result == nil, event.name == .pollingSuccess { result = .succeeded }
      if result == nil, event.name == .pollingError { result = .failed }
      if hasStarted, result == nil, sequence.outcome != .inProgress { return "a running payment that ended" }
      if hasStarted, result == nil, sequence.advice?.contains("pressed again") == true { return "pressed again" }
    }
    return nil
  }

  private static func isStrict(_ text: [UInt8]) -> Bool { JSONReaders.isDocument(text) }

  private static let opened: DecryptedToken? = {
    guard let hash = Bytes32([UInt8](repeating: 1, count: 32)) else { return nil }
    let payment = Payment(
      applicationPrimaryAccountNumber: "4111111111111111", applicationExpirationDate: "301231", currencyCode: "978",
      transactionAmount: 1_250, cardholderName: nil, deviceManufacturerIdentifier: "040010030273",
      paymentData: .threeDSecure(onlinePaymentCryptogram: "AAAA", eciIndicator: "7"), authenticationResponses: nil,
      merchantTokenIdentifier: nil, merchantTokenMetadata: nil)
    return DecryptedToken(
      envelope: "apple", version: .ecV1, transactionId: hash, publicKeyHash: hash,
      ephemeralPublicKey: [UInt8](repeating: 1, count: 91), applicationData: nil,
      signedAt: UnixTime(secondsSinceEpoch: 0), verifiedAt: UnixTime(secondsSinceEpoch: 0),
      isFromSandbox: false, payment: payment,
      plaintext: [])
  }()
}
