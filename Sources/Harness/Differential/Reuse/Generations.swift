/// A bounded cache of two generations. When the young generation is full, it replaces the old one, whose entries are
/// dropped. An old entry that is used is copied to the young generation.
package struct Generations<Key: Hashable, Value> {
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]
  /// The maximum number of entries of one generation.
  private let capacity: Int

  package init(capacity: Int) {
    self.capacity = capacity
  }

  /// The value of a key; nil if there is none.
  package mutating func value(for key: Key) -> Value? {
    if let value = young[key] { return value }
    guard let value = old[key] else { return nil }
    insert(value, for: key)
    return value
  }

  package mutating func insert(_ value: Value, for key: Key) {
    if young.count >= capacity {
      old = young
      // Growing step by step would hash every key again.
      young = Dictionary(minimumCapacity: capacity)
    }
    young[key] = value
  }
}
