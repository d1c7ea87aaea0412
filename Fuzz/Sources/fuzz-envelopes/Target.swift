import FuzzEntry
import FuzzTargets

// The same, from requests of gateways.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("envelopes", FuzzTargets.token)
}
