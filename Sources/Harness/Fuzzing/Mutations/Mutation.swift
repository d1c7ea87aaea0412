import Minting

/// One way to change a sample, for a class of bug. The files beside this one hold those of a layer each.
public struct Mutation: Sendable {
  /// As statistics print it, `der-length`.
  public let name: String
  /// The class of bug, one line.
  public let hunts: String
  /// What it changes: all further out is wrapped again.
  public let layer: Layer
  /// Changes a draft whose layer is there; whether it did. That this layer was changed, the mutator notes.
  let apply: @Sendable (inout Draft, inout QuickGenerator) throws(MintingError) -> Bool

  init(
    _ name: String, _ layer: Layer, hunts: String,
    _ apply: @escaping @Sendable (inout Draft, inout QuickGenerator) throws(MintingError) -> Bool
  ) {
    self.name = name
    self.layer = layer
    self.hunts = hunts
    self.apply = apply
  }

  /// The same for what changes one tree of the draft: it is put back where it was changed.
  init<Tree>(
    _ name: String, _ layer: Layer, _ tree: WritableKeyPath<Draft, Tree?> & Sendable, hunts: String,
    _ change: @escaping @Sendable (inout Tree, inout Draft, inout QuickGenerator) throws(MintingError) -> Bool
  ) {
    self.init(name, layer, hunts: hunts) { draft, random throws(MintingError) in
      guard var changed = draft[keyPath: tree], try change(&changed, &draft, &random) else { return false }
      draft[keyPath: tree] = changed
      return true
    }
  }

  /// All of them, the innermost layer first. A new one is a constant in its layer's file and a word here.
  public static let all: [Mutation] = [
    .payloadOctets, .payloadMembers, .payloadValues, .payloadAmount, .payloadKind, .payloadSize,
    .ciphertext, .ephemeralKey, .leadingZeros, .wrappedKey, .merchantKey, .identifiers, .boundaries, .lengths,
    .certificateBag, .certificateFields, .certificateExtensions, .certificateDates, .certificateSignature,
    .otherRoot, .leafKey, .crossedSigner,
    .attributes, .attributeValues, .signingTime, .signer,
    .derLength, .derTag, .derStructure, .derContents, .derDepth, .derCut, .derOctets, .signatureValue, .signerInfo,
    .wrappers,
    .jsonMembers, .jsonValues, .jsonEscapes, .alikeNames, .base64Text, .hexText, .version,
    .tokenOctets, .tokenSpace, .tokenUTF8, .tokenCut, .size,
    .requestMembers, .requestFields, .requestRoute, .requestOctets, .requestSpace,
    .splice, .envelopes, .time, .revocation, .expectations, .replay, .policy, .namedCase,
  ]

  /// The mutation of that name.
  public static func named(_ name: String) -> Mutation? { all.first { $0.name == name } }
}
