import Benchmarking
import Testing
import Workloads

/// The gate decides by counts and ratios alone.
struct SpeedGateTests {
  /// A report in which a token takes the engines and libcrypto so many nanoseconds.
  private func report(
    fast: Double, reference: Double = 2_000_000, parts: Double = 80_000, allocations: Double? = 0,
    gateways: [String: Double] = [:]
  ) throws -> BenchmarkReport {
    func result(_ name: String, _ time: Double, _ counts: AllocationCounts?) -> BenchmarkResult {
      // Rounds differ by a percent or so, for all benchmarks in step.
      let rounds = (0..<20).map { time * (1 + Double($0 % 5) / 500) }
      return BenchmarkResult(
        name: name, unit: "token", iterations: 20, operationsPerSecond: 1e9 / time, p50: time, p90: time, p99: time,
        p999: time, maximum: time, allocations: counts, roundMedians: rounds)
    }
    let counts = allocations.map {
      AllocationCounts(ownCalls: $0, ownBytes: $0 * 16, libcryptoCalls: 25, libcryptoBytes: 1_000)
    }
    var results = [
      result("decrypt/fast/ec_v1", fast, counts), result("decrypt/reference/ec_v1", reference, counts),
      result("stage/ecdh/openssl", parts * 0.4, counts), result("stage/ecdsa-verify/openssl", parts * 0.6, counts),
    ]
    for (name, time) in gateways { results.append(result("gateway/\(name)/fast", time, counts)) }
    let ratios = Catalogue.ratios.compactMap { RatioResult($0, results: results, seed: 1) }
    return BenchmarkReport(cpu: nil, rounds: 20, results: results, ratios: ratios)
  }

  @Test func `an engine near its crypto parts that allocates nothing passes`() throws {
    #expect(try SpeedGate.findings(in: report(fast: 85_000)) == [])
  }

  @Test func `a machine ten times as slow passes as well`() throws {
    #expect(try SpeedGate.findings(in: report(fast: 850_000, reference: 20_000_000, parts: 800_000)) == [])
  }

  @Test func `a single allocation among many tokens is a finding`() throws {
    #expect(try SpeedGate.findings(in: report(fast: 85_000, allocations: 1.0 / 128))?.count == 1)
  }

  @Test func `a token that takes much longer than its crypto parts is a finding`() throws {
    #expect(try SpeedGate.findings(in: report(fast: 100_000))?.count == 1)
  }

  @Test func `an engine less than ten times as fast as the reference is a finding`() throws {
    #expect(try SpeedGate.findings(in: report(fast: 85_000, reference: 700_000))?.count == 1)
  }

  @Test(arguments: [
    ("applepayjs", 1.03), ("worldline", 1.03), ("alphapay", 1.03), ("mpgs", 1.05), ("bambora", 1.05),
  ]) func `a gateway's request that takes much longer than a raw token is a finding`(
    _ gateway: String, _ most: Double
  ) throws {
    func findings(_ ratio: Double, allocations: Double = 0) throws -> Int? {
      let report = try report(fast: 85_000, allocations: allocations, gateways: [gateway: 85_000 * ratio])
      return SpeedGate.findings(in: report)?.count
    }
    #expect(try findings(most - 0.01) == 0)
    #expect(try findings(most + 0.01) == 1)
    // Its own allocations and those of the raw token.
    #expect(try findings(1, allocations: 1) == 2)
  }

  @Test func `without counted allocations or a ratio there is no verdict`() throws {
    #expect(try SpeedGate.findings(in: report(fast: 85_000, allocations: nil)) == nil)
    let whole = try report(fast: 85_000)
    #expect(
      SpeedGate.findings(in: BenchmarkReport(cpu: nil, rounds: 20, results: whole.results, ratios: [])) == nil)
  }

  @Test func `self-tests are measured only when named in full`() {
    #expect(Catalogue.names(under: []).allSatisfy { !$0.hasPrefix("self-test") })
    #expect(Catalogue.names(under: ["self"]).isEmpty)
    #expect(Catalogue.names(under: ["self-test/no-allocation"]) == ["self-test/no-allocation"])
  }

  @Test func `tokens to measure with are the same for the same seed`() throws {
    let first = try TokenSet.minted(count: 2, seed: 5)
    let second = try TokenSet.minted(count: 2, seed: 5)
    #expect(first.entries.map(\.token) == second.entries.map(\.token))
    #expect(first.entries[0].token != first.entries[1].token)
    #expect(first.keys.count == 4)
  }
}
