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
///
/// There is one for each entry of the C table (Sources/Kernels/CP256/kernels.h), and `portable`.
public struct P256Kernel: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// The name, as `ASSAY_KERNEL` takes it.
  public let rawValue: String
  /// Whether this machine runs it.
  public let isAvailable: Bool
  /// Whether it is a model of another kernel, for tests alone: runs everywhere, slowly.
  public let isEmulated: Bool

  /// The kernel of that name, whether or not this machine runs it.
  public init?(rawValue: String) {
    guard let kernel = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = kernel
  }

  private init(_ kernel: assay_p256_kernel) {
    rawValue = String(cString: kernel.name)
    isAvailable = kernel.is_supported()
    isEmulated = kernel.is_emulated
  }

  private init() { (rawValue, isAvailable, isEmulated) = ("portable", true, false) }

  /// libcrypto alone, one operation at a time.
  public static let portable = P256Kernel()
  /// Every kernel, the fastest first; emulations follow `portable`.
  public static let allCases: [P256Kernel] = {
    let kernels = P256Operations.kernels.map { P256Kernel($0) }
    return kernels.filter { !$0.isEmulated } + [portable] + kernels.filter(\.isEmulated)
  }()

  /// The fastest of this machine, unless the environment variable `ASSAY_KERNEL` names another when this is first asked:
  /// curve arithmetic of our own can be turned off in a running system without a new build of anything. A name that is
  /// none, or of a kernel that this machine does not run, is passed over.
  public static let preferred: P256Kernel = {
    if let value = getenv(environmentVariable), let named = P256Kernel(rawValue: String(cString: value)), named.isAvailable {
      return named
    }
    return fastest
  }()

  /// The fastest of this machine.
  public static let fastest: P256Kernel =
    allCases.first { $0.isAvailable && !$0.isEmulated } ?? .portable

  /// The environment variable that `preferred` heeds.
  public static var environmentVariable: String { "ASSAY_KERNEL" }

  /// The name of the kernel that computes each operation of an engine, or `libcrypto`.
  public struct Implementations: Sendable {
    /// Key agreements of a batch.
    public let agreement: String
    /// Verification of a batch of signatures whose signers have tables.
    public let batchVerification: String
    /// Verification of a single signature whose signer has a table.
    public let singleVerification: String
  }

  /// The kernels that compute an engine's operations when it is created with this kernel.
  public var implementations: Implementations {
    let own = P256Operations.kernel(rawValue)
    return Implementations(
      agreement: own?.agree == nil ? "libcrypto" : rawValue, batchVerification: own == nil ? "libcrypto" : rawValue,
      singleVerification: own == nil ? "libcrypto" : own?.verify_one == nil ? P256Operations.fallback : rawValue)
  }

  /// What it does by code of our own; nil where libcrypto does everything, and where this machine does not run it.
  var operations: P256Operations? { P256Operations(rawValue) }
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

  /// The number of waiting agreements from which lanes take less time than libcrypto.
  let minimumAgreements: Int
  /// The number of waiting signatures from which `verify` takes less time than one call of `verifyOne` for each.
  let minimumSignatures: Int

  /// Whose functions stand in for those that a kernel does not have.
  static let fallback = "scalar"

  /// The kernels' table.
  static var kernels: [assay_p256_kernel] {
    (0..<assay_p256_kernel_count()).compactMap { assay_p256_kernel_at($0)?.pointee }
  }

  /// The entry of that name.
  static func kernel(_ name: String) -> assay_p256_kernel? { kernels.first { String(cString: $0.name) == name } }

  /// Nil where this machine does not run the kernel.
  fileprivate init?(_ name: String) {
    guard let own = Self.kernel(name), own.is_supported(), let fallback = Self.kernel(Self.fallback),
      let verify = own.verify, let verifyOne = own.verify_one ?? fallback.verify_one,
      let makeTable = own.make_table ?? fallback.make_table
    else { return nil }
    agree = own.agree
    self.verify = verify
    self.verifyOne = verifyOne
    self.makeTable = makeTable
    minimumAgreements = own.agree == nil ? .max : Int(own.minimum_agreements)
    minimumSignatures = Int(own.minimum_signatures)
  }
}
