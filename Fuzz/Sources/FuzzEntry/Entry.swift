import FuzzTargets

/// The name of the target that this program fuzzes. `nonisolated(unsafe)`: libFuzzer calls from one thread.
nonisolated(unsafe) public private(set) var target = ""
nonisolated(unsafe) private var test: (UnsafePointer<UInt8>?, Int) -> Int32 = { _, _ in 0 }

/// Sets the target of this program. Called before the first input.
public func begin(_ name: String, _ body: @escaping (UnsafePointer<UInt8>?, Int) -> Int32) -> Int32 {
  (target, test) = (name, body)
  FuzzTargets.prepare(name)
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 { test(data, size) }
