import Gateways
import PaymentToken

extension Mutation {
  static let requestRoute = Mutation(
    "request-route", .request,
    hunts: "several routes at once, marks of other gateways, the token as another type at its place"
  ) { draft, random in
    guard var tree = draft.requestTree, let carriage = draft.carriage else { return false }
    switch random.below(6) {
    case 1 where random.chance(2):
      // The object that holds the parts, or whatever holds the token, at the bound of a token's size.
      guard case .route(let route) = carriage, var value = tree[route.path[...]], case .object = value else {
        return false
      }
      let missing = random.near(65_536) - value.text.count - 12
      guard missing > 0 else { return false }
      value["filler"] = .string([UInt8](repeating: 0x78, count: missing))
      tree[route.path[...]] = value
    case 0:
      // Another envelope's route or mark beside the token's own.
      let envelope = random.pick(Envelope.all)
      let path = random.chance(2) ? random.pick(from: envelope.routes)?.path : random.pick(from: envelope.marks)?.path
      guard let path else { return false }
      let value = random.chance(2) ? JSONEdits.someValue(using: &random) : draft.token ?? .object([])
      put(value, at: path, in: &tree)
    case 1:
      guard case .route(let route) = carriage, let value = tree[route.path[...]] else { return false }
      tree[route.path[...]] = retyped(value, draft.tokenText, using: &random)
    case 2:
      guard case .route(let route) = carriage, route.path.count > 1 else { return false }
      let inner = Array(route.path.prefix(1 + random.below(route.path.count - 1)))
      if let value = tree[inner[...]] { tree[inner[...]] = .array([value]) }
    case 3:
      guard case .route(let route) = carriage else { return false }
      put(
        JSONTextEdits.nested(random.pick([28, 29, 30, 31, 32]), using: &random), at: route.path.dropLast() + ["deep"],
        in: &tree)
    default:
      guard case .route(let route) = carriage, case .parts(let parts) = route.wrapping,
        let part = random.pick(from: parts)
      else { return false }
      let same = parts.first { $0.member == part.member && $0.name != part.name }
      if let same, random.chance(2) {
        // The part under its other name, alone or beside this one.
        tree[(route.path + [same.name])[...]] = tree[(route.path + [part.name])[...]]
        if random.chance(2) { tree[(route.path + [part.name])[...]] = nil }
      } else {
        tree[(route.path + [part.name])[...]] = random.chance(2) ? nil : JSONEdits.someValue(using: &random)
      }
    }
    draft.requestTree = tree
    draft.touch(.request)
    return true
  }

  private static func put(_ value: JSONPiece, at path: [String], in tree: inout JSONPiece) {
    for count in 1..<max(1, path.count) where tree[path[..<count]] == nil { tree[path[..<count]] = .object([]) }
    tree[path[...]] = value
  }

  private static func retyped(
    _ value: JSONPiece, _ token: [UInt8], using random: inout QuickGenerator
  ) -> JSONPiece {
    switch random.below(6) {
    case 0: .string(token)
    case 1: .string(Base64.encode(token))
    case 2: JSONPiece(token) ?? .object([])
    case 3: .string(Base64.encode(Array(Base64.encode(token).utf8)))
    case 4: .array([value])
    default: .scalar(random.pick(JSONTextEdits.values))
    }
  }
}
