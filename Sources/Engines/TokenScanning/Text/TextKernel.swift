import CTextKernels

/// An implementation of base64 decoding and of JSON string scanning for one kind of processor.
///
/// All kernels return the same results; they differ in speed (Docs/decisions/0006-text-kernels.md).
public struct TextKernel: Hashable, @unchecked Sendable {
  // Points to a constant, so threads can share it.
  @usableFromInline let table: UnsafePointer<assay_text_kernel>

  @usableFromInline
  init(_ table: UnsafePointer<assay_text_kernel>) {
    self.table = table
  }

  /// The kernel with this name, whether or not this machine can run it; nil if there is none.
  public init?(named name: String) {
    guard let table = assay_text_kernel_named(name) else { return nil }
    self.init(table)
  }

  /// The kernel's name, as `environmentVariable` takes it: `avx512`, `avx2`, `neon` or `portable`.
  public var name: String { String(cString: table.pointee.name) }

  /// Whether this machine can run the kernel. Otherwise it must not be passed to any function except `force`, which
  /// ignores it.
  public var isSupported: Bool { table.pointee.is_supported() }

  /// All kernels, for any processor, the fastest first.
  public static var all: [TextKernel] { (0..<assay_text_kernel_count()).map { TextKernel(assay_text_kernel_at($0)) } }

  /// The kernels that this machine can run, the fastest first. The last one is `portable`.
  public static var supported: [TextKernel] { all.filter(\.isSupported) }

  /// The kernel in plain C, which every machine can run.
  public static var portable: TextKernel { TextKernel(assay_text_kernel_at(assay_text_kernel_count() - 1)) }

  /// The kernel in use: the fastest supported one, unless `environmentVariable` named another at the first access or
  /// `force` chose one.
  @inlinable
  public static var current: TextKernel { TextKernel(assay_text_kernel_current()) }

  /// The name of the environment variable that `current` reads.
  public static var environmentVariable: String { ASSAY_TEXT_KERNEL_VARIABLE }

  /// Sets the kernel in use in all threads, for tests and measurements; nil restores the default.
  ///
  /// - Returns: false, without effect, if this machine cannot run the kernel.
  @discardableResult
  public static func force(_ kernel: TextKernel?) -> Bool {
    guard kernel?.isSupported ?? true else { return false }
    assay_text_kernel_force(kernel?.table)
    return true
  }
}

extension TextKernel: CustomStringConvertible {
  public var description: String { name }
}
