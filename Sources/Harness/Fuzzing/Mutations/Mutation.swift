public import Minting
public import TestCases

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
    .payloadBytes, .payloadMembers, .payloadValues, .payloadAmount, .payloadKind, .payloadSize,
    .ciphertext, .ephemeralKey, .leadingZeros, .wrappedKey, .merchantKey, .identifiers, .boundaries, .lengths,
    .certificateBag, .certificateFields, .certificateExtensions, .certificateDates, .certificateSignature,
    .otherRoot, .leafKey, .crossedSigner,
    .attributes, .attributeValues, .signingTime, .signer,
    .derLength, .derTag, .derStructure, .derContents, .derDepth, .derCut, .derBytes, .signatureValue, .signerInfo,
    .wrappers,
    .jsonMembers, .jsonValues, .jsonEscapes, .alikeNames, .base64Text, .hexText, .version,
    .tokenBytes, .tokenSpace, .tokenUTF8, .tokenCut, .size,
    .requestMembers, .requestFields, .requestRoute, .requestBytes, .requestSpace,
    .splice, .envelopes, .time, .revocation, .expectations, .replay, .policy, .namedCase,
  ]

  /// The mutation of that name.
  public static func named(_ name: String) -> Mutation? { all.first { $0.name == name } }
}

/// Applies mutations to samples: the same sample and the same stream give the same bytes.
public struct Mutator {
  private let workshop: Workshop

  public init(_ workshop: Workshop) {
    self.workshop = workshop
  }

  /// A sample changed by several mutations, and by which of them.
  public struct Mutated: Sendable {
    public var sample: TestInput
    /// In the order applied; fewer than asked for where a layer was missing, none when nothing changed.
    public var mutations: [Mutation]
    /// What must be said of it, where that is known.
    package var expected: TestVerdict?
  }

  /// Changes a sample by these mutations, the innermost layer first.
  ///
  /// - Throws: when a library call fails.
  public func mutate(
    _ sample: TestInput, by mutations: [Mutation], using random: inout QuickGenerator
  ) throws(MintingError) -> Mutated {
    var draft = Draft(sample, in: workshop)
    // Sometimes nothing is signed again, so that what the signature must cover is put to the test.
    if random.chance(10) { draft.isLeftStale = true }
    var applied: [Mutation] = []
    for mutation in mutations.sorted(by: { $0.layer < $1.layer }) {
      try draft.settle(to: mutation.layer, using: &random)
      guard draft.has(mutation.layer), try mutation.apply(&draft, &random) else { continue }
      draft.touch(mutation.layer)
      applied.append(mutation)
    }
    try draft.settle(to: .context, using: &random)
    // A case that was changed further is no case any more.
    let expected = applied.last?.name == Mutation.namedCase.name ? draft.expected : nil
    return Mutated(sample: draft.sample, mutations: applied, expected: expected)
  }

  /// Parts of two samples in one: members of the second's token, or its tail as text.
  public func cross(_ first: TestInput, _ second: TestInput, using random: inout QuickGenerator) throws(MintingError)
    -> TestInput
  {
    var draft = Draft(first, in: workshop)
    let other = Draft(second, in: workshop)
    if random.chance(4) || draft.token == nil || other.token == nil {
      let head = first.request.prefix(random.below(first.request.count + 1))
      let tail = second.request.suffix(random.below(second.request.count + 1))
      return TestInput(Array(head) + Array(tail), first.context)
    }
    for _ in 0..<random.pick([1, 2, 4]) {
      let path = random.pick(TokenNames.paths)
      draft.token?[path[...]] = other.token?[path[...]]
    }
    draft.touch(.members)
    if random.chance(3) { draft.context = second.context }
    try draft.settle(to: .context, using: &random)
    return draft.sample
  }
}
