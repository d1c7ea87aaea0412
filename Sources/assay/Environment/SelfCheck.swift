import Benchmarking
import PaymentToken
import Workloads

/// Checks that the program works on this machine: both engines decrypt tokens of a fixed seed.
enum SelfCheck {
  static func run() -> String? {
    do {
      // Making the benchmarks checks that both engines return the minted plaintexts and reject altered tokens, and
      // compares the kernel's operations with libcrypto's.
      _ = try Catalogue.make(Catalogue.names(under: ["kernel/"]), tokens: TokenSet.minted(count: 4, seed: 1), seed: 1)
      return nil
    } catch {
      return error.reason
    }
  }
}
