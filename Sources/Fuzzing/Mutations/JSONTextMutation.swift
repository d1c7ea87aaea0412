extension Mutation {
  /// Anywhere in the token's text. Hunts JSON readers that differ: syntax, escapes, UTF-8, names, nesting, trailing bytes.
  static let jsonText = Mutation(name: "json") { sample, random in
    MutatedToken(token: OctetChange.apply(to: sample.token, using: &random), plaintext: nil)
  }
}
