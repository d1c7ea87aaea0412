import Minting
import PaymentToken

extension Mutation {
  static let payloadBoundaries = Mutation(
    "payload-boundaries", .payload, \.payloadTree,
    hunts: "limits of the payload's values, one off: lengths, alphabets, dates, exponents; plain or with escapes"
  ) { tree, draft, random in
    let boundary = random.pick(Boundary.payload)
    // Members of the other type are ignored: usually the type changes with them.
    if boundary.path.count == 2, !random.chance(4) { boundary.selectType(in: &tree) }
    draft.write(boundary, to: &tree, using: &random)
    return true
  }

  static let memberBoundaries = Mutation(
    "member-boundaries", .members, \.token,
    hunts: "limits of the token's members, one off: encoded lengths, alphabets, unused bits; plain or with escapes"
  ) { token, draft, random in
    let usual = Boundary.token.filter { $0.path.last != draft.version.otherKeyName }
    draft.write(random.pick(usual), to: &token, using: &random)
    return true
  }

  static let payloadLimits = Mutation(
    "payload-limits", .payload, \.payloadTree,
    hunts: "32 levels and 64 members counted anew in each object of the payload: one less, as many, one more"
  ) { tree, _, random in
    if random.chance(6), tree["authenticationResponses"] == nil {
      tree["authenticationResponses"] = PayloadEdges.responses
    }
    LimitEdits.change(
      &tree, names: ["merchantTokenMetadata", "paymentData", "authenticationResponses", "unknown"], using: &random)
    return true
  }

  static let memberLimits = Mutation(
    "member-limits", .members, \.token,
    hunts: "32 levels and 64 members counted anew in the token and its header: one less, as many, one more"
  ) { token, _, random in
    LimitEdits.change(&token, names: ["header", "unknown", "data"], using: &random)
    return true
  }

  static let requestLimits = Mutation(
    "request-limits", .request, \.requestTree,
    hunts: "32 levels counted anew in each object on the path to the token: one less, as many, one more"
  ) { tree, draft, random in
    guard case .route? = draft.carriage else { return false }
    LimitEdits.change(&tree, names: EnvelopeNames.all, using: &random)
    return true
  }
}

extension Boundary {
  /// Makes the payload one of the type that reads this member of `paymentData`.
  fileprivate func selectType(in tree: inout JSONPiece) {
    let isEMV = path[1] == "emvData" || path[1] == "encryptedPINData"
    let required = ["paymentData", isEMV ? "emvData" : "onlinePaymentCryptogram"]
    tree["paymentDataType"] = .string(isEMV ? "EMV" : "3DSecure")
    if tree[required[...]] == nil { tree[required[...]] = .string("AAAA") }
  }
}

extension Draft {
  /// Writes a member with content at the edge of its rule, in some spelling.
  fileprivate func write(_ boundary: Boundary, to tree: inout JSONPiece, using random: inout QuickGenerator) {
    let content = boundary.content(near: tree.content(at: boundary.path), using: &random)
    if case .amount = boundary.form {
      tree[boundary.path[...]] = .scalar(content)
      return
    }
    let spelling = random.chance(2) ? .plain : Spelling.random(for: content.count, using: &random)
    tree[boundary.path[...]] = .scalar(spelling.text(of: content, using: &random))
  }
}
