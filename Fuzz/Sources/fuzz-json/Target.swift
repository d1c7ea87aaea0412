import FuzzEntry
import FuzzTargets

// The fast engine's JSON scanner against the reference's reader.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("json", FuzzTargets.json)
}
