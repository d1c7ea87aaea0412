import CP256

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An implementation of P-256 arithmetic for one kind of processor. Verdicts do not depend on the choice; speed does.
///
/// A kernel verifies signatures by keys with tables and computes the key agreements of batches, except `scalar`, which
/// has no key agreement. libcrypto computes everything else, such as the key agreement of a single token.
/// Docs/decisions/0008-own-curve-arithmetic.md and 0010-kernels-by-processor.md give the reasons. There is a kernel for
/// each entry of the C table (Sources/Kernels/CP256/kernels.h), and `portable`.
public struct P256Kernel: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// The kernel's name, as `ASSAY_KERNEL` takes it: `ifma8`, `fma4`, `scalar`, `portable`, or an emulation.
  public let rawValue: String
  /// Whether this machine can run the kernel.
  public let isAvailable: Bool
  /// Whether the kernel emulates another one in plain C, for tests: it runs on every machine, but slowly.
  package let isEmulated: Bool

  /// The kernel with this name, whether or not this machine can run it; nil if there is none.
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

  /// libcrypto computes everything, one operation at a time.
  public static let portable = P256Kernel()
  /// All kernels, the fastest first. Emulations follow `portable`.
  public static let allCases: [P256Kernel] = {
    let kernels = P256Operations.kernels.map { P256Kernel($0) }
    return kernels.filter { !$0.isEmulated } + [portable] + kernels.filter(\.isEmulated)
  }()

  /// The kernel that engines use by default: the fastest available one, or the one that the environment variable
  /// `ASSAY_KERNEL` names at the first access.
  ///
  /// `ASSAY_KERNEL=portable` turns assay's own curve arithmetic off without a new build. An unknown name, or that of a
  /// kernel this machine cannot run, is ignored.
  public static let preferred: P256Kernel = {
    let named = getenv(environmentVariable).flatMap { P256Kernel(rawValue: String(cString: $0)) }
    if let named, named.isAvailable { return named }
    return fastest
  }()

  /// The fastest kernel that this machine can run; never an emulation, since `portable` precedes them in `allCases`.
  package static let fastest: P256Kernel = allCases.first(where: \.isAvailable) ?? .portable

  /// The name of the environment variable that `preferred` reads.
  package static var environmentVariable: String { "ASSAY_KERNEL" }

  /// What computes the key agreements of a batch if an engine is created with this kernel and the machine can run it:
  /// the kernel's name, or `libcrypto`.
  package var agreementKernel: String { P256Operations.kernel(rawValue)?.agree == nil ? "libcrypto" : rawValue }
  /// What then verifies signatures whose signers have tables, those of a batch and single ones.
  package var signatureKernel: String { P256Operations.kernel(rawValue) == nil ? "libcrypto" : rawValue }

  /// The kernel's functions; nil if libcrypto computes everything or this machine cannot run the kernel.
  var operations: P256Operations? { P256Operations(rawValue) }
}

/// The functions of a kernel that an engine calls.
///
/// `@unchecked Sendable`: stateless C functions, and numbers.
struct P256Operations: @unchecked Sendable {
  typealias Agree =
    @convention(c) (UnsafePointer<assay_p256_agreement>?, Int, UnsafeMutablePointer<UInt8>?) -> Void
  typealias Verify =
    @convention(c) (
      UnsafePointer<UInt64>?, UnsafePointer<assay_p256_signature>?, Int, UnsafeMutablePointer<UInt8>?
    ) -> Void
  typealias VerifyOne = @convention(c) (UnsafePointer<UInt64>?, UnsafePointer<assay_p256_signature>?) -> UInt8

  /// Computes agreements in lanes; nil if libcrypto computes them one by one.
  let agree: Agree?
  let verify: Verify
  let verifyOne: VerifyOne

  /// The minimum number of waiting agreements for which the lanes are faster than libcrypto.
  let minimumAgreements: Int
  /// The minimum number of waiting signatures for which `verify` is faster than a call of `verifyOne` for each.
  let minimumSignatures: Int

  /// The kernels of the C table.
  static var kernels: [assay_p256_kernel] {
    (0..<assay_p256_kernel_count()).compactMap { assay_p256_kernel_at($0)?.pointee }
  }

  /// The kernel of the C table with this name.
  static func kernel(_ name: String) -> assay_p256_kernel? { kernels.first { String(cString: $0.name) == name } }

  /// Nil if this machine cannot run the kernel.
  fileprivate init?(_ name: String) {
    guard let own = Self.kernel(name), own.is_supported(), let verify = own.verify, let verifyOne = own.verify_one
    else { return nil }
    agree = own.agree
    self.verify = verify
    self.verifyOne = verifyOne
    minimumAgreements = Int(own.minimum_agreements)
    minimumSignatures = Int(own.minimum_signatures)
  }
}
