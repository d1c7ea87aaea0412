import Gateways
import PaymentToken
import Reports
import StrictJSON

/// What a merchant that decrypts sends on.
enum GatewayMappings {
  /// To every gateway that takes decrypted payments.
  static let ways: [GatewayDescription.Row] = Gateway.all.flatMap { gateway in
    gateway.bodies.filter(\.needsOpenedToken).prefix(1).map { body in
      ("to \(gateway.spoken)", "--output \(gateway.name): \(body.name) of gateway show \(gateway.name)")
    }
  }

  static func rows(_ gateway: Gateway) -> [GatewayDescription.Row] {
    if gateway.takesOpenedTokens || gateway.bodies.isEmpty { return ways }
    return ways + [("to the gateway itself", "the encrypted token: it takes no decrypted payment")]
  }
}

/// A body as `gateway show` has it.
struct BodyReport {
  let body: BodyDescription

  private var way: String {
    switch body.direction {
    case .incoming: "to the merchant's server"
    case .outgoing: body.endpoint.map { "\($0.method) \($0.address)" } ?? "to the gateway"
    case .answer: "from the gateway"
    }
  }

  /// A heading, and a line for each member.
  var lines: [String] {
    var lines = ["\(body.name): \(body.title)", "  \(way)"] + (body.endpoint?.headers ?? []).map { "  \($0)" }
    let rows = body.fields.map { field in
      [field.path, field.presence == .optional ? "optional" : "required", field.form.expectation, field.meaning]
    }
    lines += Text.columns([["member", "", "holds", "from"]] + rows).map { "  " + $0 }
    lines += body.fields.compactMap { field in field.departure.map { "  * \(field.path): \($0)" } }
    return lines
  }

  var json: JSON {
    .object([
      .init("name", .string(body.name)), .init("title", .string(body.title)),
      .init("direction", .string(body.direction.rawValue)),
      .init("method", body.endpoint.map { .string($0.method) } ?? .null),
      .init("address", body.endpoint.map { .string($0.address) } ?? .null),
      .init("headers", .array((body.endpoint?.headers ?? []).map { .string($0) })),
      .init("members", .array(body.fields.map(member))),
    ])
  }

  private func member(_ field: BodyField) -> JSON {
    .object([
      .init("path", .string(field.path)), .init("required", .boolean(field.presence != .optional)),
      .init("holds", .string(field.form.expectation)), .init("from", .string(field.meaning)),
      .init("section", .string(field.section)), .init("departure", field.departure.map { .string($0) } ?? .null),
    ])
  }
}
