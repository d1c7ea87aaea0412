import Gateways
import Minting
import PaymentToken
import TestCases

extension Mutation {
  static let payloadBoundaries = Mutation(
    "payload-boundaries", .payload, \.payloadTree,
    hunts: "limits of the payload's values, one off: lengths, alphabets, dates, exponents; other types; with escapes",
    weight: 8
  ) { tree, draft, random in
    draft.aim(at: Boundary.payload, \.path, using: &random).write(to: &tree, using: &random)
    return true
  }

  static let memberBoundaries = Mutation(
    "member-boundaries", .members, \.token,
    hunts: "limits of the token's members, one off: encoded lengths, alphabets, unused bits; plain or with escapes",
    weight: 4
  ) { token, draft, random in
    let members = Boundary.token.filter { $0.path.last != draft.version.otherKeyName }
    draft.aim(at: members, \.path, using: &random).write(to: &token, using: &random)
    return true
  }

  static let payloadLimits = Mutation(
    "payload-limits", .payload, \.payloadTree,
    hunts: "32 levels and 64 members in each object of the payload: one less, as many, one more",
    weight: 3
  ) { tree, _, random in
    if random.chance(3), tree["authenticationResponses"] == nil {
      tree["authenticationResponses"] = PayloadResponses.one
    }
    LimitEdits.change(
      &tree, names: ["merchantTokenMetadata", "paymentData", "authenticationResponses", "unknown"], using: &random)
    return true
  }

  static let memberLimits = Mutation(
    "member-limits", .members, \.token,
    hunts: "32 levels and 64 members in the token and its header: one less, as many, one more",
    weight: 2
  ) { token, _, random in
    LimitEdits.change(&token, names: ["header", "unknown", "data"], using: &random)
    return true
  }

  static let requestBoundaries = Mutation(
    "request-boundaries", .request, \.requestTree,
    hunts: "text around the token, one off: its base64, its other name, the fields beside it; plain or with escapes",
    weight: 3
  ) { tree, draft, random in
    guard case .route(let route)? = draft.location else { return false }
    if let field = random.pick(from: route.fields), !random.chance(3) {
      tree[field.path[...]] = .scalar(Self.value(of: field.rule, in: draft, using: &random))
      return true
    }
    switch route.wrapping {
    case .text, .base64:
      guard let content = tree.content(at: route.path) else { return false }
      let boundary = Boundary("0.5", route.path, .base64(1...Boundary.unlimited))
      let changed =
        route.wrapping == .text
        ? ByteEdits.changed(content, using: &random) : boundary.content(near: content, using: &random)
      tree[route.path[...]] = StringSpelling.written(changed, using: &random)
    case .parts(let parts): return Self.writeTwin(of: parts, at: route.path, in: &tree, using: &random)
    case .object: return false
    }
    return true
  }

  /// The value of a field beside the token, or one that differs slightly (0.6, 14.0).
  private static func value(
    of rule: Envelope.Field.Rule, in draft: Draft, using random: inout QuickGenerator
  ) -> [UInt8] {
    let form: Boundary.Form
    var current: [UInt8]?
    switch rule {
    case .text(let text): form = .words([text])
    case .number(let literal):
      let digits = random.chance(2) ? Array(literal.utf8) : ByteEdits.offByOne(Array(literal.utf8), using: &random)
      return random.chance(2) ? AmountEdges.spelled(digits, using: &random) : digits
    case .transactionId:
      form = .hexadecimal(32...32)
      current = draft.fields.transactionId.map { Array(Hex.encode($0).utf8) }
      if let id = current, random.chance(2) {
        return StringSpelling.written(ByteEdits.offByOne(id, using: &random), using: &random).text
      }
    }
    return StringSpelling.written(Boundary("0.6", [], form).content(near: current, using: &random), using: &random).text
  }

  /// Writes a part that has two names under both, with the same or slightly different content (0.11).
  private static func writeTwin(
    of parts: [Envelope.Part], at path: [String], in tree: inout JSONPiece, using random: inout QuickGenerator
  ) -> Bool {
    let twins = parts.filter { part in parts.contains { $0.member == part.member && $0.name != part.name } }
    guard let content = twins.compactMap({ tree.content(at: path + [$0.name]) }).first else { return false }
    let changes = random.below(twins.count + 1)
    for (index, part) in twins.enumerated() {
      let written = index == changes ? ByteEdits.offByOne(content, using: &random) : content
      tree[(path + [part.name])[...]] = StringSpelling.written(written, using: &random)
    }
    return true
  }

  static let requestLimits = Mutation(
    "request-limits", .request, \.requestTree,
    hunts: "32 levels in each object on the path to the token: one less, as many, one more"
  ) { tree, draft, random in
    guard case .route? = draft.location else { return false }
    LimitEdits.change(&tree, names: EnvelopeNames.all, using: &random)
    return true
  }
}
