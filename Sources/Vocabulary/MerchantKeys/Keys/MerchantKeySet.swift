public import PaymentToken

/// Any number of merchant keys, found by their publicKeyHash. The scalars of P-256 keys lie in one guarded, read-only
/// allocation; RSA keys lie in libcrypto's memory; of
/// external keys there is only whom to ask.
///
/// Lookups allocate nothing. Keys stand in the order in which they were first given.
public final class MerchantKeySet: Sendable {
  private let keys: [MerchantKey]
  private let indices: [Bytes32: Int]
  private let rsaKeys: [RSAPrivateKey?]
  private let agreements: [(any KeyAgreement)?]
  private let slab: ScalarSlab

  /// Loads keys: the same key given again is one key, which has the certificates and merchant IDs of all its entries.
  ///
  /// - Throws: `certificateMismatch` for a certificate of another key, and what ``MerchantKey`` is refused for:
  ///   `emptyMerchantID`, `malformedMerchantIDExtension`, `missingMerchantID`, `merchantIDMismatch`,
  ///   `conflictingMerchantIDs`; `memoryUnavailable`.
  public init(_ sources: [MerchantKeySource]) throws(KeyError) {
    var groups: [MerchantKeyGroup] = []
    var indices: [Bytes32: Int] = [:]
    for source in sources {
      let hash = source.secret.publicKeyHash()
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
    rsaKeys = groups.map(\.secret.rsaKey)
    agreements = groups.map(\.secret.agreement)
    slab = try ScalarSlab(groups.map(\.secret.p256Key))
  }

  /// The number of keys.
  public var count: Int { keys.count }

  /// Where the key with this publicKeyHash stands; nil when it is not loaded, or opens tokens of the other version.
  public func index(of publicKeyHash: Bytes32, for version: TokenVersion) -> Int? {
    guard let index = indices[publicKeyHash], keys[index].version == version else { return nil }
    return index
  }

  /// What is public about the key at `index`, 0..<count.
  public subscript(index: Int) -> MerchantKey { keys[index] }

  /// Party-V info of the EC_v1 key at `index`.
  public func merchantIDHash(at index: Int) -> Bytes32 {
    // Stage 10 looks a key up by its kind: no caller has the index of an RSA key, and a wrong hash would be worse than an end.
    guard let hash = keys[index].merchantIDHash else { preconditionFailure("the key derives nothing") }
    return hash
  }

  /// Whether the key at `index` is that of the merchant with this identifier; nil for a key of which no merchant is known.
  public func isKey(at index: Int, of merchantID: String) -> Bool? {
    keys[index].merchantIDHash.map { $0 == Digest.sha256(Array(merchantID.utf8)) }
  }

  /// Whether a token was opened by the key of the merchant with this identifier; nil where that is not known.
  public func isToken(_ token: DecryptedToken, of merchantID: String) -> Bool? {
    index(of: token.publicKeyHash, for: token.version).flatMap { isKey(at: $0, of: merchantID) }
  }

  /// The bytes of the modulus of the RSA_v1 key at `index`, 256 to 512.
  public func modulusSize(at index: Int) -> Int { rsaKey(at: index).modulus.count }

  /// Calls `body` with the RSA_v1 key at `index`, an EVP_PKEY of libcrypto whose operations are blinded. Any number of
  /// threads may use it at once.
  ///
  /// The key must not be kept, freed or changed.
  public func withRSAKey<Result>(at index: Int, _ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(rsaKey(at: index).key) }
  }

  private func rsaKey(at index: Int) -> RSAPrivateKey {
    // As above, the other way round.
    guard let key = rsaKeys[index] else { preconditionFailure("not an RSA key") }
    return key
  }

  /// Who is to be asked for the shared secrets of the EC_v1 key at `index`; nil when its scalar is held here.
  public func agreement(at index: Int) -> (any KeyAgreement)? { agreements[index] }

  /// Calls `body` with the scalar of the EC_v1 key at `index`, which is held here: 32 bytes, big-endian, within the guarded memory.
  ///
  /// The bytes must not be kept, and copies of them are the caller's to wipe.
  public func withScalar<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // The set, and so the memory, lives at least until the body returns.
    guard case .p256 = keys[index].publicKey, !keys[index].isExternal else {
      preconditionFailure("no scalar of the key is held here")
    }
    return withExtendedLifetime(self) { body(slab.scalar(at: index)) }
  }
}

extension MerchantKeySet {
  /// Where the scalar of the EC_v1 key at `index`, which is held here, lies: 32 bytes, big-endian, within the guarded memory.
  ///
  /// For calls of C that take several scalars at once; valid as long as the set is.
  package func scalarAddress(at index: Int) -> UnsafePointer<UInt8>? {
    withScalar(at: index) { $0.baseAddress?.assumingMemoryBound(to: UInt8.self) }
  }
}

extension MerchantKeySet: CustomStringConvertible, CustomReflectable {
  /// The number of keys and nothing of them.
  public var description: String { "\(count) merchant keys" }

  /// The number of keys and nothing of them.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
