import Benchmarking
import FastDecryption
import Gateways
import PaymentToken

/// Requests made for gateways: around an encrypted token, from a device's request, or from decrypted content. Each is
/// checked against the gateway's specification, as before sending.
enum RequestBenchmarks {
  private static let definitions: [(name: String, gateway: Gateway, body: BodyDescription)] = Gateway.all.flatMap {
    gateway in
    gateway.outgoingBodies.map { ("request/\(gateway.name)/\($0.name)", gateway, $0) }
  }

  static let names = definitions.map(\.name)

  /// Makes the benchmark of a name after checking the request; nil if it is not of this family.
  static func make(_ name: String, of tokens: TokenSet) throws(BenchmarkFailure) -> Benchmark? {
    guard let definition = definitions.first(where: { $0.name == name }) else { return nil }
    guard let entry = tokens.entries.first, let form = Gateway.applepayjs.forms.first else {
      throw BenchmarkFailure("there is no token")
    }
    let sent = form.request(around: entry.token)
    let opened: DecryptedToken
    do {
      opened = try FastDecryptor(keys: tokens.keys, anchors: tokens.anchors)
        .decrypt(entry.token.span, at: tokens.now, under: tokens.policy)
    } catch {
      throw DecryptBenchmarks.wrongAnswer
    }
    let (gateway, body, order) = (definition.gateway, definition.body, order(for: definition.body, of: opened.payment))
    let run = { () -> Bool in
      guard let material = material(for: body, sent, opened),
        let made = try? gateway.body(of: material, order, as: body.name)
      else { return false }
      return made.problems.isEmpty
    }
    guard run() else { throw DecryptBenchmarks.wrongAnswer }
    return .checked(name) { count in (0..<count).allSatisfy { _ in run() } }
  }

  private static func material(for body: BodyDescription, _ sent: [UInt8], _ opened: DecryptedToken) -> BodyMaterial? {
    if body.needsNoToken { return .nothing }
    if body.needsOpenedToken { return .opened(opened, preferring: nil) }
    return (try? EnclosedToken.found(in: sent.span, from: .automatic)).map { .token($0.token) }
  }

  private static func order(for body: BodyDescription, of payment: Payment) -> OrderFields {
    var order = OrderFields()
    // AlphaPay supports only one currency.
    let currency = body.name == "preorder" ? AlphaPayPreOrder.currency : Currency.numeric(payment.currencyCode)
    order.terms = RequestTerms(amount: .minorUnits(payment.transactionAmount), currency: currency)
    (order.reference, order.summary, order.paymentIdentifier) = ("order-1", "Shoes", "payment-1")
    (order.merchantIdentifier, order.returnAddress) = ("merchant.test.assay.one", "https://shop.example/back")
    if body.name.hasPrefix("update-session") { order.operation = .updateSession }
    return order
  }
}
