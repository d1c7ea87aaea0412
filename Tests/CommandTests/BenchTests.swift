import Foundation
import TestSupport
import Testing

/// The allocation counter does not work with a sanitizer's allocator. Without one, the tests fail if it was not built.
private let counterIsUsable = !Sanitizer.isPresent

/// The limits that the project ships.
private let thresholds = Package.folder.appending(path: "Benchmarks/Thresholds.json").path

@Suite(.blocking, .serialized)
struct BenchTests {
  @Test func `the list holds the names scripts rely on`() throws {
    let names = try Program.run(["bench", "list"]).text.split(separator: "\n").map(String.init)
    #expect(
      Set(names).isSuperset(of: [
        "decrypt/fast/ec_v1", "decrypt/reference/ec_v1", "decrypt/fast/ec_v1/cold", "decrypt/fast/ec_v1/threads2",
        "decrypt/fast/rsa_v1", "decrypt/reference/rsa_v1", "decrypt/fast/rsa_v1/cold", "stage/ecdh/openssl",
        "stage/ecdsa-verify/openssl", "decrypt/fast/ec_v1/unsigned", "decrypt/reference/ec_v1/unsigned",
        "gateway/applepayjs/fast", "gateway/worldline/fast", "gateway/alphapay/fast", "gateway/mpgs/fast",
        "gateway/bambora/fast", "decrypt/fast/ec_v1/threads1", "stage/json/fast", "stage/signature/fast",
        "load/forged/fast",
      ]))
    let document = try Program.run(["bench", "list", "--json"]).json()
    #expect(document["names"] as? [String] == names)
  }

  @Test func `a run measures what was asked for and compares it`() throws {
    let outcome = try Program.run(["bench", "run", "--seconds", "2", "--json", "--quiet", "decrypt", "stage"])
    #expect(outcome.status == 0)
    let document = try outcome.json()
    #expect(document["schema"] as? String == "assay.bench/1")
    let environment = try #require(document["environment"] as? [String: Any])
    for member in ["cpu", "cores", "os", "swift", "openssl", "libsodium", "kernels", "commit", "seed"] {
      #expect(environment[member] != nil, "\(member)")
    }
    let results = try #require(document["results"] as? [[String: Any]])
    let names = try Program.run(["bench", "list"]).text.split(separator: "\n").filter {
      $0.hasPrefix("decrypt") || $0.hasPrefix("stage")
    }
    #expect(results.compactMap { $0["name"] as? String }.sorted() == names.map(String.init).sorted())
    for result in results {
      #expect(try #require(result["iterations"] as? Int) > 0)
      let p50 = try #require(result["p50_ns"] as? Double)
      #expect(p50 > 0)
      #expect(p50 <= (try #require(result["p99_ns"] as? Double)))
      #expect((result["samples_ns"] as? [Double])?.isEmpty == false)
    }
    let ratios = try #require(document["ratios"] as? [[String: Any]])
    #expect(
      Set(ratios.compactMap { $0["name"] as? String }).isSuperset(of: [
        "fast over reference", "fast over its crypto parts", "fast unsigned over its crypto part",
        "2 threads over one", "fast over the sum of its stages",
      ]))
    for ratio in ratios {
      let (low, high) = (try #require(ratio["low"] as? Double), try #require(ratio["high"] as? Double))
      let value = try #require(ratio["ratio"] as? Double)
      #expect(0 < low && low <= value && value <= high)
    }
  }

  @Test(.enabled(if: counterIsUsable && Optimisation.isOn))
  func `no gateway's request costs the fast engine an allocation`() throws {
    let document = try Program.run([
      "bench", "run", "--seconds", "2", "--json", "--quiet", "gateway", "decrypt/fast/ec_v1/unsigned",
      "self-test/planted-allocation",
    ]).json()
    let results = try #require(document["results"] as? [[String: Any]])
    #expect(results.count == 7)
    for result in results {
      let name = try #require(result["name"] as? String)
      let count: Double = name == "self-test/planted-allocation" ? 1 : 0
      #expect(result["allocations_per_token"] as? Double == count, "\(name)")
    }
  }

  @Test(.enabled(if: counterIsUsable))
  func `planted allocations are noticed, own and libcrypto's apart`() throws {
    let document = try Program.run([
      "bench", "run", "--seconds", "0.2", "--json", "--quiet", "self-test/planted-allocation",
      "self-test/planted-libcrypto-allocation", "self-test/no-allocation",
    ]).json()
    let results = try #require(document["results"] as? [[String: Any]])
    func member(_ name: String, of benchmark: String) -> Double? {
      results.first { $0["name"] as? String == "self-test/\(benchmark)" }?[name] as? Double
    }
    #expect(member("allocations_per_token", of: "planted-allocation") == 1)
    #expect(member("allocated_bytes_per_token", of: "planted-allocation") == 48)
    #expect(member("libcrypto_allocations_per_token", of: "planted-allocation") == 0)
    #expect(member("allocations_per_token", of: "planted-libcrypto-allocation") == 0)
    #expect(member("libcrypto_allocations_per_token", of: "planted-libcrypto-allocation") == 1)
    #expect(member("libcrypto_allocated_bytes_per_token", of: "planted-libcrypto-allocation") == 40)
    #expect(member("allocations_per_token", of: "no-allocation") == 0)
    #expect(member("libcrypto_allocations_per_token", of: "no-allocation") == 0)
  }

  @Test func `without the counter the columns are null and a line says why`() throws {
    let outcome = try Program.run(
      ["bench", "run", "--seconds", "0.2", "--json", "self-test/no-allocation"],
      environment: ["ASSAY_ALLOCATION_COUNTER": "0"])
    #expect(outcome.status == 0)
    #expect(outcome.error.contains("allocations are not counted"))
    let results = try #require(try outcome.json()["results"] as? [[String: Any]])
    #expect(results.first?["allocations_per_token"] is NSNull)
  }

  @Test func `the gate gives no answer when what it needs was not measured`() throws {
    let outcome = try Program.run([
      "bench", "run", "--seconds", "0.2", "--gate", "--quiet", "--thresholds", thresholds, "stage/json",
    ])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("was not measured"))
  }

  @Test(.enabled(if: counterIsUsable)) func `a planted allocation fails the gate every time`() throws {
    let folder = try TemporaryFolder()
    func gate(on name: String) throws -> String {
      try folder.write(
        """
        {"schema":"assay.thresholds/1","thresholds":[
          {"metric":"allocations_per_token","of":"\(name)","most":0,"reason":"a test"}]}
        """, to: "thresholds.json")
    }
    for _ in 0..<(Ring.isDeep ? 5 : 2) {
      let outcome = try Program.run([
        "bench", "run", "--seconds", "0.2", "--gate", "--quiet", "--thresholds",
        gate(on: "self-test/planted-allocation"),
        "self-test/planted-allocation",
      ])
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("allocates 1.000 times"))
    }
    let clean = try Program.run([
      "bench", "run", "--seconds", "0.2", "--gate", "--quiet", "--thresholds", gate(on: "self-test/no-allocation"),
      "self-test/no-allocation",
    ])
    #expect(clean.status == 0)
  }

  @Test func `the text has results first, then the environment`() throws {
    let outcome = try Program.run(["bench", "run", "--seconds", "0.2", "--quiet", "stage"])
    #expect(outcome.text.hasPrefix("name "))
    #expect(outcome.text.contains("stage/ecdh/openssl"))
    #expect(outcome.text.contains("\ncpu "))
    #expect(outcome.error.isEmpty)
  }

  @Test(.enabled(if: RealTokens.available))
  func `genuine tokens can be measured in place of minted ones`() throws {
    let folder = try #require(RealTokens.directory).path
    let outcome = try Program.run([
      "bench", "run", "--seconds", "0.2", "--json", "--tokens", folder, "decrypt/fast/ec_v1", "pool",
    ])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect((try outcome.json()["environment"] as? [String: Any])?["tokens"] as? String == "given")
    #expect(outcome.error.contains("leaves out decrypt/fast/ec_v1/replay/batch64"), "\(outcome.error)")
    let replay = try Program.run([
      "bench", "run", "--seconds", "0.2", "--tokens", folder, "=decrypt/fast/ec_v1/replay/batch64",
    ])
    #expect(replay.status == 2 && replay.error.contains("measure without --tokens"), "\(replay.error)")
  }

  @Test func `a folder without tokens is no answer`() throws {
    #expect(try Program.run(["bench", "run", "--seconds", "0.2", "--tokens", "/nonexistent"]).status == 2)
  }

  @Test func `the time is announced, and what there is no time for is left out by name`() throws {
    let outcome = try Program.run(["bench", "run", "--seconds", "0.2", "stage/json"])
    #expect(outcome.status == 0 && outcome.error.contains("1 benchmark in about 0.2 s"), "\(outcome.error)")
    #expect(outcome.error.contains("leaves out") == false)
    let short = try Program.run(["bench", "run", "--seconds", "1", "--json"])
    #expect(short.status == 0 && short.error.contains("leaves out") && short.error.contains("load"), "\(short.error)")
    let results = try #require(try short.json()["results"] as? [[String: Any]])
    let names = results.compactMap { $0["name"] as? String }
    #expect(!names.isEmpty && !names.contains { $0.hasPrefix("load/") })
  }
}
