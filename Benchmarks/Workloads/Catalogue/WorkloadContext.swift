import Benchmarking
import PaymentToken

/// The shared inputs of benchmarks, made on demand.
final class WorkloadContext {
  /// The seed for minting.
  let seed: UInt64
  /// The tokens to measure with, by version, checked with both engines.
  private var checked: [TokenVersion: CheckedTokens] = [:]
  private let given: TokenSet
  private var hostile: HostileTokens?

  /// - Parameter given: the tokens to measure with; missing versions are minted on demand.
  init(given: TokenSet, seed: UInt64) throws(BenchmarkFailure) {
    self.given = given
    self.seed = seed
    for version in TokenVersion.allCases where given.holds(version) { try check(version) }
  }

  func tokens(of version: TokenVersion) throws(BenchmarkFailure) -> CheckedTokens {
    if let known = checked[version] { return known }
    return try check(version)
  }

  /// Valid and forged tokens.
  func hostileTokens() throws(BenchmarkFailure) -> HostileTokens {
    if let hostile { return hostile }
    let made = try HostileTokens(seed: seed)
    hostile = made
    return made
  }

  @discardableResult
  private func check(_ version: TokenVersion) throws(BenchmarkFailure) -> CheckedTokens {
    let set =
      given.holds(version)
      ? given.restricted(to: version)
      : try TokenSet.minted(count: min(max(given.entries.count, 1), 64), version: version, seed: seed)
    let made = try CheckedTokens(set)
    checked[version] = made
    return made
  }
}

/// Tokens that both engines were checked on.
struct CheckedTokens: Sendable {
  let set: TokenSet
  /// The lengths of the plaintexts.
  let lengths: [Int]

  init(_ set: TokenSet) throws(BenchmarkFailure) {
    self.set = set
    lengths = try AnswerCheck.run(Contender.all, on: set)
  }
}

extension TokenSet {
  func holds(_ version: TokenVersion) -> Bool { entries.contains { $0.version == version } }
}
