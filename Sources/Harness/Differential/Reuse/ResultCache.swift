import Synchronization

/// Results of signature checks, by their inputs, so that an engine in the fuzzing loop does not repeat checks whose
/// inputs a mutation left unchanged.
///
/// The key is a copy of every byte of every input and of their lengths, so a changed input never gets the result of
/// another. The results of certificates' signatures, which recur, stay in the cache; those of tokens' signatures, most
/// of which are checked once, leave it (`Generations`).
package final class ResultCache: Sendable {
  private struct Entries {
    // Each entry takes about 1 KiB.
    var results = Generations<[UInt8], Bool>(capacity: 2_048)
    var hits = 0
  }

  private let entries = Mutex(Entries())
  private let verifier = SignatureVerifier()

  package init() {}

  /// How often a result was reused.
  package var hits: Int { entries.withLock { $0.hits } }

  /// The result for these inputs: an earlier one or, if there is none, that of `compute`.
  ///
  /// - Parameter inputs: everything that the result depends on, in a fixed order.
  package func result(of inputs: [[UInt8]], compute: () -> Bool) -> Bool {
    let key = Self.key(inputs)
    let known = entries.withLock { entries in
      let known = entries.results.value(for: key)
      if known != nil { entries.hits += 1 }
      return known
    }
    if let known { return known }
    let result = compute()
    entries.withLock { $0.results.insert(result, for: key) }
    return result
  }

  /// The result of an engine's signature check: an earlier one, a new one by `SignatureVerifier`, or that of the engine
  /// if the verifier cannot decide.
  ///
  /// - Parameter verify: the engine's own check.
  package func check(_ inputs: [[UInt8]], _ verify: () -> Bool) -> Bool {
    result(of: inputs) { verifier.result(of: inputs) ?? verify() }
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
