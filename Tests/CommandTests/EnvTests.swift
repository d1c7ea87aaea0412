import Foundation
import Testing

struct EnvTests {
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

  @Test func `the text says the same`() throws {
    let outcome = try Program.run(["env"])
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("passed"))
  }
}
