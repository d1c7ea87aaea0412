import Gateways
import Minting
import NamedCases
import PaymentToken

/// Makes the vectors that come from the minter's named cases: the same octets on every machine.
public struct VectorGenerator: Sendable {
  /// A file to be.
  public struct Output: Hashable, Sendable {
    /// The path below the corpus, `vectors/json.json`.
    public let path: String
    /// The whole contents.
    public let bytes: [UInt8]
  }

  /// The command that files name as their generator.
  public static let command = "assay corpus generate"
  /// The seed of the corpus.
  public static let seed: UInt64 = 1
  /// The time its tokens are minted at, 2026-03-01T12:00:00Z.
  public static let time = UnixTime(secondsSinceEpoch: 1_772_366_400)

  let minter: Minter

  /// - Throws: when a library call fails.
  public init() throws(MintingError) {
    minter = try Minter(seed: Self.seed, at: Self.time)
  }

  /// Every file that is made from the seed, in the order of their paths' kinds: vectors, regressions, seeds.
  ///
  /// - Parameter progress: told how many of how many cases are minted.
  public func outputs(progress: (Int, Int) -> Void = { _, _ in }) throws(MintingError) -> [Output] {
    var collections: [VectorTheme: [VectorGroup]] = [:]
    var counts: [VectorTheme: Int] = [:]
    var regressions: [Output] = []
    let recipes = CaseRecipe.all
    for (index, recipe) in recipes.enumerated() {
      progress(index, recipes.count)
      let made = try minter.make(recipe)
      if made.name.hasPrefix(Self.regressionPrefix) {
        guard let group = group(of: made, id: 1) else { throw .recipe("a regression in no words of the format") }
        let name = made.name.dropFirst(Self.regressionPrefix.count)
        regressions.append(
          Output(path: "regressions/\(name).json", bytes: VectorWriter.write(file(of: [group]))))
        continue
      }
      guard let theme = VectorTheme.of(made) else { throw .recipe("no file holds clause \(recipe.clause)") }
      guard let group = group(of: made, id: counts[theme, default: 0] + 1) else { continue }
      counts[theme, default: 0] += 1
      collections[theme, default: []].add(group)
    }
    progress(recipes.count, recipes.count)
    collections[.merchantKeys, default: []] += try rotation(from: counts[.merchantKeys, default: 0] + 1)
    let vectors = VectorTheme.all.compactMap { theme in
      collections[theme].map { Output(path: "vectors/\(theme.name).json", bytes: VectorWriter.write(file(of: $0))) }
    }
    return vectors + regressions + (try seeds())
  }

  private static let regressionPrefix = "regression-"

  func file(of groups: [VectorGroup]) -> VectorFile {
    let used = Set(groups.flatMap { $0.tests.flatMap(\.flags) })
    return VectorFile(
      generator: Self.command, seed: Self.seed,
      notes: VectorFlag.all.filter { used.contains($0.name) }.map(\.note), groups: groups)
  }

  /// The case as a group of one test; nil for circumstances that the format has no words for.
  func group(of made: MintedCase, id: Int) -> VectorGroup? {
    guard let (policy, window) = made.words else { return nil }
    return VectorGroup(
      keys: keys(for: made), rootsPem: made.anchors.map { PEM.certificate($0) }, at: made.now, windowSeconds: window,
      policy: policy, tests: [test(of: made, in: policy.envelope, id: id)])
  }

  private func test(of made: MintedCase, in envelope: String, id: Int) -> VectorTest {
    let verdict: VectorVerdict =
      switch made.expected {
      case .accept(let plaintext), .acceptUnsigned(let plaintext): .accept(plaintext: plaintext)
      case .reject(let fault): .reject(fault)
      }
    var comment = made.name.split(separator: "-").joined(separator: " ")
    if !made.note.isEmpty { comment += "; \(made.note)" }
    return VectorTest(
      id: id, name: made.name, comment: comment,
      flags: VectorFlag.flags(of: made).map(\.name),
      clauses: [made.clause] + RuleClauses.further(verdict: verdict, envelope: envelope),
      prelude: made.prelude, token: made.token, verdict: verdict)
  }

  /// Keys of both versions where the choice of the key is what the case is about, else those of its version.
  private func keys(for made: MintedCase) -> [VectorKey] {
    let ec = minter.merchants.flatMap(\.keys).map { VectorKey($0) }
    let rsa = minter.rsaMerchants.flatMap(\.keys).map { VectorKey($0) }
    if made.clause == "10.1" { return ec + rsa }
    return switch made.version {
    case .ecV1: ec
    case .rsaV1: rsa
    }
  }
}

extension [VectorGroup] {
  /// Adds the tests of a group to the one of the same circumstances, if there is one.
  fileprivate mutating func add(_ group: VectorGroup) {
    let index = firstIndex { $0.hasSameCircumstances(as: group) }
    if let index { self[index].tests += group.tests } else { append(group) }
  }
}

extension VectorGroup {
  /// Whether tests of both belong together.
  func hasSameCircumstances(as other: VectorGroup) -> Bool {
    at == other.at && windowSeconds == other.windowSeconds && policy == other.policy && rootsPem == other.rootsPem
      && keys == other.keys
  }
}
