public import TestCases

/// A part of the corpus to adopt; each suite contains the one before it.
public enum CorpusSuite: String, Hashable, Sendable, CaseIterable {
  /// About 170 vectors, one for each kind of bug: see `CoreSelection`.
  case core
  /// What Apple's format or a standard decides, and inputs that crash decryptors.
  case strict
  /// Every vector, also the choices of this project.
  case project

  /// The file that has the vectors of `core`, below the corpus.
  public static let corePath = "core.json"

  /// How many named vectors `core.json` has, and how many all files below `vectors` have together. With fewer, a suite
  /// is incomplete.
  package static let (coreCount, vectorCount) = (174, 5_687)

  /// The tests of the suite, in their groups. Groups without such tests are left out.
  public func groups(of groups: [TestGroup]) -> [TestGroup] {
    let isWanted = filter(groups)
    return groups.compactMap { group in
      let cases = group.cases.filter(isWanted)
      return cases.isEmpty ? nil : TestGroup(setting: group.setting, cases: cases)
    }
  }

  /// The smallest suite of each test of these groups.
  static func smallest(in groups: [TestGroup]) -> (TestCase) -> CorpusSuite {
    let filters = allCases.map { ($0, $0.filter(groups)) }
    return { test in filters.first { $0.1(test) }?.0 ?? .project }
  }

  private func filter(_ groups: [TestGroup]) -> (TestCase) -> Bool {
    switch self {
    case .core:
      let names = CoreSelection(of: groups).names
      return { names.contains($0.name) }
    case .strict: return Self.isStrict
    case .project: return { _ in true }
    }
  }

  /// Whether Apple's format or a standard decides the test and the other verdict is wrong; or it is a forgery, which
  /// must be rejected on any basis; or both verdicts are acceptable, but a crash is not.
  static func isStrict(_ test: TestCase) -> Bool {
    guard let standing = test.standing else { return false }
    return standing.basis != .project && standing.severity != .choice || standing.isForgery || mayCrash(test)
  }

  /// Whether the input is large enough to exhaust a stack, and no larger than a token may be.
  static func mayCrash(_ test: TestCase) -> Bool {
    test.expected?.isAccepted == false && crashSizes.contains(test.request.count)
      && !crashFlags.isDisjoint(with: test.flags)
  }

  /// In bytes.
  private static let crashSizes = 12_288...16_384
  private static let crashFlags = Set(
    VectorFlag.all.map(\.note).filter { $0.bugType == VectorFlag.BugType.denialOfService.rawValue }.map(\.flag))
}
