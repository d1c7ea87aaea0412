import Corpus
import Gateways
import HostIO
import Minting
import NamedCases
import PaymentToken
import Reports
import TestCases

/// The tests of a run: read from vectors, corpora and files, or minted.
package struct TestSources {
  package private(set) var groups: [TestGroup] = []
  /// Explanations of flags.
  package private(set) var notes: [String: VectorNote] = [:]
  /// Where the tests came from and how many, for people.
  package private(set) var origins: [String] = []
  /// Whether they include all tests of a suite: of a corpus, or of the file of the suite `core`.
  package private(set) var areWholeSuite = false
  /// The selected tests, by number or name; empty for all.
  private let tests: Set<String>
  /// The keys and roots for plain requests.
  private let setting: TestSetting
  /// The context for plain requests.
  private let context: TestContext
  /// Whether the context's envelope was named; otherwise a request's folder may name it.
  private let namesEnvelope: Bool
  /// How many files of the current path are requests, not vectors.
  private var requests = 0
  /// The names of the current path's vectors, also of those that are not selected.
  private var names: Set<String> = []
  private var places: [GroupKey: Int] = [:]

  /// Cases of one setting and window are joined, so that no program is started needlessly.
  private struct GroupKey: Hashable {
    let setting: TestSetting
    let windowSeconds: UInt32?
  }

  /// Reads the files and mints the cases.
  ///
  /// - Parameters:
  ///   - paths: corpora, files of vectors, folders of requests and requests.
  ///   - setting: the keys and roots for plain requests.
  ///   - context: the context for plain requests.
  ///   - namesEnvelope: whether the context's envelope was named; otherwise a request's folder may name it.
  ///   - tests: numbers or names; all when empty.
  ///   - suite: what else the tests must belong to.
  ///   - mint: how many cases to mint from the seed.
  /// - Throws: `CommandError` when an input cannot be read, and when no test is left.
  package init(
    _ paths: [String], setting: TestSetting, context: TestContext, namesEnvelope: Bool, tests: Set<String>,
    suite: CorpusSuite = .project, mint: Int, seed: UInt64
  ) throws(CommandError) {
    self.tests = tests
    self.setting = setting
    self.context = context
    self.namesEnvelope = namesEnvelope
    for path in paths { try add(path) }
    if mint > 0 {
      for group in try Self.minted(mint, seed: seed) { add(group) }
      for flag in VectorFlag.all { notes[flag.name] = flag.note }
      origins.append("\(mint) minted, seed \(seed)")
    }
    select(suite)
    let found = groups.lazy.flatMap(\.cases)
    if let absent = tests.subtracting(found.flatMap { [$0.id, $0.name] }).min() {
      throw CommandError(.noAnswer, "no test is called \(Text.harmless(absent)).")
    }
    guard !groups.isEmpty else { throw CommandError(.noAnswer, "no test was found.") }
  }

  private mutating func select(_ suite: CorpusSuite) {
    guard suite != .project else { return }
    groups = suite.groups(of: groups)
    origins.append("\(groups.reduce(0) { $0 + $1.cases.count }) of them in the suite \(suite.rawValue)")
  }

  private mutating func add(_ path: String) throws(CommandError) {
    let before = groups.reduce(0) { $0 + $1.cases.count }
    requests = 0
    names = []
    var isWholeSuite = false
    if FolderWalk.isFolder("\(path)/vectors") {
      // A corpus also has files that are not inputs.
      let corpus = CorpusFolder(path: path)
      for file in try corpus.paths([.vectors]) { try add(file: "\(path)/\(file)", mustBeVectors: true) }
      isWholeSuite = names.count >= CorpusSuite.vectorCount
      for file in try corpus.paths([.regressions]) { try add(file: "\(path)/\(file)", mustBeVectors: true) }
      guard !names.isEmpty else { throw CommandError(.noAnswer, "\(Text.harmless(path)) has no vectors.") }
      for file in try corpus.paths([.seeds]) { try add(file: "\(path)/\(file)", mustBeVectors: false) }
    } else if FolderWalk.isFolder(path) {
      // Any other folder has only inputs and possibly a schema.
      let files = try FolderWalk.files(below: path).filter { !$0.hasSuffix("/schema.json") }
      guard !files.isEmpty else { throw CommandError(.noAnswer, "\(Text.harmless(path)) has no test.") }
      for file in files { try add(file: file, mustBeVectors: Self.mustBeVectors(file)) }
    } else {
      try add(file: path, mustBeVectors: Self.mustBeVectors(path))
      isWholeSuite = Self.isCore(path) && names.count >= CorpusSuite.coreCount
    }
    areWholeSuite = areWholeSuite || tests.isEmpty && isWholeSuite
    let count = groups.reduce(0) { $0 + $1.cases.count } - before
    origins.append("\(count) of \(path)" + (requests > 0 ? ", \(requests) of them plain requests" : ""))
  }

  private mutating func add(file path: String, mustBeVectors: Bool) throws(CommandError) {
    let bytes = try FileReader.read(path, limit: Self.fileLimit + 1)
    guard bytes.count <= Self.fileLimit else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is too large for a file of vectors.")
    }
    guard Self.looksLikeVectors(bytes) || mustBeVectors else {
      guard tests.isEmpty else { return }
      requests += 1
      return add(TestGroup(setting: setting, cases: [requestAlone(bytes, path: path)]))
    }
    let file = try VectorReader.read(bytes, named: path)
    for note in file.notes { notes[note.flag] = note }
    for group in file.groups {
      names.formUnion(group.cases.map(\.name))
      add(Self.named(group, source: path))
    }
  }

  private mutating func add(_ group: TestGroup) {
    let cases = tests.isEmpty ? group.cases : group.cases.filter { isWanted($0) }
    if cases.isEmpty { return }
    let key = GroupKey(setting: group.setting, windowSeconds: group.windowSeconds)
    if let index = places[key] {
      groups[index].cases += cases
    } else {
      places[key] = groups.count
      groups.append(TestGroup(setting: group.setting, cases: cases))
    }
  }

  private func isWanted(_ test: TestCase) -> Bool {
    tests.contains(test.id) || tests.contains(test.name)
  }

  private static let fileLimit = 256 << 20

  /// Whether the file contains the schema's name, up to the slash, which JSON may escape.
  private static func looksLikeVectors(_ bytes: [UInt8]) -> Bool {
    let mark = Array("\"assay.vectors".utf8)
    return bytes.indices.contains { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
  }

  /// Whether the path is one where a corpus has vectors.
  private static func mustBeVectors(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().lastIndex { $0 == "vectors" || $0 == "regressions" }
    guard let folder, !isCore(path) else { return isCore(path) }
    let corpus = (parts[..<folder] + [CaseNumbers.path[...]]).joined(separator: "/")
    return parts[..<folder].contains("Corpus") || FileWriter.exists(corpus)
  }

  private static func isCore(_ path: String) -> Bool {
    path.split(separator: "/").last.map(String.init) == CorpusSuite.corePath
  }

  /// A test of a plain request; the first engine's verdict counts as right.
  private func requestAlone(_ bytes: [UInt8], path: String) -> TestCase {
    var context = context
    if !namesEnvelope, let envelope = SeedPath.envelope(ofFile: path) { context.policy.envelope = .named(envelope) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return TestCase(id: name, name: name, source: path, input: TestInput(bytes, context), expected: nil)
  }

  /// Completes a group with its source, and with whether its keys are test keys.
  private static func named(_ group: TestGroup, source: String) -> TestGroup {
    var group = group
    group.setting.hasTestKeys = TestKeys.areWorthless(in: group.setting)
    for index in group.cases.indices { group.cases[index].source = source }
    return group
  }

  // MARK: Minted

  /// Named cases in a random order, forgeries first, alternating with valid tokens. If `count` exceeds the number of
  /// cases, they are minted again from the next seed.
  private static func minted(_ count: Int, seed: UInt64) throws(CommandError) -> [TestGroup] {
    var groups: [TestGroup] = []
    var round: UInt64 = 0
    while groups.count < count {
      let minter = try VectorGenerator.minter(seed: seed &+ round)
      var stream = minter.generator.stream("cases")
      let shuffled = CaseRecipe.all.shuffled(using: &stream)
      // The classic forgeries first, by their letters, those of EC_v1 before the others: they show the most.
      let forgeries = CaseRecipe.all.filter(\.isForgery).sorted { $0.name < $1.name }
      let recipes = forgeries + shuffled.filter { !$0.isForgery }
      do {
        for (index, recipe) in recipes.enumerated() where groups.count < count {
          let made = try minter.make(recipe)
          if made.test.context.isForOtherPrograms {
            groups.append(
              TestGroup(
                setting: TestSetting(of: minter, anchors: made.anchors), cases: [VectorGenerator.flagged(made)]))
          }
          if groups.count < count { groups.append(try sound(UInt64(index), minter)) }
        }
      } catch {
        throw CommandError(.internalError, "minting failed: \(error).")
      }
      round += 1
    }
    return groups
  }

  /// How many valid tokens are like Apple's; later ones vary more.
  private static let plainCount: UInt64 = 40

  private static func sound(_ index: UInt64, _ minter: Minter) throws(MintingError) -> TestGroup {
    let recipe = minter.recipe(index: index, index.isMultiple(of: 4) ? .rsaV1 : .ecV1)
    let oddities = index < plainCount ? [] : recipe.oddities
    var test = minter.soundCase(
      try minter.mint(oddities.isEmpty ? recipe.plain : recipe), id: "sound-\(index)")
    test.standing = Standing(.apple, .apple, .interoperability)
    if !oddities.isEmpty {
      test.comment += " with " + oddities.joined(separator: ", ")
      test.standing = Standing(.apple, .project, .choice)
    }
    return TestGroup(setting: TestSetting(of: minter), cases: [test])
  }
}
