import FuzzTargets

// What is read of gateways besides tokens.

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<Int32>?, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
  FuzzTargets.prepare("gateways")
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 { FuzzTargets.gateways(data, size) }

@_silgen_name("LLVMFuzzerMutate")
func mutateByLibFuzzer(_ data: UnsafeMutablePointer<UInt8>?, _ size: Int, _ maximum: Int) -> Int

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ size: Int, _ maximum: Int, _ seed: UInt32) -> Int {
  let changed = FuzzTargets.mutate("gateways", data, size, maximum, seed)
  return changed > 0 ? changed : mutateByLibFuzzer(data, size, maximum)
}

@_cdecl("LLVMFuzzerCustomCrossOver")
public func cross(
  _ first: UnsafePointer<UInt8>?, _ firstSize: Int, _ second: UnsafePointer<UInt8>?, _ secondSize: Int,
  _ output: UnsafeMutablePointer<UInt8>?, _ maximum: Int, _ seed: UInt32
) -> Int {
  FuzzTargets.cross("gateways", first, firstSize, second, secondSize, output, maximum, seed)
}
