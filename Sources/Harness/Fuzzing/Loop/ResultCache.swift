import Synchronization

/// Results of signature checks, by their inputs, for an engine in the loop that does not repeat what a mutation left
/// unchanged.
///
/// The key is a copy of every byte of every input and of their lengths, so a changed input never gets the result of
/// another. There are two generations: a full young generation becomes the old one, whose entries are dropped unless
/// they are used again before the next change. So the signatures of certificates, which recur, stay, and those of
/// tokens, most of which are checked once, leave.
package final class ResultCache: Sendable {
  private struct Entries {
    var young: [[UInt8]: Bool] = [:]
    var old: [[UInt8]: Bool] = [:]
    var hits = 0
  }

  private let entries = Mutex(Entries())
  /// Entries of one generation; each takes about 1 KiB.
  private static let capacity = 2_048

  package init() {}

  /// How often a result was reused.
  package var hits: Int { entries.withLock { $0.hits } }

  /// The result for these inputs: an earlier one or, if there is none, that of `compute`.
  ///
  /// - Parameter inputs: everything that the result depends on, in a fixed order.
  package func result(of inputs: [[UInt8]], compute: () -> Bool) -> Bool {
    let key = Self.key(inputs)
    if let known = known(key) { return known }
    let result = compute()
    record(result, for: key)
    return result
  }

  /// Records a result. Tests plant wrong ones.
  package func record(_ result: Bool, of inputs: [[UInt8]]) { record(result, for: Self.key(inputs)) }

  private func known(_ key: [UInt8]) -> Bool? {
    entries.withLock { entries in
      if let result = entries.young[key] {
        entries.hits += 1
        return result
      }
      guard let result = entries.old[key] else { return nil }
      entries.hits += 1
      Self.insert(result, for: key, in: &entries)
      return result
    }
  }

  private func record(_ result: Bool, for key: [UInt8]) {
    entries.withLock { Self.insert(result, for: key, in: &$0) }
  }

  private static func insert(_ result: Bool, for key: [UInt8], in entries: inout Entries) {
    if entries.young.count >= capacity {
      entries.old = entries.young
      entries.young = [:]
    }
    entries.young[key] = result
  }

  /// The inputs one after another, each preceded by its length in eight bytes.
  private static func key(_ inputs: [[UInt8]]) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(inputs.reduce(0) { $0 + $1.count + 8 })
    for input in inputs {
      withUnsafeBytes(of: UInt64(input.count)) { key += $0 }
      key += input
    }
    return key
  }
}
