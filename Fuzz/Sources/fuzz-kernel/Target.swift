import FuzzEntry
import FuzzTargets

// A kernel of P-256 against libcrypto; the input selects which.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("kernel", FuzzTargets.kernel)
}
