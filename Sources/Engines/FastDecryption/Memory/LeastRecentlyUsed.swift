import TokenScanning

/// A bounded map from bytes to values that evicts the least recently used one.
///
/// Entries are found by a fast hash of the key. The hash need not resist collisions: only verified values are inserted,
/// and the whole key is compared. A colliding key replaces the entry. Eviction scans all entries, which happens only
/// after a verification that takes far longer.
package final class LeastRecentlyUsed<Value: AnyObject & Sendable>: Sendable {
  private struct Entry {
    let key: [UInt8]
    let value: Value
    var lastUse: UInt64
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    private var uses: UInt64 = 0

    /// Returns a number higher than those of all earlier uses.
    mutating func nextUse() -> UInt64 {
      uses += 1
      return uses
    }
  }

  private let capacity: Int
  private let state = Locked(State())

  /// Creates an empty map for `capacity` values, at least one.
  package init(capacity: Int) {
    self.capacity = capacity
  }

  /// Returns the value of a key and marks it as the most recently used.
  package func value(for key: Span<UInt8>) -> Value? {
    let sum = Self.sum(key)
    // The lock's closure cannot capture a span, so it captures its address, which is valid during this call.
    return key.withUnsafeBufferPointer { buffer in
      state.withLock { state in
        guard let index = state.entries.index(forKey: sum) else { return nil }
        let bytes = state.entries.values[index].key
        guard bytes.span.elementsEqual(buffer.span) else { return nil }
        state.entries.values[index].lastUse = state.nextUse()
        return state.entries.values[index].value
      }
    }
  }

  /// Inserts a value, and evicts the least recently used one if the map is full.
  package func insert(_ value: Value, for key: Span<UInt8>) {
    let sum = Self.sum(key)
    let bytes = key.withUnsafeBufferPointer { [UInt8]($0) }
    state.withLock { state in
      if state.entries.count >= capacity, state.entries[sum] == nil,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.entries[oldest.key] = nil
      }
      state.entries[sum] = Entry(key: bytes, value: value, lastUse: state.nextUse())
    }
  }

  /// The number of values.
  package var count: Int { state.withLock { $0.entries.count } }

  private static func sum(_ key: Span<UInt8>) -> UInt64 {
    var sum = key.mixedWords(every: 8)
    for index in key.count & ~7..<key.count { sum = (sum ^ UInt64(key[index])) &* UInt64.mixer }
    return sum
  }
}
