extension Mutation {
  /// In the decoded CMS. Hunts BER and DER readers that differ, and whatever a signature does not cover.
  static let signatureOctets = Mutation(name: "der") { sample, random in
    let signature = OctetChange.apply(to: sample.signature, using: &random)
    return MutatedToken(token: sample.replacingSignature(with: signature), plaintext: nil)
  }
}
