import Benchmarking
import PaymentToken
import Workloads

/// Whether the program works on this machine: tokens of a fixed seed, opened by both engines.
enum SelfCheck {
  /// Nil when it does, else what went wrong.
  static func run() -> String? {
    do {
      // Making the benchmarks checks both engines against the minted plaintexts, and that altered tokens are refused.
      // So are the kernel's operations, against libcrypto.
      _ = try Catalogue.make(Catalogue.names(under: ["kernel/"]), tokens: TokenSet.minted(count: 4, seed: 1), seed: 1)
      return nil
    } catch {
      return error.reason
    }
  }
}
