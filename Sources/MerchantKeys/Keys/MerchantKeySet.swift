public import PaymentToken

/// Any number of merchant keys, found by their publicKeyHash. The scalars lie in one guarded, read-only allocation.
///
/// Lookups allocate nothing. Keys stand in the order in which they were first given.
public final class MerchantKeySet: Sendable {
  private let keys: [MerchantKey]
  private let indices: [Octets32: Int]
  private let slab: ScalarSlab

  /// Loads keys: the same key given again is one key, which has the certificates and merchant IDs of all its entries.
  ///
  /// - Throws: `certificateMismatch` for a certificate of another key, and what ``MerchantKey`` is refused for:
  ///   `emptyMerchantID`, `malformedMerchantIDExtension`, `missingMerchantID`, `merchantIDMismatch`,
  ///   `conflictingMerchantIDs`; `memoryUnavailable`.
  public init(_ sources: [MerchantKeySource]) throws(KeyError) {
    var groups: [MerchantKeyGroup] = []
    var indices: [Octets32: Int] = [:]
    for source in sources {
      let hash = source.privateKey.publicKeyHash()
      if let index = indices[hash] {
        try groups[index].add(source)
      } else {
        indices[hash] = groups.count
        groups.append(try MerchantKeyGroup(source))
      }
    }
    var keys: [MerchantKey] = []
    for group in groups { keys.append(try group.key()) }
    self.keys = keys
    self.indices = indices
    slab = try ScalarSlab(groups.map(\.privateKey))
  }

  /// The number of keys.
  public var count: Int { keys.count }

  /// Where the key with this publicKeyHash stands; nil when it is not loaded.
  public func index(of publicKeyHash: Octets32) -> Int? { indices[publicKeyHash] }

  /// What is public about the key at `index`, 0..<count.
  public subscript(index: Int) -> MerchantKey { keys[index] }

  /// Party-V info of the key at `index`, 0..<count.
  public func merchantIDHash(at index: Int) -> Octets32 { keys[index].merchantIDHash }

  /// Calls `body` with the scalar of the key at `index`: 32 octets, big-endian, within the guarded memory.
  ///
  /// The octets must not be kept, and copies of them are the caller's to wipe.
  public func withScalar<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // The set, and so the memory, lives at least until the body returns.
    withExtendedLifetime(self) { body(slab.scalar(at: index)) }
  }
}

extension MerchantKeySet: CustomStringConvertible, CustomReflectable {
  /// The number of keys and nothing of them.
  public var description: String { "\(count) merchant keys" }

  /// The number of keys and nothing of them.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
