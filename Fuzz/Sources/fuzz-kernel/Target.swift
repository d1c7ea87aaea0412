import FuzzEntry
import FuzzTargets

// The lanes of P-256 against libcrypto.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("kernel", FuzzTargets.kernel)
}
