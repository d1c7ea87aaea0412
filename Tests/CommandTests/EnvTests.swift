import Foundation
import TestSupport
import Testing
import TokenScanning

@Suite(.blocking) struct EnvTests {
  @Test func `the self-test passes, and the document names versions and kernels`() throws {
    let outcome = try Program.run(["env", "--json"])
    #expect(outcome.status == 0)
    let document = try outcome.json()
    #expect(document["schema"] as? String == "assay.env/1")
    #expect((document["self_test"] as? [String: Any])?["passed"] as? Bool == true)
    // These two are used by assay: if they were miscompiled, the self-test would fail.
    let miscompiled = try #require(document["miscompiled"] as? [String])
    #expect(miscompiled.allSatisfy { !["bytes-of-a-value", "bytes-of-a-hash"].contains($0) })
    let kernels = try #require(document["kernels"] as? [String: Any])
    let forced = ProcessInfo.processInfo.environment[TextKernel.environmentVariable].flatMap { TextKernel(named: $0) }
    for operation in ["base64", "json"] {
      #expect(kernels[operation] as? String == (forced ?? TextKernel.supported.first)?.name)
    }
    for member in ["version", "swift", "openssl", "openssl_headers", "libsodium", "cpu", "os"] {
      #expect((document[member] as? String)?.isEmpty == false, "\(member)")
    }
  }

  #if arch(x86_64) && os(Linux)
    /// Of the processors that are called "AMD EPYC", some take twice as long as others.
    @Test func `processors of one name are told apart`() throws {
      let lines = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).split(separator: "\n")
      func field(_ name: String) throws -> Substring {
        let line = try #require(lines.first { $0.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces) == name })
        return line[line.index(after: try #require(line.firstIndex(of: ":")))...].drop { $0 == " " }
      }
      let identity = try "family \(field("cpu family")), model \(field("model")), stepping \(field("stepping"))"
      let document = try Program.run(["env", "--json"]).json()
      #expect(document["cpu"] as? String == "\(try field("model name")) (\(identity))")
    }
  #endif

  @Test func `each operation's kernel is named, and ours can be turned off`() throws {
    func kernels(_ value: String) throws -> [String?] {
      let outcome = try Program.run(["env", "--json"], environment: ["ASSAY_KERNEL": value])
      #expect(outcome.status == 0)
      let kernels = try outcome.json()["kernels"] as? [String: Any]
      return ["p256_agreement", "p256_signatures", "p256_one_signature"].map { kernels?[$0] as? String }
    }
    #expect(try kernels("portable") == ["libcrypto", "libcrypto", "libcrypto"])
    #expect(try kernels("scalar") == ["libcrypto", "scalar", "scalar"])
    #expect(try kernels("fma4-emulated") == ["fma4-emulated", "fma4-emulated", "fma4-emulated"])
    #expect(try ["ifma8", "fma4", "scalar"].contains(kernels("")[1]))
  }

  @Test func `a kernel that does not exist is misuse, of any command`() throws {
    for command in [["env"], ["decrypt", "token.json"], ["bench", "list"]] {
      let outcome = try Program.run(command, environment: ["ASSAY_KERNEL": "fastest"])
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(outcome.error.contains("ASSAY_KERNEL=fastest is not a kernel"))
      #expect(outcome.error.contains("portable"))
    }
  }

  @Test func `a text kernel is forced by name`() throws {
    let best = try #require(TextKernel.supported.first)
    for (value, name) in TextKernel.supported.map({ ($0.name, $0.name) }) + [("", best.name)] {
      let outcome = try Program.run(["env", "--json"], environment: [TextKernel.environmentVariable: value])
      #expect(outcome.status == 0)
      let kernels = try #require(try outcome.json()["kernels"] as? [String: Any])
      #expect(kernels["base64"] as? String == name)
      #expect(kernels["json"] as? String == name)
    }
  }

  @Test func `a text kernel that does not exist or does not run here ends every command`() throws {
    #if arch(arm64)
      let foreign = "avx512"
    #else
      let foreign = "neon"
    #endif
    for value in ["fastest", foreign, "AVX2"] {
      for arguments in [["env"], ["decrypt", "-"], ["bench", "list"]] {
        let outcome = try Program.run(arguments, environment: ["ASSAY_TEXT_KERNEL": value])
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("ASSAY_TEXT_KERNEL=\(value) is not a kernel"))
        #expect(outcome.error.contains("portable"))
      }
    }
    #expect(try Program.run(["env", "--help"], environment: ["ASSAY_TEXT_KERNEL": "fastest"]).status == 0)
  }

  @Test func `the text says the same`() throws {
    let outcome = try Program.run(["env"])
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("passed"))
    #expect(outcome.text.contains("base64") && outcome.text.contains("JSON strings"))
  }
}
