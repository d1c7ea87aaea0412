import FuzzEntry
import FuzzTargets

// Both engines' readers of payloads.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("payload", FuzzTargets.payload)
}
