import Corpus
import Differential
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import ReferenceDecryption
import Synchronization
import TestCases
import Testing

/// The check that an engine decides a request in every history as it does alone.
@Suite struct HistoryCheckTests {
  private let engine: any TokenDecryptor
  private let setting: TestSetting
  private let inputs: [TestInput]

  init() throws {
    let minter = try VectorGenerator.minter()
    engine = try Engines.minted(minter).fast
    setting = TestSetting(of: minter, keys: TestKey.all(of: minter, .ecV1))
    let context = TestContext(now: minter.time)
    let tokens = try (0..<4).map { try minter.layers(TokenRecipe(index: $0)).token }
    inputs = (tokens + [Array("{}".utf8)] + tokens + [Array(tokens[0].dropLast())]).map { TestInput($0, context) }
  }

  /// What the check says of an engine whose answers are altered in histories, over all inputs in turn.
  private func findings(isWiped: Bool = true, _ change: @escaping Alteration = { $2 }) throws -> [String] {
    var check = HistoryCheck(AlteredHistories(isWiped: isWiped, change: change), effort: .every)
    check.begin(setting)
    return inputs.compactMap { input in
      check.contradiction(to: input.verdict(by: engine), on: input, origins: [inputs[1]])?.text
    }
  }

  @Test func `a sound engine decides in histories of every mode as it does alone`() throws {
    var sizes: [HistoryMode: Set<Int>] = [:]
    #expect(
      try findings { inputs, place, verdicts in
        sizes[place.mode, default: []].insert(inputs.count)
        return verdicts
      } == [])
    #expect(Set(sizes.keys) == Set(HistoryMode.allCases))
    #expect(sizes[.batch]?.contains(3) == true)
  }

  /// All requests take the slow path until one of them has cached their chain. On a busy machine they wait there, so
  /// the queue must have room for all.
  @Test func `the pool has room for a history of any length`() {
    let target = FastHistoryTarget()
    target.begin(setting)
    var place = HistoryPlace()
    place.mode = .pool
    let inputs = Array(repeating: inputs[0], count: 3_000)
    #expect(target.decide(inputs, in: place) == Array(repeating: inputs[0].verdict(by: engine), count: 3_000))
  }

  @Test func `a history for which the system gives no thread is no finding, and is counted`() throws {
    var check = HistoryCheck(AlteredHistories(isWiped: true) { $1.mode == .pool ? nil : $2 }, effort: .every)
    check.begin(setting)
    #expect(check.contradiction(to: inputs[0].verdict(by: engine), on: inputs[0]) == nil)
    #expect(check.unplayedCount > 0 && check.lack != nil)
  }

  @Test func `a verdict of the neighbour is found in each mode`() throws {
    for mode in HistoryMode.allCases {
      let found = try findings { _, place, verdicts in place.mode == mode ? verdicts.reversed() : verdicts }
      #expect(!found.isEmpty, "\(mode)")
    }
  }

  @Test func `a verdict that is wrong after a rejected request only is found`() throws {
    let found = try findings { _, _, verdicts in
      guard verdicts.count > 1, case .failure = verdicts[0], case .success = verdicts[1] else { return verdicts }
      return verdicts.map { _ in verdicts[0] }
    }
    #expect(!found.isEmpty)
  }

  @Test func `contents of another token are found where the verdict is right`() throws {
    var last: Verdict?
    let found = try findings { _, _, verdicts in
      defer { last = verdicts.last { if case .success = $0 { true } else { false } } ?? last }
      return verdicts.map { verdict in if case .success = verdict, let last { last } else { verdict } }
    }
    #expect(!found.isEmpty)
  }

  @Test func `an engine that keeps keys or roots of the one before is found`() throws {
    var first: Verdict?
    func remembered(_ isOther: @escaping (HistoryPlace) -> Bool) throws -> Bool {
      try !findings { _, place, verdicts in
        if !isOther(place), first == nil, case .success? = verdicts.first { first = verdicts[0] }
        return isOther(place) ? verdicts.map { first ?? $0 } : verdicts
      }.isEmpty
    }
    #expect(try remembered { $0.keys == .foreign || $0.keys == .renamed })
    #expect(try remembered { $0.roots == .foreign })
  }

  @Test func `a lost verdict and a secret in memory are found`() throws {
    #expect(try !findings { _, _, verdicts in verdicts.count > 2 ? verdicts.dropLast() : verdicts }.isEmpty)
    #expect(try !findings(isWiped: false).isEmpty)
  }

  @Test func `a replay is found with its prelude in each mode`() throws {
    var input = inputs[0]
    input.context.prelude = [input.request]
    input.context.policy.freshness = .window(seconds: 300, replay: .capacity(8))
    let verdict = input.verdict(by: engine)
    #expect(verdict == .failure(TokenFault(.replayedTransaction)))
    let target = FastHistoryTarget()
    target.begin(setting)
    for mode in HistoryMode.allCases {
      var place = HistoryPlace()
      place.mode = mode
      #expect(target.decide([input], in: place) == [verdict], "\(mode)")
    }
  }

  @Test func `origins are sound tokens, the first with a signature as long as the case's`() throws {
    let minter = try VectorGenerator.minter()
    let engine = try Engines.minted(minter).reference
    for name in ["signing-time-", "forgery-f-the-signature-of-another-token", "rsa-tag-with-a-bit-flipped-in-byte-0"] {
      let recipe = try #require(CaseRecipe.named(name) ?? CaseRecipe.all.first { $0.name.hasPrefix(name) }, "\(name)")
      let origins = try minter.origins(of: recipe)
      #expect(!origins.isEmpty)
      for origin in origins { #expect(TestVerdict(origin.verdict(by: engine)).isAccepted, "\(name)") }
    }
  }
}

/// Changes the verdicts of requests that are decided together.
private typealias Alteration = ([TestInput], HistoryPlace, [Verdict]) -> [Verdict]?

/// The fast engine with altered answers.
private final class AlteredHistories: HistoryTarget {
  private let target = FastHistoryTarget()
  let isWiped: Bool
  private let change: Alteration

  init(isWiped: Bool, change: @escaping Alteration) {
    self.isWiped = isWiped
    self.change = change
  }

  func begin(_ setting: TestSetting) { target.begin(setting) }

  func decide(_ inputs: [TestInput], in place: HistoryPlace) -> [Verdict]? {
    target.decide(inputs, in: place).flatMap { change(inputs, place, $0) }
  }
}
