import Differential
public import Minting
public import PaymentToken
public import TestCases

/// The built-in fuzzing loop, an evolutionary fuzzer guided by structural features, and by code coverage in a coverage
/// build.
///
/// - *Queue.* `LoopCorpus` holds the samples that were kept. Each step picks a parent, with a preference for samples
///   that reach late stages and for recent ones, and applies one to six mutations (`MutationChoice.picks`).
/// - *Novelty.* `Features` hashes the verdict of the mutated sample with each of its structural features. A sample with
///   a feature that was not seen before is kept.
/// - *Energy.* `MutationChoice` weights the mutations by how often they lately led to new samples, within a factor of
///   eight, so that no mutation starves, and by their numbers of cases.
/// - *Checks.* `Examiner` checks every sample for violations. Two expensive properties are checked on random samples:
///   rewritings (one in 12), and secrets in the text about an accepted token (one in 64).
/// - *Minimization.* A violation is returned with its parent. `Triage` replays it, after `history` if necessary, and
///   shrinks it.
///
/// It runs on one thread in the release binary. The same seed, stream and corpus give the same work.
public struct FuzzLoop {
  /// The result of a step.
  public enum Outcome: Sendable {
    case nothing
    /// A sample given to `take` has no new feature. The outcome for a mutated sample is then `nothing`.
    case covered
    case kept(Kept)
    case found(Found)
  }

  /// A sample with a new feature.
  public struct Kept: Sendable {
    /// As the bytes of a file.
    public let sample: [UInt8]
    /// The stage that decided.
    public let stage: VerificationStage
    public let isAccepted: Bool
    /// All its structural features (`Features`).
    public let features: [UInt64]
    /// The coverage features that were new to the loop.
    package let coverage: [CoverageFeature]
    /// The fingerprint of an accepted signed token, for other processes' ledgers; otherwise empty.
    public let fingerprint: [UInt8]

    package init(
      sample: [UInt8], stage: VerificationStage, isAccepted: Bool, features: [UInt64],
      coverage: [CoverageFeature] = [], fingerprint: [UInt8] = []
    ) {
      self.fingerprint = fingerprint
      self.sample = sample
      self.stage = stage
      self.isAccepted = isAccepted
      self.features = features
      self.coverage = coverage
    }
  }

  /// A violation with its sample and origin.
  public struct Found: Sendable {
    public let violation: Violation
    public let sample: TestInput
    /// The sample that it was mutated from.
    public let parent: TestInput
    public let mutations: [String]
    /// The other requests of the history that showed the violation.
    var companions: [TestInput] = []
  }

  /// The sample of the last step, so that an external program can be asked about it; nil if there was none, or if the
  /// engines do not decide it equally.
  private(set) var lastExamined: (sample: TestInput, mutations: [String], verdict: TestVerdict)?
  public private(set) var corpus: LoopCorpus
  public private(set) var statistics = LoopStatistics()
  private var sentStatistics = LoopStatistics()
  let engines: FuzzEngines
  private var examiner: Examiner
  private var choice: MutationChoice
  private var random: QuickGenerator
  /// The most recent samples, in order, which the engines may remember.
  public private(set) var history: [TestInput] = []
  private static let historySize = 64

  /// - Parameters:
  ///   - corpus: the samples to start from.
  ///   - seed: the seed of the run.
  ///   - stream: the random stream of this worker.
  ///   - excluding: names of excluded mutations.
  package init(
    corpus: LoopCorpus, engines: FuzzEngines, seed: UInt64, stream: UInt64, excluding: Set<String> = []
  ) {
    self.corpus = corpus
    self.engines = engines
    examiner = Examiner(engines, .loop(seed: seed &+ stream))
    choice = MutationChoice(excluding: excluding)
    random = QuickGenerator(seed: seed, stream: stream)
    sampleSigner.donorSamples = Array(corpus.entries.suffix(512))
  }

  private var sampleSigner: SampleSigner { engines.sampleSigner }

  /// The statistics since the last call.
  public mutating func takeStatistics() -> LoopStatistics {
    defer { sentStatistics = statistics }
    return statistics.since(sentStatistics)
  }

  /// Examines a sample without mutating it.
  ///
  /// - Returns: `.covered` if the loop knew all its features; `.nothing` if it cannot be kept.
  public mutating func take(_ sample: TestInput, willExamine: (TestInput) -> Void = { _ in }) -> Outcome {
    let start = ProcessorClock.nanoseconds
    defer { statistics[.microseconds] += Int((ProcessorClock.nanoseconds - start) / 1_000) }
    willExamine(sample)
    let outcome = examine(sample, parent: sample, mutations: [])
    // A sample of an earlier run may be signed with a key that only its named case had, and the ledger of that run is
    // gone.
    if case .found(let found) = outcome, found.violation.kind == .forgery { return .nothing }
    if case .nothing = outcome, sample.request.count <= Self.keptSize { return .covered }
    return outcome
  }

  /// Mutates one sample and examines the result.
  ///
  /// - Parameter willExamine: called before the engines run, which may crash.
  /// - Throws: when a library call fails.
  public mutating func step(willExamine: (TestInput) -> Void = { _ in }) throws(MintingError) -> Outcome {
    let start = ProcessorClock.nanoseconds
    defer { statistics[.microseconds] += Int((ProcessorClock.nanoseconds - start) / 1_000) }
    lastExamined = nil
    guard let parent = corpus.pick(using: &random) else { return .nothing }
    let picks = choice.picks(using: &random)
    let mutated = try sampleSigner.mutate(parent, by: picks.map { Mutation.all[$0] }, using: &random)
    guard !mutated.mutations.isEmpty, mutated.sample != parent else { return .nothing }
    willExamine(mutated.sample)
    let applied = picks.filter { index in mutated.mutations.contains { $0.name == Mutation.all[index].name } }
    return examine(
      mutated.sample, parent: parent, mutations: applied, expected: mutated.expected,
      origin: mutated.origin)
  }

  private mutating func examine(
    _ sample: TestInput, parent: TestInput, mutations: [Int], expected: TestVerdict? = nil,
    origin: Draft? = nil
  ) -> Outcome {
    let examination = examiner.examine(sample, expected: expected, parent: parent)
    statistics[.unplayedHistories] = examiner.histories?.unplayedCount ?? 0
    lastExamined = nil
    remember(sample)
    let verdict = examination.comparison.first
    let names = mutations.map { Mutation.all[$0].name }
    if let violation = examination.violation {
      statistics.note(verdict, by: mutations, isKept: false)
      return .found(
        Found(
          violation: violation, sample: sample, parent: parent, mutations: names, companions: examination.companions))
    }
    let draft = Draft(sample, in: sampleSigner, like: origin)
    let structure = Features(of: draft, examination.comparison)
    let isAccepted = if case .success = verdict { true } else { false }
    if isAccepted, structure.signatureHashes.contains(where: { !corpus.knows($0) }) {
      if let violation = examiner.confirm(examination, of: sample) {
        statistics.note(verdict, by: mutations, isKept: false)
        return .found(Found(violation: violation, sample: sample, parent: parent, mutations: names))
      }
    }
    lastExamined = (sample, names, TestVerdict(verdict))
    let coverage = examination.coverage.filter { !corpus.coverage.contains($0) }
    // Before `learn`: features are learned only from samples that are kept, or a later sample with the same features
    // would be dropped although the corpus has none.
    if let found = further(sample, draft, verdict, names) {
      statistics.note(verdict, by: mutations, isKept: false)
      return .found(found)
    }
    let isNew = sample.request.count <= Self.keptSize && corpus.learn(structure.hashes, coverage)
    statistics.note(verdict, by: mutations, isKept: isNew)
    choice.note(mutations, isKept: isNew)
    guard isNew else { return .nothing }
    var fingerprint: [UInt8] = []
    if case .success(.signed(let token)) = verdict { fingerprint = sampleSigner.fingerprint(of: token) }
    let kept = Kept(
      sample: sample.file(defaults: sampleSigner.defaultContext), stage: Features.stage(verdict),
      isAccepted: isAccepted, features: structure.hashes, coverage: coverage, fingerprint: fingerprint)
    corpus.append(sample, kept)
    sampleSigner.remember(draft, of: sample)
    if random.chance(4) { sampleSigner.donorSamples.append(sample) }
    return .kept(kept)
  }

  /// Larger samples are not kept: only their size is new, and they would slow down the rest of the run.
  private static let keptSize = 70_000

  /// Checks the expensive properties on some samples.
  private mutating func further(
    _ sample: TestInput, _ draft: Draft, _ verdict: Verdict, _ names: [String]
  ) -> Found? {
    if random.chance(12) {
      let rewriting = random.pick(Rewriting.allCases)
      if rewriting.applies(to: verdict), let rewritten = rewriting.apply(to: draft, using: &random) {
        statistics[.rewritings] += 1
        if let violation = examiner.examine(rewritten, by: rewriting, answered: verdict) {
          return Found(violation: violation, sample: rewritten, parent: sample, mutations: names + [rewriting.rawValue])
        }
      }
    }
    guard random.chance(64), let explanation = engines.explanation, case .success = verdict,
      Examiner.showsSecrets(explanation(sample), about: verdict)
    else { return nil }
    return Found(
      violation: Violation(.secret, Examiner.text(verdict), "secret bytes in text about it"), sample: sample,
      parent: sample, mutations: names)
  }

  private mutating func remember(_ sample: TestInput) {
    if history.count >= Self.historySize * 2 { history.removeFirst(Self.historySize) }
    history.append(sample)
  }
}
