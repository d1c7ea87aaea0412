import FuzzEntry
import FuzzTargets

// Whole tokens and requests through both engines.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("token", FuzzTargets.token)
}
