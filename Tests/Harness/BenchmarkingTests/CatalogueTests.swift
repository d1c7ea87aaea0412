import Benchmarking
import PaymentToken
import TestSupport
import Testing
import Workloads

struct CatalogueTests {
  @Test func `self-tests are measured only when named in full`() {
    #expect(Catalogue.names(under: []).count > 40)
    #expect(Catalogue.names(under: []).allSatisfy { !$0.hasPrefix("self-test") })
    #expect(Catalogue.names(under: ["self"]).isEmpty)
    #expect(Catalogue.names(under: ["self-test/no-allocation"]) == ["self-test/no-allocation"])
  }

  @Test func `names are chosen by their beginning, by a pattern, or one alone`() {
    #expect(
      Catalogue.names(under: ["decrypt/fast/rsa"])
        == ["decrypt/fast/rsa_v1", "decrypt/fast/rsa_v1/cold"])
    #expect(Catalogue.names(under: ["=decrypt/fast/rsa_v1"]) == ["decrypt/fast/rsa_v1"])
    #expect(Catalogue.names(under: ["*ge/ecdh/*"]) == ["stage/ecdh/openssl"])
    #expect(Catalogue.names(under: ["stage/*/openssl"]).count == 2)
    #expect(Catalogue.names(under: ["stage/*/none"]).isEmpty)
    #expect(Catalogue.names(under: ["stage/j*n/fast"]) == ["stage/json/fast"])
    #expect(Catalogue.names(under: ["decrypt/*"]).allSatisfy { $0.hasPrefix("decrypt/") })
  }

  @Test func `threads may be in any number`() {
    #expect(Catalogue.names(under: ["decrypt/fast/ec_v1/threads3"]) == ["decrypt/fast/ec_v1/threads3"])
    #expect(Catalogue.names(under: ["decrypt/fast/ec_v1/threads0"]).isEmpty)
    #expect(Catalogue.names(under: ["decrypt/fast/ec_v1/threads1000"]).isEmpty)
  }

  @Test func `names are unique, and what is compared by default is one thread of the fast engine`() {
    #expect(Set(Catalogue.names).count == Catalogue.names.count)
    #expect(Catalogue.comparedNames.contains("decrypt/fast/ec_v1"))
    #expect(Catalogue.comparedNames.allSatisfy { $0.contains("fast") && !$0.contains("threads") })
  }

  @Test func `tokens to measure with are the same for the same seed`() throws {
    let first = try TokenSet.minted(count: 2, seed: 5)
    let second = try TokenSet.minted(count: 2, seed: 5)
    #expect(first.entries.map(\.token) == second.entries.map(\.token))
    #expect(first.entries[0].token != first.entries[1].token)
    #expect(first.keys.count == 4)
  }

  private static let tokens = Result { try TokenSet.minted(count: 4, seed: 3) }

  /// Benchmarks that take seconds to prepare are included in the second ring only.
  private static let made = Catalogue.names(
    under: Ring.isDeep ? ["stage", "load"] : ["stage", "=load/forged/fast"])

  @Test(arguments: made)
  func `a benchmark is made and gives the answers it must`(_ name: String) throws {
    let made = try Catalogue.make([name], tokens: Self.tokens.get(), seed: 3)
    let benchmark = try #require(made.first)
    #expect(made.count == 1 && benchmark.name == name)
    for _ in 0..<3 { try benchmark.run(benchmark.multiple) }
  }

  @Test func `tokens that are verified at their signing time are measured without replay stores`() throws {
    let minted = try Self.tokens.get()
    let archived = TokenSet(
      entries: minted.entries, keys: minted.keys, anchors: minted.anchors, now: UnixTime(secondsSinceEpoch: 0),
      policy: VerificationPolicy(freshness: .signingTime))
    let names = Catalogue.names(under: ["=decrypt/fast/ec_v1", "*/batch64", "pool"])
    #expect(Catalogue.names(names, measurableWith: minted) == names)
    let measurable = Catalogue.names(names, measurableWith: archived)
    let replays = ["decrypt/fast/ec_v1/replay/batch64", "pool/replay", "pool/store1ms"].filter(names.contains)
    #expect(!replays.isEmpty && names.filter { !measurable.contains($0) } == replays)
    let made = try Catalogue.make(measurable, tokens: archived, seed: 3)
    #expect(made.map(\.name) == measurable)
    for benchmark in made { try benchmark.run(benchmark.multiple) }
    // What is left out could not be measured.
    #expect(throws: BenchmarkFailure.self) { try Catalogue.make([replays[0]], tokens: archived, seed: 3) }
  }
}
