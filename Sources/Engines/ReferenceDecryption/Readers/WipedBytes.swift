import CSodium

/// Bytes on the heap that are zeroed when they are released: keys, plaintext, values read from it, and requests.
///
/// A class, so that assignment never copies the bytes. Not for sharing between threads.
package final class WipedBytes {
  private let storage: UnsafeMutableBufferPointer<UInt8>

  /// The number of bytes.
  package var count: Int { storage.count }

  /// `count` zeros.
  package init(count: Int) {
    storage = .allocate(capacity: count)
    storage.initialize(repeating: 0)
  }

  /// A copy of `bytes`.
  package convenience init(_ bytes: Span<UInt8>) {
    self.init(count: bytes.count)
    for index in bytes.indices { self[index] = bytes[index] }
  }

  /// A copy of a part of other wiped bytes.
  package convenience init(_ bytes: WipedSlice) {
    self.init(count: bytes.count)
    for (index, byte) in bytes.enumerated() { self[index] = byte }
  }

  deinit {
    wipe()
    storage.deallocate()
  }

  /// Zeroes every byte now, before the last release.
  package func wipe() {
    guard let start = storage.baseAddress else { return }
    sodium_memzero(start, storage.count)
  }

  /// The byte at `index`. The bounds are checked in every build.
  package subscript(index: Int) -> UInt8 {
    get {
      precondition(storage.indices.contains(index))
      return storage[index]
    }
    set {
      precondition(storage.indices.contains(index))
      storage[index] = newValue
    }
  }

  /// The bytes of `range`, in place.
  package subscript(range: Range<Int>) -> WipedSlice { WipedSlice(owner: self, indices: range) }

  /// All bytes, in place.
  package var all: WipedSlice { self[0..<count] }

  /// Calls `body` with the bytes in memory, to be read.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(storage))
  }

  /// Calls `body` with the bytes in memory, to be written.
  func withMutableBytes<Result, Failure: Error>(
    _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage)
  }
}

/// A part of `WipedBytes`, read in place: comparing and checking it makes no copy.
package struct WipedSlice: RandomAccessCollection {
  private let owner: WipedBytes
  package let indices: Range<Int>

  init(owner: WipedBytes, indices: Range<Int>) {
    precondition(indices.lowerBound >= 0 && indices.upperBound <= owner.count)
    self.owner = owner
    self.indices = indices
  }

  package var startIndex: Int { indices.lowerBound }
  package var endIndex: Int { indices.upperBound }

  package subscript(position: Int) -> UInt8 {
    precondition(indices.contains(position))
    return owner[position]
  }

  /// Without this, initialising an array or a string would go through a temporary copy that is never wiped.
  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    try owner.withBytes { bytes in try body(UnsafeBufferPointer(rebasing: bytes[indices])) }
  }

  /// Whether the bytes are those of `text` in UTF-8.
  package func isText(_ text: String) -> Bool { elementsEqual(text.utf8) }
}
