import Benchmarking
import COpenSSL

/// Planted allocations, which show that counting works.
enum SelfTest {
  static let entries = [
    // One allocation of 48 bytes per operation.
    entry("planted-allocation") { UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 16).deallocate() },
    // One of 40 bytes, by libcrypto.
    entry("planted-libcrypto-allocation") { assay_OPENSSL_free(assay_OPENSSL_malloc(40)) },
    entry("no-allocation") { ERR_clear_error() },
  ]

  private static func entry(_ name: String, _ operation: @escaping @Sendable () -> Void) -> Entry {
    Entry(name: "self-test/\(name)") { name, _ in
      Benchmark(name: name, unit: "operation") { count in for _ in 0..<count { operation() } }
    }
  }
}
