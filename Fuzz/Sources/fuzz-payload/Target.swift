import FuzzEntry
import FuzzTargets

// The payload readers of both engines against each other.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("payload", FuzzTargets.payload)
}
