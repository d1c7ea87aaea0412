import Benchmarking
import CP256

extension SharedWrites.Tracing {
  /// Traces everything but the functions of the P-256 kernels, which are most of a token's instructions. They have no
  /// memory but their arguments and the stack; `Scripts/check-kernel` finds no atomic instruction in them.
  public static let besideKernels = SharedWrites.Tracing(
    untraced: (0..<assay_p256_kernel_count()).compactMap { assay_p256_kernel_at($0)?.pointee }.flatMap { kernel in
      [
        kernel.agree.map { UInt64(UInt(bitPattern: unsafeBitCast($0, to: UnsafeRawPointer.self))) },
        kernel.verify.map { UInt64(UInt(bitPattern: unsafeBitCast($0, to: UnsafeRawPointer.self))) },
        kernel.verify_one.map { UInt64(UInt(bitPattern: unsafeBitCast($0, to: UnsafeRawPointer.self))) },
      ].compactMap(\.self)
    })
}
