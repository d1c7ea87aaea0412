import FuzzEntry
import FuzzTargets

@_silgen_name("LLVMFuzzerMutate")
func mutateByLibFuzzer(_ data: UnsafeMutablePointer<UInt8>?, _ size: Int, _ maximum: Int) -> Int

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ size: Int, _ maximum: Int, _ seed: UInt32) -> Int {
  let changed = FuzzTargets.mutate(target, data, size, maximum, seed)
  return changed > 0 ? changed : mutateByLibFuzzer(data, size, maximum)
}
