import FuzzEntry
import FuzzTargets

// Every base64 kernel against libsodium and the reference.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("base64", FuzzTargets.base64)
}
