public import PaymentToken

/// A set of merchant keys, found by their publicKeyHash.
///
/// The scalars of P-256 keys are in one guarded, read-only allocation (Docs/decisions/0002), RSA keys in libcrypto's
/// memory. External keys are only references to their `KeyAgreement` or `KeyTransport`. Keys have indices in the order
/// in which they were first given. Any number of threads may share a set.
///
/// ```swift
/// let files = [KeyFile(name: "merchant.key", bytes: key), KeyFile(name: "merchant.pem", bytes: certificate)]
/// let keys = try MerchantKeySet(files: files)
/// ```
public final class MerchantKeySet: Sendable {
  private let keys: [MerchantKey]
  private let indices: [Bytes32: Int]
  private let rsaKeys: [RSAPrivateKey?]
  private let agreements: [(any KeyAgreement)?]
  private let transports: [(any KeyTransport)?]
  private let slab: ScalarSlab
  /// Certificates given to ``init(files:merchantIDs:externalECKeys:externalRSAKeys:)`` that belong to none of the keys,
  /// in the order given.
  public let unpairedCertificates: [UnpairedCertificate]

  /// Makes a set of keys. Sources of the same key are joined, with their certificates and merchant IDs.
  ///
  /// - Throws: ``KeyError`` with `certificateMismatch` for a certificate of another key, `emptyMerchantID`,
  ///   `malformedMerchantIDExtension`, `missingMerchantID`, `merchantIDMismatch`, `conflictingMerchantIDs`,
  ///   `memoryUnavailable` or `cryptographyUnavailable`.
  package convenience init(_ sources: [MerchantKeySource]) throws(KeyError) {
    try self.init(sources, unpaired: [])
  }

  init(_ sources: [MerchantKeySource], unpaired: [UnpairedCertificate]) throws(KeyError) {
    try Cryptography.check()
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
    transports = groups.map(\.secret.transport)
    slab = try ScalarSlab(groups.map(\.secret.p256Key))
    unpairedCertificates = unpaired
  }

  /// The number of keys.
  public var count: Int { keys.count }

  /// The index of the key with this publicKeyHash; nil when it is not loaded, or opens tokens of another version.
  public func index(of publicKeyHash: Bytes32, for version: TokenVersion) -> Int? {
    guard let index = indices[publicKeyHash], keys[index].version == version else { return nil }
    return index
  }

  /// The public properties of the key at `index`, 0..<count.
  public subscript(index: Int) -> MerchantKey { keys[index] }

  /// The merchant-ID hash of the EC_v1 key at `index`, 32 bytes: PartyVInfo of its key derivation (rule 11.2).
  package func merchantIDHash(at index: Int) -> Bytes32 {
    // Callers select keys by version, as stage 10 does, so `index` is never that of an RSA key.
    guard let hash = keys[index].merchantIDHash else { preconditionFailure("not an EC_v1 key") }
    return hash
  }

  /// Whether the key at `index` belongs to this merchant ID; nil if the key's merchant is unknown.
  package func isKey(at index: Int, of merchantID: String) -> Bool? {
    keys[index].merchantIDHash.map { $0 == Digest.sha256(merchantID: merchantID) }
  }

  /// Whether a token was decrypted with a key of this merchant ID; nil if the key or its merchant is unknown.
  public func isToken(_ token: DecryptedToken, of merchantID: String) -> Bool? {
    index(of: token.publicKeyHash, for: token.version).flatMap { isKey(at: $0, of: merchantID) }
  }

  /// The size of the modulus of the RSA_v1 key at `index`: 256 to 512 bytes.
  package func modulusSize(at index: Int) -> Int {
    guard case .rsa(let modulus, _) = keys[index].publicKey else { preconditionFailure("not an RSA key") }
    return modulus.count
  }

  /// Calls `body` with the RSA_v1 key at `index`, which must not be external: an EVP_PKEY of libcrypto, whose
  /// operations are blinded and which any number of threads may use at once. `body` must not keep, free or change it.
  package func withRSAKey<Result>(at index: Int, _ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(rsaKey(at: index).key) }
  }

  private func rsaKey(at index: Int) -> RSAPrivateKey {
    // Callers select keys by version, as stage 10 does, so `index` is never that of an EC key.
    guard let key = rsaKeys[index] else { preconditionFailure("an external key or not an RSA key") }
    return key
  }

  /// The key agreement of the external EC_v1 key at `index`; nil when this set holds its scalar.
  package func externalAgreement(at index: Int) -> (any KeyAgreement)? { agreements[index] }

  /// The key transport of the external RSA_v1 key at `index`; nil when this set holds its private key.
  package func externalTransport(at index: Int) -> (any KeyTransport)? { transports[index] }

  /// Whether a wrapped key has the size of the modulus of the RSA_v1 key at `index` and is below it. Both are public.
  package func isInRange(_ wrapped: Span<UInt8>, at index: Int) -> Bool {
    guard case .rsa(let modulus, _) = keys[index].publicKey, wrapped.count == modulus.count else { return false }
    for place in wrapped.indices where wrapped[place] != modulus[place] { return wrapped[place] < modulus[place] }
    return false
  }

  /// Calls `body` with the scalar of the EC_v1 key at `index`, which must not be external: 32 bytes, big-endian, in the
  /// guarded memory. `body` must not keep the pointer; the caller wipes copies of the bytes.
  package func withScalar<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard case .p256 = keys[index].publicKey, !keys[index].isExternal else {
      preconditionFailure("an external key or not an EC_v1 key")
    }
    return withExtendedLifetime(self) { body(slab.scalar(at: index)) }
  }
}

extension MerchantKeySet {
  /// The address of the scalar of the EC_v1 key at `index`, which must not be external: 32 bytes, big-endian.
  ///
  /// For C functions that take several scalars at once. Valid as long as the set.
  package func scalarAddress(at index: Int) -> UnsafePointer<UInt8>? {
    withScalar(at: index) { $0.baseAddress?.assumingMemoryBound(to: UInt8.self) }
  }
}

extension MerchantKeySet: CustomStringConvertible, CustomReflectable {
  /// The number of keys, and nothing else.
  public var description: String { "\(count) merchant keys" }

  /// The number of keys, and nothing else.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
