import Corpus
import Foundation
import Gateways
import PaymentToken
import TestSupport
import Testing

/// Every vector of the corpus by every way through the engine.
@Suite struct VectorPathTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus")

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
  func `every vector gets its one right answer`(_ path: Path) throws {
    var count = 0
    for (name, group) in try Self.groups.get() { count += try check(group, of: name, by: path) }
    print("\(count) vectors: \(path.name)")
    #expect(count > (path.isBatch ? 3_500 : 3_900))
  }

  /// In the first ring the paths take turns, with every other group; `assay corpus lint` has them all.
  @Test(.enabled(if: !Ring.isDeep, "in the second ring every path gets every vector"))
  func `every group of vectors gets its right answers by one path or another`() throws {
    var counts: [Path: Int] = [:]
    for (number, (name, group)) in try Self.groups.get().enumerated().filter({ $0.offset.isMultiple(of: 2) })
      .map(\.element).enumerated()
    {
      let path = Path.allCases[number % Path.allCases.count]
      // Batches have no unsigned policy.
      let chosen = group.policy.unsigned && path.isBatch ? Path.single : path
      counts[chosen, default: 0] += try check(group, of: name, by: chosen)
    }
    #expect(counts.values.reduce(0, +) > 1_500)
    #expect(Path.allCases.allSatisfy { counts[$0, default: 0] > 50 }, "\(counts)")
  }

  private func check(_ group: VectorGroup, of name: String, by path: Path) throws -> Int {
    let verdicts = try path.verdicts(on: group)
    for (test, verdict) in verdicts {
      #expect(verdict == test.verdict, "\(path.name): \(name) \(test.id)")
    }
    return verdicts.count
  }
}

extension Path {
  /// What the path says of a group's tests. Batches have no unsigned policy: they leave out the groups under it.
  fileprivate func verdicts(on group: VectorGroup) throws -> [(VectorTest, VectorVerdict)] {
    let engine = try engine(
      keys: group.keys.merchantKeySet(), anchors: TrustAnchors.load(rootsPem: group.rootsPem))
    guard isBatch else {
      return try group.tests.map { ($0, try #require(group.verdict(of: $0, by: engine))) }
    }
    guard !group.policy.unsigned, let first = group.tests.first else { return [] }
    // What comes before a test matters to its replay store alone: without one all share a batch, which fills lanes.
    guard group.policy.replay else {
      let policy = try #require(group.policy(for: first))
      let results = engine.decryptBatch(group.tests.map(\.token), at: group.at, under: policy)
      return zip(group.tests, results).map { ($0, VectorVerdict($1)) }
    }
    return try group.tests.map { test in
      let policy = try #require(group.policy(for: test))
      let results = engine.decryptBatch(test.prelude + [test.token], at: group.at, under: policy)
      return (test, VectorVerdict(try #require(results.last)))
    }
  }
}

extension VectorGroup {
  fileprivate func policy(for test: VectorTest) -> VerificationPolicy? {
    policy.verificationPolicy(window: windowSeconds, tokens: test.prelude.count + 1)
  }
}

extension VectorVerdict {
  fileprivate init(_ result: Result<DecryptedToken, TokenFault>) {
    switch result {
    case .success(let token): self = .accept(plaintext: token.plaintext)
    case .failure(let fault): self = .reject(fault)
    }
  }
}
