#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension CompilerProbe {
  /// Forms that a released compiler gets wrong. None may stand in assay's sources: Scripts/check-compiler searches for
  /// all but `phantom-throw`, which no pattern finds.
  static let wrongForms = [
    CompilerProbe(
      "load-of-a-copy", "a load from a variable passed as `withUnsafeBytes(of: &…)` or `withUnsafeMutableBytes(of: &…)`"
    ) { firstWord(of: Pair(words: ($0, 1)), equals: $0) && lowBits(of: Pair(words: ($0, 1))) == $0 & 255 },
    CompilerProbe(
      "load-through-a-raw-parameter", "a load in a Swift function that receives a variable as `&…` and a raw pointer"
    ) { isEqual(Pair(words: ($0, 1)), $0) },
    CompilerProbe(
      "chained-advances", "a pointer into an array literal that is moved twice", report: "swiftlang/swift#77558"
    ) { third(of: $0) == $0 &+ 20 },
    CompilerProbe(
      "literal-of-padded-structures", "a dictionary literal whose values are C structures with padding",
      report: "swiftlang/swift#91387", mayTrap: true
    ) { _ in settings() == 3 },
    CompilerProbe(
      "writeback-in-a-loop", "a `_modify` accessor that writes back in `defer`, used in a loop (Swift 6.4)",
      report: "swiftlang/swift#92486", mayTrap: true
    ) { twice(incremented: $0) == [$0 &+ 2, $0 &+ 3, $0 &+ 4] },
    CompilerProbe(
      "never-as-any", "a function that never returns as an argument of type `Any...` (before Swift 6.3)",
      report: "swiftlang/swift#85851", mayTrap: true
    ) { value in
      guard value == 5 else { return true }
      passResult(of: leavesWithSuccess)
      return false
    },
    CompilerProbe(
      "phantom-throw", "a generic throwing function that ends in a copy of memory (arm64)",
      report: "swiftlang/swift#90477", mayTrap: true
    ) { (try? copied([$0, 1, 2])) == $0 },
    CompilerProbe(
      "raw-load-of-a-literal", "a raw load from an array literal whose elements are narrower"
    ) {
      rawLoad(ofBytes: UInt8(truncatingIfNeeded: $0)) && rawLoad(ofWords: UInt32(truncatingIfNeeded: $0))
    },
  ]
}

private struct Pair { let words: (UInt64, UInt64) }

@inline(never) private func firstWord(of pair: Pair, equals word: UInt64) -> Bool {
  var copy = pair.words
  return withUnsafeBytes(of: &copy) { $0.load(as: UInt64.self) } == word
}

@inline(never) private func lowBits(of pair: Pair) -> UInt64 {
  var copy = pair.words
  return withUnsafeMutableBytes(of: &copy) { $0.loadUnaligned(as: UInt64.self) } & 255
}

@inline(__always) private func load(_ pointer: UnsafeRawPointer) -> UInt64 { pointer.load(as: UInt64.self) }

@inline(never) private func isEqual(_ pair: Pair, _ word: UInt64) -> Bool {
  var copy = pair.words
  return load(&copy) == word
}

@inline(never) private func third(of value: UInt64) -> UInt64? {
  var values = [value, value &+ 10, value &+ 20, value &+ 30, value &+ 40]
  return values.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return nil }
    let last = base.advanced(by: 4)
    return last.advanced(by: -2).pointee
  }
}

@inline(never) private func settings() -> Int {
  let settings: [Int: termios] = [1: termios(), 2: termios(), 3: termios()]
  return settings.count
}

private struct Numbers {
  var items: [UInt64]

  var view: ArrayView {
    get { ArrayView(items: items) }
    _modify {
      var view = ArrayView(items: items)
      items = []
      defer { items = view.items }
      yield &view
    }
  }
}

private struct ArrayView {
  var items: [UInt64]

  subscript(index: Int) -> UInt64 {
    get { items[index] }
    set { items[index] = newValue }
  }
}

@inline(never) private func twice(incremented value: UInt64) -> [UInt64] {
  var numbers = Numbers(items: [value, value &+ 1, value &+ 2])
  for index in 0..<opaque(3) {
    numbers.view[index] &+= 1
    numbers.view[index] &+= 1
  }
  return numbers.items
}

private func leavesWithSuccess() -> Never { exit(0) }

@inline(__always) private func passResult<Result>(of body: () -> Result) { takesAny(body()) }

@inline(never) private func takesAny(_ values: Any...) {}

@inline(never) private func copied<Value>(_ values: [Value]) throws -> UInt64 {
  let room = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
  defer { room.deallocate() }
  try copy(values, to: room)
  return room.load(as: UInt64.self)
}

@inline(never) private func copy<Value>(_ values: [Value], to room: UnsafeMutableRawPointer) throws {
  values.withUnsafeBytes { source in
    if let base = source.baseAddress { room.copyMemory(from: base, byteCount: source.count) }
  }
}

@inline(never) private func rawLoad(ofBytes byte: UInt8) -> Bool {
  let bytes = [byte, 0, 0, 0, 0, 0, 0, byte]
  return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == UInt64(byte) | UInt64(byte) << 56
}

@inline(never) private func rawLoad(ofWords word: UInt32) -> Bool {
  let words = [word, word &+ 1]
  return words.withUnsafeBytes { $0.load(as: UInt64.self) } == UInt64(word) | UInt64(word &+ 1) << 32
}
