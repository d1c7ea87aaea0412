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

struct BodyReport {
  let body: BodyDescription

  private var way: String {
    switch body.direction {
    case .incoming: "to the merchant's server"
    case .outgoing: body.endpoint.map { "\($0.method) \($0.address)" } ?? "to the gateway"
    case .answer: "from the gateway"
    }
  }

  var lines: [String] {
    var lines = ["\(body.name): \(body.title)", "  \(way)"] + (body.endpoint?.headers ?? []).map { "  \($0)" }
    let rows = body.fields.map { field in
      [field.path, field.presence == .optional ? "optional" : "required", field.form.expectation, field.meaning]
    }
    lines += Text.columns([["member", "", "holds", "from"]] + rows, indent: 2, dropping: ["from"])
    lines += body.fields.compactMap { field in field.departure.map { "  * \(field.path): \($0)" } }
    lines += body.remarks.map { "  * \($0)" }
    return lines
  }

  var json: JSON {
    [
      "name": body.name, "title": body.title, "direction": body.direction.rawValue, "method": body.endpoint?.method,
      "address": body.endpoint?.address, "headers": body.endpoint?.headers ?? [], "members": body.fields.map(member),
      "remarks": body.remarks,
    ]
  }

  private func member(_ field: BodyField) -> JSON {
    [
      "path": field.path, "required": field.presence != .optional, "holds": field.form.expectation,
      "from": field.meaning, "section": field.section, "departure": field.departure,
    ]
  }
}
