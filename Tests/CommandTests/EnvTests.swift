import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct EnvTests {
  @Test func `the self-test passes, and the document names versions and kernels`() throws {
    let outcome = try Program.run(["env", "--json"])
    #expect(outcome.status == 0)
    let document = try outcome.json()
    #expect(document["schema"] as? String == "assay.env/1")
    #expect((document["self_test"] as? [String: Any])?["passed"] as? Bool == true)
    #expect(["avx512vbmi", "simd"].contains((document["kernels"] as? [String: Any])?["base64"] as? String))
    for member in ["version", "swift", "openssl", "openssl_headers", "libsodium", "cpu", "os"] {
      #expect((document[member] as? String)?.isEmpty == false, "\(member)")
    }
  }

  @Test func `the lanes can be turned off, and a kernel that there is not is ignored`() throws {
    func lanes(_ value: String) throws -> (String?, error: String) {
      let outcome = try Program.run(["env", "--json"], environment: ["ASSAY_KERNEL": value])
      #expect(outcome.status == 0)
      return ((try outcome.json()["kernels"] as? [String: Any])?["p256_lanes"] as? String, outcome.error)
    }
    #expect(["turned off", "none here"].contains(try lanes("portable").0))
    #expect(["avx512ifma", "none here"].contains(try lanes("").0))
    let unknown = try lanes("fastest")
    #expect(["avx512ifma", "none here"].contains(unknown.0))
    #expect(unknown.error.contains("ASSAY_KERNEL=fastest"))
  }

  @Test func `the text says the same`() throws {
    let outcome = try Program.run(["env"])
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("passed"))
  }
}
