import CSodium

/// Scalars side by side in one guarded allocation: locked, fenced by pages without access, read-only once filled, wiped
/// when it goes.
///
/// One allocation a set and not a key: each guarded one takes several memory mappings, which run out near 16,000 keys.
/// Where the limit of locked memory is lower than the slab, libsodium goes on without the lock.
final class ScalarSlab: Sendable {
  /// The number of places.
  let count: Int
  /// Written in `init` only; sodium takes the right to write away there.
  private nonisolated(unsafe) let memory: UnsafeMutableRawPointer

  /// Whether libsodium is ready; asked for once.
  private static let isSodiumReady = sodium_init() >= 0

  /// Copies the scalars of `keys` in their order; where there is none, zeros stand.
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

  /// The 32 bytes at `index`, within the slab.
  func scalar(at index: Int) -> UnsafeRawBufferPointer {
    precondition(index >= 0 && index < count, "no such key")
    let size = PrivateKey.scalarSize
    return UnsafeRawBufferPointer(start: memory + index * size, count: size)
  }
}
