import FuzzEntry
import FuzzTargets

// Requests of gateways through both engines, as in fuzz-token, but with a dictionary for envelopes.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  begin("envelopes", FuzzTargets.token)
}
