import FuzzEntry
import FuzzTargets

// The fast engine's CMS reader against the reference's.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("cms", FuzzTargets.cms)
}
