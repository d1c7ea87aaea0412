import PaymentToken
public import TestCases

/// Repeats tests, each after other requests: whatever a program remembers of those, the verdict must stay the same.
///
/// These are the histories that the prelude of the line protocol can express. A test comes after the valid tokens that
/// it derives from. It also comes after one earlier test of its group and context: one whose deciding stage has not yet
/// come before the stage of this test, otherwise the latest accepted one.
public struct HistoryTests {
  private let origins: (TestCase) -> [TestInput]
  /// The stages that decided a neighbour and the test after it; 15 for acceptance.
  private var seen: Set<[Int]> = []

  /// - Parameter origins: the sound tokens that a test derives from.
  public init(origins: @escaping (TestCase) -> [TestInput]) { self.origins = origins }

  /// The tests of a group after others. Those with a prelude of their own, with a replay store or without an expected
  /// verdict are left out.
  public mutating func behindOthers(_ group: TestGroup) -> TestGroup {
    var latest: [TestContext: [Int: TestCase]] = [:]
    var cases: [TestCase] = []
    for test in group.cases {
      guard let expected = test.expected, test.context.prelude.isEmpty, test.context.policy.replay == nil else {
        continue
      }
      let origins = origins(test).map(\.request).filter { $0 != test.request }
      if !origins.isEmpty { cases.append(test.behind(origins, "its-origin")) }
      let stage = HistoryCoverage.stage(expected)
      let neighbours = latest[test.context] ?? [:]
      let unseen = neighbours.keys.sorted().first { !seen.contains([$0, stage]) }
      let chosen = unseen ?? HistoryCoverage.acceptance
      if let neighbour = neighbours[chosen] {
        seen.insert([chosen, stage])
        cases.append(test.behind([neighbour.request], neighbour.name.isEmpty ? neighbour.id : neighbour.name))
      }
      latest[test.context, default: [:]][stage] = test
    }
    return TestGroup(setting: group.setting, cases: cases)
  }
}

extension TestCase {
  fileprivate func behind(_ requests: [[UInt8]], _ name: String) -> TestCase {
    var other = self
    other.id = "\(id)--behind-\(name)"
    if !self.name.isEmpty { other.name = "\(self.name)--behind-\(name)" }
    other.input.context.prelude = requests
    return other
  }
}
