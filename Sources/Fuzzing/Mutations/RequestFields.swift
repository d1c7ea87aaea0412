import Gateways
import PaymentToken

extension Mutation {
  static let requestFields = Mutation(
    "request-fields", .request,
    hunts: "fields beside the token that contradict it: constants, numbers written otherwise, transaction identifiers"
  ) { draft, random in
    guard var tree = draft.requestTree, case .route(let route)? = draft.carriage else { return false }
    let field = random.pick(from: route.fields)
    let path = field?.path ?? random.pick(EnvelopeNames.fields)
    let id = draft.fields.transactionId ?? [UInt8](repeating: 7, count: 32)
    let texts = [
      "\"APPLE_PAY\"", "\"apple_pay\"", "\"APPLE_PAY \"", "\"APPLE_PA\"", "\"APPLE\\u005fPAY\"", "302", "3020", "302.0",
      "\"302\"", "302e0", "30", "null", "{}", "[]", "\"\"", "true", "\"\(Hex.encode(id))\"",
      "\"\(Hex.encode(id).uppercased())\"", "\"\(Hex.encode(OctetEdits.nearly(id, using: &random)))\"",
      "\"\(Hex.encode(id.dropLast()))\"", "\"\(Hex.encode(id))0\"", "\"\(Hex.encode(id.dropFirst()))g0\"",
    ]
    tree[path[...]] = random.chance(8) ? nil : .scalar(Array(random.pick(texts).utf8))
    draft.requestTree = tree
    draft.touch(.request)
    return true
  }
}

/// The names along all envelopes' routes, parts, fields and marks.
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
