import FuzzEntry
import FuzzTargets

// What is read of gateways besides tokens.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("gateways", FuzzTargets.gateways)
}
