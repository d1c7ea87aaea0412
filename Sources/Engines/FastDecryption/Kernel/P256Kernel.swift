import CP256

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The code that computes on P-256 (Docs/decisions/0008-own-curve-arithmetic.md, 0010-kernels-by-processor.md). Verdicts do
/// not depend on it.
///
/// A kernel does what it can and leaves the rest to the next one: `fma4` has no way of its own for a single signature and
/// takes `scalar`'s; key agreements without lanes are libcrypto's.
public enum P256Kernel: String, Sendable, CaseIterable {
  /// Eight lanes of AVX-512 IFMA: agreements and signatures.
  case ifma8
  /// Four lanes by floating-point multiply-add, of AVX2 and FMA: agreements and signatures of batches.
  case fma4
  /// Signatures by tables in portable C, on every processor.
  case scalar
  /// libcrypto alone, one operation at a time.
  case portable
  /// The lanes of `ifma8` in plain C, for tests: runs everywhere, slowly.
  case ifma8Emulated = "ifma8-emulated"
  /// The lanes of `fma4` in plain C, for tests: runs everywhere, slowly.
  case fma4Emulated = "fma4-emulated"

  /// Whether this machine runs it.
  public var isAvailable: Bool { self == .portable || P256Operations.kernel(rawValue)?.is_supported() == true }

  /// Whether it is a model of another kernel, for tests alone.
  public var isEmulated: Bool { self == .ifma8Emulated || self == .fma4Emulated }

  /// The fastest of this machine, unless the environment variable `ASSAY_KERNEL` names another when this is first asked:
  /// curve arithmetic of our own can be turned off in a running system without a new build of anything. A name that is
  /// none, or of a kernel that this machine does not run, is passed over.
  public static let best: P256Kernel = {
    if let value = getenv(variable), let named = P256Kernel(rawValue: String(cString: value)), named.isAvailable {
      return named
    }
    return fastest
  }()

  /// The fastest of this machine.
  public static let fastest: P256Kernel =
    allCases.first { $0.isAvailable && !$0.isEmulated } ?? .portable

  /// The environment variable that `best` heeds.
  public static var variable: String { "ASSAY_KERNEL" }

  /// The names of the kernels that do an engine's operations; `libcrypto` where it does.
  public struct Names: Sendable {
    /// Key agreements of a batch.
    public let agreement: String
    /// Signatures of a batch by signers with tables.
    public let signatures: String
    /// A signature alone by a signer with a table.
    public let oneSignature: String
  }

  /// Which kernel does what in an engine that is given this one.
  public var names: Names {
    let own = P256Operations.kernel(rawValue)
    return Names(
      agreement: own?.agree == nil ? "libcrypto" : rawValue, signatures: own == nil ? "libcrypto" : rawValue,
      oneSignature: own == nil ? "libcrypto" : own?.verify_one == nil ? P256Kernel.scalar.rawValue : rawValue)
  }

  /// What it does by code of our own; nil where libcrypto does everything.
  var operations: P256Operations? {
    switch self {
    case .portable: nil
    case .ifma8: P256Operations.ifma8
    case .fma4: P256Operations.fma4
    case .scalar: P256Operations.scalar
    case .ifma8Emulated: P256Operations.ifma8Emulated
    case .fma4Emulated: P256Operations.fma4Emulated
    }
  }
}

/// The functions that a kernel's engine calls: its own, or `scalar`'s where it has none.
///
/// `@unchecked Sendable`: functions in C without state, and numbers.
struct P256Operations: @unchecked Sendable {
  typealias Agree =
    @convention(c) (UnsafePointer<assay_p256_agreement>?, Int, UnsafeMutablePointer<UInt8>?) ->
    Void
  typealias Verify =
    @convention(c) (
      UnsafePointer<UInt64>?, UnsafePointer<assay_p256_signature>?, Int, UnsafeMutablePointer<UInt8>?
    ) -> Void
  typealias VerifyOne = @convention(c) (UnsafePointer<UInt64>?, UnsafePointer<assay_p256_signature>?) -> UInt8
  typealias MakeTable = @convention(c) (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt64>?) -> Bool

  /// Agreements side by side; nil where libcrypto does them one after the other.
  let agree: Agree?
  let verify: Verify
  let verifyOne: VerifyOne
  let makeTable: MakeTable

  /// The number of waiting agreements from which lanes take less time than libcrypto: measured by `kernel/ecdh/NAME`.
  let minimumAgreements: Int
  /// The number of waiting signatures from which `verify` takes less time than one call of `verifyOne` for each.
  let minimumSignatures: Int

  static let ifma8 = P256Operations("ifma8", minimumAgreements: 2, minimumSignatures: 4)
  static let fma4 = P256Operations("fma4", minimumAgreements: 2, minimumSignatures: 3)
  static let scalar = P256Operations("scalar", minimumAgreements: .max, minimumSignatures: 2)
  static let ifma8Emulated = P256Operations("ifma8-emulated", minimumAgreements: 1, minimumSignatures: 1)
  static let fma4Emulated = P256Operations("fma4-emulated", minimumAgreements: 1, minimumSignatures: 1)

  /// The entry of the kernels' table.
  static func kernel(_ name: String) -> assay_p256_kernel? {
    for index in 0..<assay_p256_kernel_count() {
      guard let kernel = assay_p256_kernel_at(index)?.pointee, String(cString: kernel.name) == name else { continue }
      return kernel
    }
    return nil
  }

  /// Nil where this machine does not run the kernel.
  private init?(_ name: String, minimumAgreements: Int, minimumSignatures: Int) {
    guard let own = Self.kernel(name), own.is_supported(), let scalar = Self.kernel("scalar"),
      let verify = own.verify, let verifyOne = own.verify_one ?? scalar.verify_one,
      let makeTable = own.make_table ?? scalar.make_table
    else { return nil }
    agree = own.agree
    self.verify = verify
    self.verifyOne = verifyOne
    self.makeTable = makeTable
    self.minimumAgreements = minimumAgreements
    self.minimumSignatures = minimumSignatures
  }
}
