import CSodium

/// Scalars in one guarded allocation: locked in memory, between inaccessible pages, read-only once filled, and wiped
/// when released.
///
/// One allocation per set rather than per key: each allocation takes several memory mappings, and a process with one
/// per key runs out of mappings near 16,000 keys. If the limit of locked memory is too low, the memory is not locked.
final class ScalarSlab: Sendable {
  let count: Int
  /// Written only in `init`, which makes it read-only.
  private nonisolated(unsafe) let memory: UnsafeMutableRawPointer

  private static let isSodiumReady = sodium_init() >= 0

  /// Copies the scalars of `keys` in order, with zeros for nil.
  ///
  /// - Throws: `KeyError.Code.memoryUnavailable`.
  init(_ keys: [PrivateKey?]) throws(KeyError) {
    let size = PrivateKey.scalarSize
    guard ScalarSlab.isSodiumReady, let memory = sodium_malloc(max(1, keys.count) * size) else {
      throw KeyError(.memoryUnavailable)
    }
    for (index, key) in keys.enumerated() {
      let place = UnsafeMutableRawBufferPointer(start: memory + index * size, count: size)
      guard let key else {
        sodium_memzero(place.baseAddress, size)
        continue
      }
      key.withScalar { place.copyMemory(from: $0) }
    }
    guard sodium_mprotect_readonly(memory) == 0 else {
      sodium_free(memory)
      throw KeyError(.memoryUnavailable)
    }
    self.memory = memory
    count = keys.count
  }

  deinit {
    sodium_free(memory)
  }

  /// The 32 bytes at `index`, in place.
  func scalar(at index: Int) -> UnsafeRawBufferPointer {
    precondition(index >= 0 && index < count, "no such key")
    let size = PrivateKey.scalarSize
    return UnsafeRawBufferPointer(start: memory + index * size, count: size)
  }
}
