public import Minting
public import TestCases

/// One way to change a sample, aimed at a class of bugs. The other files of this folder hold the mutations, mostly by
/// layer.
public struct Mutation: Sendable {
  /// The name in statistics, for example `der-length`.
  public let name: String
  /// The class of bugs that it targets, in one line.
  public let hunts: String
  /// The layer that it changes; the layers around it are rebuilt.
  public let layer: Layer
  /// Whether it respells what another mutation changed. Such mutations come after the others of their layer.
  let isRespelling: Bool
  /// How often it is chosen in comparison with others: more often if it has many cases.
  let weight: Double
  /// Changes a draft that has the layer. Returns whether it changed anything; `SampleSigner.mutate` then marks the
  /// layer as changed.
  let apply: @Sendable (inout Draft, inout QuickGenerator) throws(MintingError) -> Bool

  init(
    _ name: String, _ layer: Layer, hunts: String, isRespelling: Bool = false, weight: Double = 1,
    _ apply: @escaping @Sendable (inout Draft, inout QuickGenerator) throws(MintingError) -> Bool
  ) {
    self.name = name
    self.layer = layer
    self.hunts = hunts
    self.isRespelling = isRespelling
    self.weight = weight
    self.apply = apply
  }

  /// A mutation of one tree of the draft, which is stored again if it was changed.
  init<Tree>(
    _ name: String, _ layer: Layer, _ tree: WritableKeyPath<Draft, Tree?> & Sendable, hunts: String,
    isRespelling: Bool = false, weight: Double = 1,
    _ change: @escaping @Sendable (inout Tree, inout Draft, inout QuickGenerator) throws(MintingError) -> Bool
  ) {
    self.init(name, layer, hunts: hunts, isRespelling: isRespelling, weight: weight) {
      draft, random throws(MintingError) in
      guard var changed = draft[keyPath: tree], try change(&changed, &draft, &random) else { return false }
      draft[keyPath: tree] = changed
      return true
    }
  }

  /// All mutations, mostly by layer. To add one, define a constant in its layer's file and list it here.
  public static let all: [Mutation] = [
    .payloadBytes, .payloadMembers, .payloadAmount, .payloadKind, .payloadSize,
    .payloadBoundaries, .payloadLimits, .respelledPayload,
    .ciphertext, .ephemeralKey, .leadingZeros, .wrappedKey, .merchantKey, .identifiers, .boundaries, .lengths,
    .certificateBag, .certificateFields, .certificateExtensions, .certificateDates, .certificateSignature,
    .otherRoot, .leafKey, .crossedSigner,
    .attributes, .attributeValues, .signingTime, .signer,
    .derLength, .derTag, .derStructure, .derContents, .derDepth, .derCut, .derBytes, .signatureValue, .signerInfo,
    .wrappers,
    .jsonMembers, .jsonValues, .jsonEscapes, .alikeNames, .base64Text, .hexText, .version,
    .memberBoundaries, .memberLimits, .respelledMembers,
    .tokenBytes, .tokenSpace, .tokenUTF8, .tokenCut, .size,
    .requestMembers, .requestFields, .requestRoute, .requestBytes, .requestSpace,
    .requestBoundaries, .requestLimits, .respelledRequest,
    .splice, .envelopes, .time, .revocation, .expectations, .replay, .policy, .namedCase, .prelude,
  ]

  /// The mutation with this name.
  public static func named(_ name: String) -> Mutation? { all.first { $0.name == name } }
}

/// A mutated sample.
public struct MutatedSample {
  public var sample: TestInput
  /// The mutations that were applied, in order; fewer than requested if some could not be applied.
  public var mutations: [Mutation]
  /// The expected verdict, if it is known.
  package var expected: TestVerdict?
  /// The sample before it was mutated, decoded.
  let origin: Draft
}

extension SampleSigner {
  /// Applies mutations to a sample: the innermost layer first, and within a layer the respellings last. The same
  /// sample, random stream and `donorSamples` give the same result.
  ///
  /// - Throws: when a library call fails.
  public func mutate(
    _ sample: TestInput, by mutations: [Mutation], using random: inout QuickGenerator
  ) throws(MintingError) -> MutatedSample {
    var draft = draft(of: sample)
    let origin = draft
    // Mutations of the request need members around the token: put a bare token into a gateway's request.
    if case .bare? = draft.location, mutations.contains(where: { $0.layer == .request }),
      try Mutation.envelopes.apply(&draft, &random)
    {
      draft = Draft(draft.sample, in: self)
    }
    // Sometimes nothing is signed again, which tests that the signature covers the change.
    if random.chance(10) { draft.isLeftStale = true }
    // Often drop the earlier requests, because each takes as long as the sample itself.
    if random.chance(2) { draft.context.prelude = [] }
    var applied: [Mutation] = []
    let ordered = mutations.sorted { ($0.layer, $0.isRespelling ? 1 : 0) < ($1.layer, $1.isRespelling ? 1 : 0) }
    for mutation in ordered {
      try draft.settle(to: mutation.layer, using: &random)
      guard draft.has(mutation.layer), try mutation.apply(&draft, &random) else { continue }
      draft.touch(mutation.layer)
      applied.append(mutation)
    }
    try draft.settle(to: .context, using: &random)
    // The expectation holds only if nothing changed after the named case.
    let expected = applied.last?.name == Mutation.namedCase.name ? draft.expected : nil
    return MutatedSample(sample: draft.sample, mutations: applied, expected: expected, origin: origin)
  }
}
