import Corpus
import Foundation
import Gateways
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Every vector of the corpus on every path through the engine.
@Suite struct VectorPathTests {
  private static let folder = Package.folder.appending(path: "Corpus")

  private static let groups = Result {
    try ["vectors", "regressions"].flatMap { kind in
      try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: kind).path).sorted()
        .map {
          CorpusFile(path: "\(kind)/\($0)", bytes: Array(try Data(contentsOf: folder.appending(path: "\(kind)/\($0)"))))
        }
        .filter { $0.kind != nil }
        .flatMap { file in try VectorReader.read(file.bytes).groups.map { (name: file.path, group: $0) } }
    }
  }

  @Test(.deep(.counts), arguments: Path.allCases)
  func `every vector gets its expected verdict`(_ path: Path) throws {
    var count = 0
    for (name, group) in try Self.groups.get() { count += try check(group, of: name, by: path) }
    print("\(count) vectors: \(path.name)")
    #expect(count > (path.isBatch ? 3_500 : 3_900))
  }

  /// In the first ring every second group goes to the path with the fewest vectors yet; `assay corpus lint` runs all.
  @Test(.enabled(if: !Ring.isDeep, "in the second ring every path gets every vector"))
  func `every second group of vectors gets its expected verdicts on one of the paths`() throws {
    var counts: [Path: Int] = [:]
    for (name, group) in try Self.groups.get().enumerated().filter({ $0.offset.isMultiple(of: 2) }).map(\.element) {
      // Batches have no unsigned policy.
      let paths = Path.allCases.filter { !(group.policy.isUnsigned && $0.isBatch) }
      let chosen = try #require(paths.min { counts[$0, default: 0] < counts[$1, default: 0] })
      counts[chosen, default: 0] += try check(group, of: name, by: chosen)
    }
    #expect(counts.values.reduce(0, +) > 1_500)
    #expect(Path.allCases.allSatisfy { counts[$0, default: 0] > 200 }, "\(counts)")
  }

  private func check(_ group: TestGroup, of name: String, by path: Path) throws -> Int {
    let verdicts = try path.verdicts(on: group)
    for (test, verdict) in verdicts {
      #expect(verdict == test.expected, "\(path.name): \(name) \(test.id)")
    }
    return verdicts.count
  }
}

extension Path {
  /// The path's verdicts on a group's tests. Batches have no unsigned policy and skip the groups under it.
  fileprivate func verdicts(on group: TestGroup) throws -> [(TestCase, TestVerdict)] {
    let engine = try engine(keys: group.setting.merchantKeySet(), anchors: group.setting.trustAnchors())
    guard isBatch else { return group.cases.map { ($0, TestVerdict($0.input.verdict(by: engine)).asWritten) } }
    guard !group.policy.isUnsigned, let now = group.cases.first?.context.now else { return [] }
    // The prelude of a test matters only to its replay store. Without one, all share a batch, which fills the lanes.
    guard group.policy.replay != nil else {
      let results = engine.decryptBatch(group.cases.map(\.request), at: now, under: group.policy.verificationPolicy())
      return zip(group.cases, results).map { ($0, TestVerdict($1.map { .signed($0) })) }
    }
    return try group.cases.map { test in
      let results = engine.decryptBatch(
        test.context.prelude + [test.request], at: now, under: test.context.policy.verificationPolicy())
      return (test, TestVerdict(try #require(results.last).map { .signed($0) }))
    }
  }
}

extension TestGroup {
  /// The policy that the tests of a group share.
  fileprivate var policy: TestPolicy { cases.first?.context.policy ?? TestPolicy() }
}
