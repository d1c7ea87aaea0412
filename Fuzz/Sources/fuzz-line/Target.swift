import FuzzEntry
import FuzzTargets

// The reader of lines of the line protocol.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("line", FuzzTargets.line)
}
