import Gateways
import PaymentToken
import Reports
import StrictJSON

/// The description of a gateway in `assay gateway`, for people and for programs.
package struct GatewayDescription {
  package typealias Row = (name: String, value: String)

  package let name: String
  package let title: String
  /// Where its requests contain the token, one sentence for each form.
  package let token: [String]
  /// How `--envelope auto` recognises its requests.
  let recognised: [String]
  let checks: [String]
  let forms: [String]
  /// Where the payment is sent on to after decryption.
  let sentOn: [Row]
  let sandbox: [Row]
  let bodies: [BodyDescription]
  let example: JSONValue

  /// All descriptions, in the order of `assay gateway list`.
  package static let all: [GatewayDescription] = [.apple] + Gateway.all.map { GatewayDescription($0) } + [.onramp]

  /// A token with dots in place of data.
  private static let skeletonToken = """
    {"version":"EC_v1","data":"...","signature":"...","header":{"ephemeralPublicKey":"...","publicKeyHash":"...",\
    "transactionId":"..."}}
    """

  private static let apple = GatewayDescription(
    name: Envelope.apple.name, title: "Apple Pay, the token itself",
    token: ["the whole request, PKPaymentToken.paymentData"],
    recognised: ["version, data, signature and header", "anything not recognised otherwise"], checks: [], forms: [],
    sentOn: GatewayMappings.ways, sandbox: [], bodies: [], example: .raw(skeletonToken))

  private static let onramp = GatewayDescription(
    name: "onramp", title: "Coinbase Onramp",
    token: ["none: an order yields a payment link, and the page posts onramp_api events (gateway events)"],
    recognised: [], checks: [],
    forms: [], sentOn: [],
    sandbox: [
      ("partnerUserRef", "with the prefix \(OnrampOrder.sandboxPrefix) the order succeeds, and no card is charged"),
      (
        "payment link",
        "with &useApplePaySandbox=true appended it shows a simulated payment sheet, for tests of web pages"
      ),
    ],
    bodies: Onramp.bodies,
    example: OnrampEvent(.cardSoftDeclined, message: "…").json)
}

extension GatewayDescription {
  private init(_ gateway: Gateway) {
    self.init(
      name: gateway.name, title: gateway.title, token: gateway.envelope.routes.map(Self.place),
      recognised: gateway.envelope.marks.map { "\($0.isPresent ? "" : "no ")\($0.path.joined(separator: "."))" }
        + ["one of the places of the token"],
      checks: Self.checks(gateway.envelope),
      forms: gateway.forms.map { $0.isSigned ? $0.name : "\($0.name) (unsigned: --unsigned alone opens it)" },
      sentOn: GatewayMappings.rows(gateway), sandbox: gateway.meanings.map { ($0.value, $0.advice) },
      bodies: gateway.bodies,
      example: gateway.forms.first?.json(EnclosedToken(Array(Self.skeletonToken.utf8)), RequestDetails())
        ?? [:])
  }

  private static func place(_ route: Envelope.Route) -> String {
    let path = route.path.joined(separator: ".")
    switch route.wrapping {
    case .object: return "\(path), an object"
    case .text: return "\(path), a string of JSON"
    case .base64: return "\(path), a string of base64 of JSON"
    case .parts(let parts):
      let names = parts.map {
        $0.name == $0.member.rawValue.split(separator: ".").last ?? "" ? $0.name : "\($0.name) (\($0.member.rawValue))"
      }
      return "\(path), in parts: \(names.joined(separator: ", "))"
    }
  }

  private static func checks(_ envelope: Envelope) -> [String] {
    var checks: [String] = []
    for field in envelope.routes.flatMap(\.fields) {
      let path = field.path.joined(separator: ".")
      switch field.rule {
      case .text(let text): checks.append("\(path), if present, is \"\(text)\"")
      case .number(let number): checks.append("\(path), if present, is \(number)")
      case .transactionId: checks.append("\(path), if present, is the token's transactionId")
      }
    }
    return checks
  }
}

extension GatewayDescription {
  /// The element of `assay.gateway-list/1`.
  package var summary: JSON {
    ["name": name, "title": title, "token": token]
  }

  /// The document `assay.gateway-show/2`.
  package var document: JSON {
    [
      "schema": "assay.gateway-show/2", "name": name, "title": title, "token": token,
      "recognisedBy": recognised, "checks": checks, "requests": forms,
      "sentOn": pairs(sentOn), "sandbox": pairs(sandbox), "bodies": bodies.map(\.json),
      "example": example,
    ]
  }

  private func pairs(_ rows: [Row]) -> JSON { .object(rows.map { .init($0.name, $0.value) }) }

  /// Lines for people.
  package var text: String {
    var lines = ["\(name)  \(title)"]
    func section(_ title: String, _ texts: [String]) {
      if !texts.isEmpty { lines += ["", title + ":"] + texts.map { "  " + $0 } }
    }
    section("the token is in", token)
    section("also checked", checks)
    section("recognised by", recognised)
    section("requests", forms)
    section("sent on", Text.pairs(sentOn))
    section("values", Text.pairs(sandbox))
    for body in bodies { lines += [""] + body.lines }
    let text = String(decoding: example.text(.pretty), as: UTF8.self)
    section("example", text.split(separator: "\n").map { Text.unbroken(String($0)) })
    return lines.joined(separator: "\n") + "\n"
  }
}
