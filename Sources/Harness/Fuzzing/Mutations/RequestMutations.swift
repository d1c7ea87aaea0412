import Gateways
import NamedCases
import PaymentToken
import TestCases

extension Mutation {
  static let requestMembers = Mutation(
    "request-members", .request, \.requestTree,
    hunts: "readers that find or miss the token: repeated names, missing members, other types"
  ) { tree, draft, random in
    guard case .route? = draft.location else { return false }
    for _ in 0..<random.pick([1, 1, 2]) { JSONEdits.change(&tree, names: EnvelopeNames.all, using: &random) }
    return true
  }

  static let requestFields = Mutation(
    "request-fields", .request, \.requestTree,
    hunts: "fields that contradict the token: constants, other forms of numbers, transaction identifiers"
  ) { tree, draft, random in
    guard case .route(let route)? = draft.location else { return false }
    let field = random.pick(from: route.fields)
    let path = field?.path ?? random.pick(EnvelopeNames.fields)
    let id = draft.fields.transactionId ?? [UInt8](repeating: 7, count: 32)
    let texts = [
      "\"APPLE_PAY\"", "\"apple_pay\"", "\"APPLE_PAY \"", "\"APPLE_PA\"", "\"APPLE\\u005fPAY\"", "302", "3020", "302.0",
      "\"302\"", "302e0", "30", "null", "{}", "[]", "\"\"", "true", "\"\(Hex.encode(id))\"",
      "\"\(Hex.encode(id).uppercased())\"", "\"\(Hex.encode(ByteEdits.nearly(id, using: &random)))\"",
      "\"\(Hex.encode(id.dropLast()))\"", "\"\(Hex.encode(id))0\"", "\"\(Hex.encode(id.dropFirst()))g0\"",
    ]
    tree[path[...]] = random.chance(8) ? nil : .scalar(Array(random.pick(texts).utf8))
    return true
  }

  static let requestRoute = Mutation(
    "request-route", .request, \.requestTree,
    hunts: "several routes at once, marks of other gateways, the token as another type"
  ) { tree, draft, random in
    guard let location = draft.location else { return false }
    switch random.below(6) {
    case 1 where random.chance(2):
      // The object that holds the token or its parts, padded to the size limit of a token.
      guard case .route(let route) = location, var value = tree[route.path[...]], case .object = value else {
        return false
      }
      let missing = random.near(RuleLimits.token) - value.text.count - 12
      guard missing > 0 else { return false }
      value["filler"] = .string([UInt8](repeating: 0x78, count: missing))
      tree[route.path[...]] = value
    case 0:
      // Another envelope's route or mark in addition to the token's own.
      let envelope = random.pick(Envelope.all)
      let path = random.chance(2) ? random.pick(from: envelope.routes)?.path : random.pick(from: envelope.marks)?.path
      guard let path else { return false }
      let value = random.chance(2) ? JSONEdits.someValue(using: &random) : draft.token ?? .object([])
      put(value, at: path, in: &tree)
    case 1:
      guard case .route(let route) = location, let value = tree[route.path[...]] else { return false }
      tree[route.path[...]] = retyped(value, draft.tokenText, using: &random)
    case 2:
      guard case .route(let route) = location, route.path.count > 1 else { return false }
      let inner = Array(route.path.prefix(1 + random.below(route.path.count - 1)))
      if let value = tree[inner[...]] { tree[inner[...]] = .array([value]) }
    case 3:
      guard case .route(let route) = location else { return false }
      let depth = RuleLimits.nesting - random.below(5)
      put(JSONTextEdits.nested(depth, using: &random), at: route.path.dropLast() + ["deep"], in: &tree)
    default:
      guard case .route(let route) = location, case .parts(let parts) = route.wrapping,
        let part = random.pick(from: parts)
      else { return false }
      let same = parts.first { $0.member == part.member && $0.name != part.name }
      if let same, random.chance(2) {
        // The part under its other name, alone or in addition.
        tree[(route.path + [same.name])[...]] = tree[(route.path + [part.name])[...]]
        if random.chance(2) { tree[(route.path + [part.name])[...]] = nil }
      } else {
        tree[(route.path + [part.name])[...]] = random.chance(2) ? nil : JSONEdits.someValue(using: &random)
      }
    }
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

  static let requestBytes = Mutation(
    "request-bytes", .requestText, hunts: "edits of bytes anywhere in a request, mostly around the token"
  ) { draft, random in
    guard !draft.request.isEmpty else { return false }
    draft.request = Frame.changed(draft.request, using: &random)
    return true
  }

  static let requestSpace = Mutation(
    "request-space", .requestText, hunts: "white space and sizes of requests, bytes before and after them"
  ) { draft, random in
    guard !draft.request.isEmpty else { return false }
    switch random.below(6) {
    case 0:
      let missing =
        random.near(random.pick([RuleLimits.token, RuleLimits.request, RuleLimits.request])) - draft.request.count
      guard missing > 0 else { return false }
      let filler = [UInt8](repeating: 0x20, count: missing)
      draft.request = random.chance(2) ? draft.request + filler : filler + draft.request
    case 1: draft.request = random.pick(JSONTextEdits.spaces) + draft.request
    case 2: draft.request += random.pick(JSONTextEdits.spaces + [[0x7D], [0x30], [0x2C]])
    default: draft.request = JSONEdits.spaced(draft.request, using: &random)
    }
    return true
  }
}

/// The member names of all envelopes: routes, parts, fields and marks.
enum EnvelopeNames {
  static let all: [String] = {
    var names = Set(["token", "header", "unknown", ""])
    for envelope in Envelope.all {
      for route in envelope.routes {
        names.formUnion(route.path)
        for field in route.fields { names.formUnion(field.path) }
        if case .parts(let parts) = route.wrapping { names.formUnion(parts.map(\.name)) }
      }
      for mark in envelope.marks { names.formUnion(mark.path) }
    }
    return names.sorted()
  }()

  static let fields: [[String]] = Envelope.all.flatMap { $0.routes.flatMap { $0.fields.map(\.path) } }
}
