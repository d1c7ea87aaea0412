import FuzzEntry
import FuzzTargets

// The readers of gateway data.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("gateways", FuzzTargets.gateways)
}
