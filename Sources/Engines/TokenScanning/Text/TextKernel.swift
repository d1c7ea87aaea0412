import CTextKernels

/// The routines that go through long texts: base64, and the strings of JSON (Docs/decisions/0006-text-kernels.md).
///
/// All kernels give the same answers; they differ in the processors they run on, and in speed.
public struct TextKernel: Hashable, @unchecked Sendable {
  // A constant of the program: sharing the pointer is safe.
  @usableFromInline let table: UnsafePointer<assay_text_kernel>

  @usableFromInline
  init(_ table: UnsafePointer<assay_text_kernel>) {
    self.table = table
  }

  /// The kernel of this name, supported or not; nil when there is none.
  public init?(named name: String) {
    guard let table = assay_text_kernel_named(name) else { return nil }
    self.init(table)
  }

  /// The name, as `environmentVariable` takes it: `avx512`, `avx2`, `neon` or `portable`.
  public var name: String { String(cString: table.pointee.name) }

  /// Whether this machine runs it. One that it does not run must not be passed to any function but `force`, which
  /// ignores it.
  public var isSupported: Bool { table.pointee.is_supported() }

  /// Every kernel there is, on whatever processor; best first.
  public static var all: [TextKernel] { (0..<assay_text_kernel_count()).map { TextKernel(assay_text_kernel_at($0)) } }

  /// The kernels that this machine runs; best first. The last one is `portable`.
  public static var supported: [TextKernel] { all.filter(\.isSupported) }

  /// Plain C, supported everywhere.
  public static var portable: TextKernel { TextKernel(assay_text_kernel_at(assay_text_kernel_count() - 1)) }

  /// The kernel in use: the fastest that this machine runs, unless the environment variable `environmentVariable` named
  /// another supported one when this was first asked, or `force` chose one.
  @inlinable
  public static var current: TextKernel { TextKernel(assay_text_kernel_current()) }

  /// The environment variable that `current` heeds.
  public static var environmentVariable: String { ASSAY_TEXT_KERNEL_VARIABLE }

  /// Makes a kernel the one in use, in all threads, for tests and measurements; nil undoes that.
  ///
  /// - Returns: false, without effect, when this machine does not run it.
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
