extension Mutation {
  /// Within one base64 member's text. Hunts lenient decoders: padding, trailing bits, alphabets, white space, escapes.
  static let base64Text = Mutation(name: "base64") { sample, random in
    guard let range = TokenText.base64Values(in: sample.token).randomElement(using: &random) else { return nil }
    // Half of them at the end, where padding and trailing bits are.
    let narrow = random.next() & 1 == 0 ? range : max(range.lowerBound, range.upperBound - 5)..<range.upperBound
    return MutatedToken(token: OctetChange.apply(to: sample.token, within: narrow, using: &random), plaintext: nil)
  }
}
