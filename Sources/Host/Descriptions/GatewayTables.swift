import Gateways
import PaymentToken
import Reports
import StrictJSON

/// Where a merchant that decrypts sends the payment.
enum GatewayMappings {
  /// Every gateway that accepts decrypted payments.
  static let ways: [GatewayDescription.Row] = Gateway.all.flatMap { gateway in
    gateway.bodies.filter(\.needsOpenedToken).prefix(1).map { body in
      ("to \(gateway.nameInText)", "--output \(gateway.name): \(body.name) of gateway show \(gateway.name)")
    }
  }

  static func rows(_ gateway: Gateway) -> [GatewayDescription.Row] {
    if gateway.takesOpenedTokens || gateway.bodies.isEmpty { return ways }
    return ways + [("to the gateway itself", "the encrypted token: it accepts no decrypted payments")]
  }
}

extension BodyDescription {
  private var way: String {
    switch direction {
    case .incoming: "to the merchant's server"
    case .outgoing: endpoint.map { "\($0.method) \($0.address)" } ?? "to the gateway"
    case .answer: "from the gateway"
    }
  }

  var lines: [String] {
    var lines = ["\(name): \(title)", "  \(way)"] + (endpoint?.headers ?? []).map { "  \($0)" }
    let rows = fields.map { field in
      [field.path, field.presence == .optional ? "optional" : "required", field.form.expectation, field.meaning]
    }
    lines += Text.columns([["member", "", "holds", "from"]] + rows, indent: 2, dropping: ["from"])
    lines += fields.compactMap { field in field.departure.map { "  * \(field.path): \($0)" } }
    lines += remarks.map { "  * \($0)" }
    return lines
  }

  var json: JSON {
    [
      "name": name, "title": title, "direction": direction.rawValue, "method": endpoint?.method,
      "address": endpoint?.address, "headers": endpoint?.headers ?? [], "members": fields.map(member),
      "remarks": remarks,
    ]
  }

  private func member(_ field: BodyField) -> JSON {
    [
      "path": field.path, "required": field.presence != .optional, "holds": field.form.expectation,
      "from": field.meaning, "section": field.section, "departure": field.departure,
    ]
  }
}
