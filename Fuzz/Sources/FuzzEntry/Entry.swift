import FuzzTargets

/// What this program fuzzes. libFuzzer calls from one thread.
nonisolated(unsafe) public private(set) var target = ""
nonisolated(unsafe) private var test: (UnsafePointer<UInt8>?, Int) -> Int32 = { _, _ in 0 }

/// Says what this program fuzzes, before its first input.
public func begin(_ name: String, _ body: @escaping (UnsafePointer<UInt8>?, Int) -> Int32) -> Int32 {
  (target, test) = (name, body)
  FuzzTargets.prepare(name)
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 { test(data, size) }
