import FuzzEntry
import FuzzTargets

// The lines of the protocol.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("line", FuzzTargets.line)
}
