import HostIO
import Minting
import NamedCases
import PaymentToken
import TestCases

/// Makes the corpus' generated files from the named cases: the same bytes on every machine.
public struct VectorGenerator: Sendable {
  /// The command that files name as their generator.
  public static let command = "assay corpus generate"
  /// The version of the corpus: one more for each release whose generated files differ. Corpus/README.md lists the
  /// changes.
  public static let corpusVersion = 6
  /// The seed of the corpus.
  public static let seed: UInt64 = 1
  /// The time its tokens are minted at, 2026-03-01T12:00:00Z.
  public static let time = UnixTime(secondsSinceEpoch: 1_772_366_400)

  let minter: Minter

  /// Makes the minter of the corpus.
  ///
  /// - Throws: when a library call fails.
  public init() throws(MintingError) {
    minter = try Minter(seed: Self.seed, at: Self.time)
  }

  /// The corpus' minter, or one of another seed at the same time.
  ///
  /// - Throws: `CommandError` when a library call fails.
  package static func minter(seed: UInt64 = seed) throws(CommandError) -> Minter {
    do {
      return try Minter(seed: seed, at: time)
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
  }

  /// Every generated file: the suite `core`, vectors of named cases, constructed vectors, regressions, seeds, and the
  /// numbers of all cases.
  ///
  /// - Parameters:
  ///   - numbers: those that the corpus has; new cases get the next ones.
  ///   - progress: called with the number of minted cases and the number of all cases.
  public func outputs(
    numbers: CaseNumbers, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(MintingError) -> [CorpusFile] {
    var numbers = numbers
    var collections: [VectorTheme: [TestGroup]] = [:]
    var regressions: [CorpusFile] = []
    var regressionGroups: [TestGroup] = []
    let subjects = try subjects(progress: progress)
    for subject in subjects {
      let made = subject.made
      if made.traits.contains(.regression) {
        guard made.test.context.isExpressible else { throw .recipe("a regression that the format cannot express") }
        let group = group(of: made, id: 1)
        let name = made.test.name.dropFirst("regression-".count)
        regressionGroups.append(group)
        regressions.append(
          CorpusFile(path: "regressions/\(name).json", bytes: VectorWriter.write(file(of: [group]))))
        continue
      }
      guard let theme = VectorTheme.of(made) else { throw .recipe("no file holds clause \(made.test.clauses)") }
      guard made.test.context.isExpressible else { continue }
      let id = numbers.id(in: theme.name, of: subject.recipe.seed)
      guard !made.traits.contains(.exhaustiveOnly) else { continue }
      collections[theme, default: []].add(group(of: made, id: id))
    }
    let selection = try CoveringSelection(subjects)
    let spelled = selection.chosen.filter { isOfFirstKey($0.base) }.map(\.made)
    for group in try externalKeys(spelled, &numbers) {
      collections[.callers, default: []].add(group)
    }
    collections[.merchantKeys, default: []] += try rotation(&numbers)
    let vectors = VectorTheme.all.compactMap { theme in
      collections[theme].map { CorpusFile(path: "vectors/\(theme.name).json", bytes: VectorWriter.write(file(of: $0))) }
    }
    let core = core(of: VectorTheme.all.flatMap { collections[$0] ?? [] } + regressionGroups)
    return [core] + vectors + (try constructed(selection)) + regressions + (try seeds()) + [numbers.output]
  }

  func file(of groups: [TestGroup]) -> VectorFile {
    let used = Set(groups.flatMap { $0.cases.flatMap(\.flags) })
    return VectorFile(
      generator: Self.command, corpusVersion: Self.corpusVersion, seed: Self.seed,
      notes: VectorFlag.all.filter { used.contains($0.name) }.map(\.note), groups: groups)
  }

  /// The case as a group of one test; the format must be able to express its context.
  func group(of made: MintedCase, id: Int) -> TestGroup {
    TestGroup(
      setting: TestSetting(of: minter, keys: keys(for: made), anchors: made.anchors), cases: [test(of: made, id: id)])
  }

  /// The case as a test.
  ///
  /// - Parameter base: the named case whose spelling it is; nil for a named case.
  func test(of made: MintedCase, from base: MintedCase? = nil, id: Int) -> TestCase {
    var test = made.test
    test.id = String(id)
    test.comment = (base ?? made).test.name.split(separator: "-").joined(separator: " ")
    if base?.test.name != made.test.name, base != nil { test.comment += ", in another spelling" }
    if !made.test.comment.isEmpty { test.comment += "; \(made.test.comment)" }
    test.flags = VectorFlag.flags(of: base ?? made).map(\.name)
    test.clauses += RuleClauses.further(for: made.test)
    return test
  }

  /// The test of a case, with its flags.
  package static func flagged(_ made: MintedCase) -> TestCase {
    var test = made.test
    test.flags = VectorFlag.flags(of: made).map(\.name)
    return test
  }

  /// The keys of both versions for cases about the choice of a key (rule 10.1), otherwise those of the case's version.
  func keys(for made: MintedCase) -> [TestKey] {
    made.test.clauses == ["10.1"] ? TestKey.all(of: minter) : TestKey.all(of: minter, made.version)
  }
}

extension [TestGroup] {
  /// Adds the cases of a group to the group of the same setting, time and policy; without one, appends the group.
  mutating func add(_ group: TestGroup) {
    let index = firstIndex {
      $0.setting == group.setting && $0.cases[0].context.isWritten(with: group.cases[0].context)
    }
    if let index { self[index].cases += group.cases } else { append(group) }
  }
}
