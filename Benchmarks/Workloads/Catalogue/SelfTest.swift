import Benchmarking
import COpenSSL

/// Planted allocations, which show that counting works.
enum SelfTest {
  private static let planted = "self-test/planted-allocation"
  private static let plantedInLibcrypto = "self-test/planted-libcrypto-allocation"
  private static let nothing = "self-test/no-allocation"

  static let names = [planted, plantedInLibcrypto, nothing]

  static func make(_ name: String) -> Benchmark? {
    switch name {
    // One allocation of 48 bytes per operation.
    case planted:
      Benchmark(name: name, unit: "operation") { count in
        for _ in 0..<count { UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 16).deallocate() }
      }
    // One of 40 bytes, by libcrypto.
    case plantedInLibcrypto:
      Benchmark(name: name, unit: "operation") { count in
        for _ in 0..<count { assay_OPENSSL_free(assay_OPENSSL_malloc(40)) }
      }
    case nothing:
      Benchmark(name: name, unit: "operation") { count in
        for _ in 0..<count { ERR_clear_error() }
      }
    default: nil
    }
  }
}
