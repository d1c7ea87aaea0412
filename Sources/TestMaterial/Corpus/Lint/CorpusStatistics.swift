import PaymentToken
import TestCases

/// How much of the rules a set of vectors covers.
public struct CorpusStatistics: Sendable {
  /// Tests in all.
  public private(set) var vectors = 0
  /// Groups of tests with the same keys, roots, time and policy.
  public private(set) var groups = 0
  /// Tests that must be accepted.
  public private(set) var accepted = 0
  /// Raw inputs.
  public let seeds: Int
  /// How many tests end in each code.
  public private(set) var codes: [TokenFault.Code: Int] = [:]
  /// How many tests carry each flag.
  public private(set) var flags: [String: Int] = [:]
  /// How many tests name each clause.
  public private(set) var clauses: [String: Int] = [:]

  public init(files: [VectorFile], seeds: Int) {
    self.seeds = seeds
    for group in files.flatMap(\.groups) {
      groups += 1
      for test in group.cases { count(test) }
    }
  }

  private mutating func count(_ test: TestCase) {
    vectors += 1
    if let fault = test.expected?.fault { codes[fault.code, default: 0] += 1 } else { accepted += 1 }
    for flag in test.flags { flags[flag, default: 0] += 1 }
    for clause in test.clauses { clauses[clause, default: 0] += 1 }
  }

  /// The rules that no test names.
  public var uncoveredClauses: [String] { RuleClauses.all.filter { clauses[$0] == nil } }

  /// The codes that fewer than three tests end in.
  public var rareCodes: [TokenFault.Code] { TokenFault.Code.allCases.filter { codes[$0, default: 0] < 3 } }
}
