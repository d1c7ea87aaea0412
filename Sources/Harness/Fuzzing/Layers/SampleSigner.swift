import Differential
import Gateways
public import Minting
import NamedCases
public import PaymentToken
public import TestCases

/// Decrypts, encrypts and signs samples with the test keys, and keeps a ledger of the tokens that it signed.
///
/// The ledger detects forgeries: an engine may accept only what the test signer signed. The ledger is limited in size.
/// Tokens that are not in it are checked by signing them again, which works because signing is deterministic.
///
/// Not thread-safe.
public final class SampleSigner {
  public let minter: Minter
  /// The default context of samples: the minter's time, any envelope by its shape.
  public let defaultContext: TestContext
  let authorities: TestAuthorities
  /// Keeps decoded keys.
  let verifier = SignatureVerifier()
  /// Tokens that the test signer signed and whose content is known.
  private var ledger: Set<Fingerprint> = []
  /// The valid tokens of the named cases; nil until one is asked for.
  private var namedTokens: Set<Fingerprint>?
  /// AES keys by key field and key hash, because agreement and RSA are slow.
  private var contentKeys = Generations<[UInt8], [UInt8]>(capacity: 2_048)
  /// Valid tokens, decoded, by index; made on demand.
  var donors: [Int: Draft] = [:]
  /// Kept samples, which also serve as donors of parts. The loop that uses this signer sets them.
  public var donorSamples: [TestInput] = []
  /// Decoded samples, so that a parent that is mutated again is not decoded again. The key is the whole sample with its
  /// context, so a changed sample is always decoded.
  private var drafts = Generations<DraftKey, Draft>(capacity: 512)
  private let remembersDrafts: Bool
  private static let ledgerLimit = 1 << 20
  /// The maximum size of a sample whose draft is remembered, in bytes. Larger ones are rare and would take much memory.
  private static let largestDraft = 16_384

  /// The hash is of all bytes of the request at once, because an array hashes each. Equality compares everything.
  private struct DraftKey: Hashable {
    let sample: TestInput

    func hash(into hasher: inout Hasher) { sample.request.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  /// - Parameter remembersDrafts: false to decode every sample again, as the tests of the cache do.
  /// - Throws: when a library call fails.
  public init(_ minter: Minter, remembersDrafts: Bool = true) throws(MintingError) {
    self.minter = minter
    self.remembersDrafts = remembersDrafts
    authorities = try TestAuthorities(minter)
    defaultContext = TestContext(now: minter.time, policy: TestPolicy(envelope: .automatic))
  }

  /// The trust anchors for the engines: the minter's root and those of `TestAuthorities`.
  public var anchors: TrustAnchors { authorities.anchors }

  /// The minter's keys and the roots, for an external program.
  var setting: TestSetting { TestSetting(of: minter, anchors: anchors.certificates) }

  /// The draft of a sample, which is remembered.
  func draft(of sample: TestInput) -> Draft {
    if let draft = drafts.value(for: DraftKey(sample: sample)) { return draft }
    let draft = Draft(sample, in: self)
    remember(draft, of: sample)
    return draft
  }

  /// Remembers the draft of a sample as it was decoded.
  func remember(_ draft: Draft, of sample: TestInput) {
    guard remembersDrafts, sample.request.count <= Self.largestDraft else { return }
    drafts.insert(draft, for: DraftKey(sample: sample))
  }

  // MARK: Ledger of signed tokens

  /// 128 bits of the SHA-256 digest of what an engine returns for a token.
  typealias Fingerprint = [UInt8]

  private static func fingerprint(
    _ version: TokenVersion, _ ephemeralPublicKey: [UInt8]?, _ transactionId: [UInt8], _ applicationData: [UInt8]?,
    _ plaintext: [UInt8]
  ) -> Fingerprint {
    let parts = [
      Array(version.rawValue.utf8), ephemeralPublicKey ?? [], transactionId, applicationData ?? [0], plaintext,
    ]
    var bytes: [UInt8] = []
    for part in parts { bytes += withUnsafeBytes(of: UInt64(part.count)) { Array($0) } + part }
    return Array(Hashing.sha256(bytes).prefix(16))
  }

  /// Records what an engine would return for a draft's token.
  func remember(_ draft: Draft, plaintext: [UInt8]?) {
    guard let print = fingerprint(of: draft, plaintext: plaintext) else { return }
    if ledger.count >= Self.ledgerLimit { ledger.removeAll(keepingCapacity: true) }
    ledger.insert(print)
  }

  private func fingerprint(of draft: Draft, plaintext: [UInt8]?) -> Fingerprint? {
    guard let transactionId = draft.fields.transactionId, let plaintext else { return nil }
    return Self.fingerprint(
      draft.version, draft.version.hasEphemeralKey ? draft.fields.key : nil, transactionId,
      draft.fields.applicationData, plaintext)
  }

  /// Whether the test signer signed an accepted token, by the ledger or else by signing it again.
  ///
  /// - Parameter sample: the accepted sample; it is decoded with readers independent of the engines'.
  public func signed(_ token: DecryptedToken, in sample: TestInput) -> Bool {
    let print = fingerprint(of: token)
    if ledger.contains(print) { return true }
    if let draft = Draft.all(of: sample, in: self).first(where: { $0.isSigned(as: token) }) {
      // The same content under the foreign authorities alone is a forgery.
      if !draft.hasForeignLeaf { ledger.insert(print) }
      return true
    }
    guard isOfNamedCase(print) else { return false }
    ledger.insert(print)
    return true
  }

  /// Whether the test signer signed the content of a sample, by the verdict, or else by checking the signature. Such a
  /// sample can be made only from a genuine token, or by the issuer of tokens.
  func hasSignedContent(_ sample: TestInput, _ verdict: TestVerdict) -> Bool {
    guard let fault = verdict.fault else { return true }
    // The engines verified the signature before they reached this stage.
    if fault.stage > .signature, !sample.context.policy.isUnsigned { return true }
    return Draft.all(of: sample, in: self).contains { draft in
      var keys = draft.leafSigners.map(\.publicKeyInfo.encoded)
      // The test authorities certify other keys as well: those that signed the tokens in the ledger.
      let isKnown = fingerprint(of: draft, plaintext: draft.payload).map(ledger.contains) == true
      if isKnown, let key = draft.leafKeyInfo { keys.append(key) }
      return draft.isContentSigned(byAnyOf: keys)
    }
  }

  /// Whether a fingerprint is that of a valid token of a named case. Some of these tokens are signed with keys or
  /// nonces that only the case has, and the ledger of a resumed run lacks them. The first call mints all cases.
  private func isOfNamedCase(_ print: Fingerprint) -> Bool {
    if let namedTokens { return namedTokens.contains(print) }
    let before = ledger
    ledger = []
    for recipe in CaseRecipe.all where recipe.expected == .accept {
      guard let made = try? minter.make(recipe) else { continue }
      let context = made.test.context
      for request in [made.test.request] + context.prelude {
        for draft in Draft.all(of: TestInput(request, context), in: self) { remember(draft, plaintext: draft.payload) }
      }
    }
    let tokens = ledger
    ledger = before
    namedTokens = tokens
    return tokens.contains(print)
  }

  /// The fingerprint of a signed token, for another process's ledger as well.
  func fingerprint(of token: DecryptedToken) -> Fingerprint {
    Self.fingerprint(
      token.version, token.ephemeralPublicKey, token.transactionId.bytes, token.applicationData?.bytes, token.plaintext)
  }

  /// Records a token that another process found to be signed.
  func trust(_ print: Fingerprint) { ledger.insert(print) }

  // MARK: Keys

  func signer(_ version: TokenVersion) -> SigningKey {
    version.hasRSASigner ? .rsa(minter.pki.rsaLeafKey) : .ec(minter.pki.leafKey)
  }

  func merchantKey(_ hash: [UInt8]?) -> (key: TestMerchant.Key, identifierHash: [UInt8])? {
    guard let hash else { return nil }
    for merchant in minter.merchants {
      if let key = merchant.keys.first(where: { $0.publicKeyHash == hash }) { return (key, merchant.identifierHash) }
    }
    return nil
  }

  func rsaMerchantKey(_ hash: [UInt8]?) -> RSATestMerchant.Key? {
    guard let hash else { return nil }
    return minter.rsaMerchants.flatMap(\.keys).first { $0.publicKeyHash == hash }
  }

  /// The AES key of a token; nil if it cannot be derived.
  func contentKey(_ version: TokenVersion, keyField: [UInt8], publicKeyHash: [UInt8]?) -> [UInt8]? {
    guard let publicKeyHash else { return nil }
    let place = keyField + publicKeyHash
    if let known = contentKeys.value(for: place) { return known }
    let key = version.hasEphemeralKey ? agree(keyField, publicKeyHash) : unwrap(keyField, publicKeyHash)
    guard let key else { return nil }
    contentKeys.insert(key, for: place)
    return key
  }

  /// Records the AES key that a key field holds.
  func remember(contentKey: [UInt8], keyField: [UInt8], publicKeyHash: [UInt8]) {
    contentKeys.insert(contentKey, for: keyField + publicKeyHash)
  }

  private func agree(_ publicKeyInfo: [UInt8], _ hash: [UInt8]) -> [UInt8]? {
    guard publicKeyInfo.count >= 65, let (key, identifierHash) = merchantKey(hash),
      let secret = try? key.pair.sharedSecret(with: Array(publicKeyInfo.suffix(65)))
    else { return nil }
    return TokenEncryption.symmetricKey(sharedSecret: secret, merchantHash: identifierHash)
  }

  private func unwrap(_ wrappedKey: [UInt8], _ hash: [UInt8]) -> [UInt8]? {
    guard let key = rsaMerchantKey(hash), wrappedKey.count == key.pair.modulus.count,
      wrappedKey.lexicographicallyPrecedes(key.pair.modulus),
      let encoded = try? key.pair.sign(encoded: wrappedKey), let contentKey = OAEPPadding().open(encoded),
      contentKey.count == 16
    else { return nil }
    return contentKey
  }
}

/// Donors of parts for mutations.
extension SampleSigner {
  private static let donorCount = 24

  /// A valid token of some kind, or a kept sample.
  func donor(using random: inout QuickGenerator) throws(MintingError) -> Draft {
    if let sample = random.pick(from: donorSamples), random.chance(2) { return draft(of: sample) }
    let index = random.below(Self.donorCount)
    if let known = donors[index] { return known }
    let token = index % 4 == 3 ? try minter.mintRSA(index: UInt64(index)) : try minter.mint(index: UInt64(index))
    let draft = Draft(TestInput(token.bytes, TestContext(now: minter.time)), in: self)
    remember(draft, plaintext: draft.payload)
    donors[index] = draft
    return draft
  }
}
