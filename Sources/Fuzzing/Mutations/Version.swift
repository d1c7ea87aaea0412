extension Mutation {
  static let version = Mutation(
    "version", .members, hunts: "versions compared in part or by case, and tokens of one version judged as the other"
  ) { draft, random in
    guard var token = draft.token else { return false }
    let texts = [
      "EC_v1", "RSA_v1", "EC_v2", "EC_v", "EC_v11", "ec_v1", "EC_V1", "", "EC_v1 ", "\\u0045C_v1", "EC_v1\\u0000",
      "RSA_v", "RSA_v10", "rsa_v1", "RSA_v\\u0031", "X", "EC_v0",
    ]
    token["version"] = .scalar(Array("\"\(random.pick(texts))\"".utf8))
    if random.chance(3), let key = token[["header", draft.keyName][...]] {
      token[["header", draft.keyName][...]] = nil
      token[["header", draft.version == .ecV1 ? "wrappedKey" : "ephemeralPublicKey"][...]] = key
    }
    draft.token = token
    draft.touch(.members)
    draft.touch(.tokenText)
    return true
  }
}
