extension Mutation {
  static let jsonMembers = Mutation(
    "json-members", .members,
    hunts: "members lost, doubled by escape, renamed, reordered, moved between token and header; bounds on their number"
  ) { draft, random in
    guard var token = draft.token else { return false }
    if random.chance(8), case .object(var members) = token, let header = token["header"],
      case .object(var inner) = header, !inner.isEmpty, !members.isEmpty
    {
      // From one object into the other.
      if random.chance(2) { members.append(random.pick(inner)) } else { inner.append(random.pick(members)) }
      token = .object(members)
      token["header"] = .object(inner)
    } else {
      for _ in 0..<random.pick([1, 1, 2]) { JSONEdits.change(&token, names: TokenNames.all, using: &random) }
    }
    draft.token = token
    draft.touch(.members)
    draft.touch(.tokenText)
    return true
  }
}

/// The names that tokens know (Docs/Verification.md stage 3).
enum TokenNames {
  static let all = [
    "version", "data", "signature", "header", "ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId",
    "applicationData", "unknown", "", "😀", "é\u{10FFFF}",
  ]

  /// Their paths.
  static let paths: [[String]] =
    [["version"], ["data"], ["signature"], ["header"]]
    + ["ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId", "applicationData"].map { ["header", $0] }
}
