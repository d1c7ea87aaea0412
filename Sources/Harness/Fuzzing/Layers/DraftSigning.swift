import Minting
import PaymentToken

/// Encryption and signing with the test keys.
extension Draft {
  /// The content that the signature covers.
  var signedContent: [UInt8] {
    (fields.key ?? []) + (fields.data ?? []) + (fields.transactionId ?? []) + (fields.applicationData ?? [])
  }

  /// Encrypts the payload, with a new key if the old one is unknown.
  mutating func encrypt(using random: inout QuickGenerator) throws(MintingError) {
    guard let payload else { return }
    if contentKey == nil { try takeFreshKey(using: &random) }
    guard let contentKey else { return }
    fields.data = try TokenEncryption.seal(payload, key: contentKey)
    touch(.content)
  }

  /// Takes a new AES key for the merchant of the publicKeyHash, or for the first merchant if there is none.
  mutating func takeFreshKey(using random: inout QuickGenerator) throws(MintingError) {
    switch version {
    case .ecV1:
      let known = sampleSigner.merchantKey(fields.publicKeyHash)
      let merchant = sampleSigner.minter.merchants[0]
      let key = known?.key ?? merchant.keys[0]
      let pair = try freshPair(using: &random)
      fields.publicKeyHash = key.publicKeyHash
      try take(pair, for: key.pair.point, identifierHash: known?.identifierHash ?? merchant.identifierHash)
    case .rsaV1:
      let key = sampleSigner.rsaMerchantKey(fields.publicKeyHash) ?? sampleSigner.minter.rsaMerchants[0].keys[0]
      fields.publicKeyHash = key.publicKeyHash
      let wrapping = KeyWrapping(random.bytes(16), under: key, seed: random.bytes(32))
      try take(wrapping)
    }
  }

  /// A random key pair on P-256.
  func freshPair(using random: inout QuickGenerator) throws(MintingError) -> KeyPair {
    try KeyPair(.p256, wideScalar: random.bytes(48))
  }

  /// Derives the AES key of an ephemeral key pair and a merchant's public point.
  mutating func take(_ pair: KeyPair, for point: [UInt8], identifierHash: [UInt8]) throws(MintingError) {
    let secret = try pair.sharedSecret(with: point)
    fields.key = pair.publicKeyInfo.encoded
    contentKey = TokenEncryption.symmetricKey(sharedSecret: secret, merchantHash: identifierHash)
    touch(.payload)
    touch(.content)
  }

  mutating func take(_ wrapping: KeyWrapping) throws(MintingError) {
    let field = try wrapping.wrapped()
    fields.key = field
    contentKey = wrapping.key
    sampleSigner.remember(
      contentKey: wrapping.key, keyField: field, publicKeyHash: wrapping.merchantKey.publicKeyHash)
    touch(.payload)
    touch(.content)
  }

  /// Signs the attributes; updates their message digest first if `digesting`.
  mutating func sign(digesting: Bool) throws(MintingError) {
    // An unsigned token in parts stays unsigned.
    guard fields.signature != nil else { return }
    touch(.signature)
    guard var tree = cms, tree[.attributes] != nil, tree[.value] != nil else {
      try signAfresh()
      return
    }
    let digest = Hashing.sha256(signedContent)
    if digesting {
      guard tree[.messageDigest] != nil else { return }
      tree[.messageDigest]?.contents = digest
    }
    guard let message = tree.signedMessage else { return }
    let value = try (otherSigner ?? sampleSigner.signer(version)).sign(message, .sha256)
    tree[.value]?.contents = value
    cms = tree
    if otherSigner == nil || isOtherSignerCertified, tree[.messageDigest]?.contents == digest { remember() }
  }

  /// Makes a new signature in the minter's form if the existing one cannot be updated.
  private mutating func signAfresh() throws(MintingError) {
    let bytes = try TokenSigner(sampleSigner.minter.pki, version: version).sign(
      signedContent, at: sampleSigner.minter.time)
    cms = ASN1Node(ber: bytes)
    remember()
  }

  /// Records the signed token in the sample signer's ledger.
  private func remember() {
    sampleSigner.remember(self, plaintext: contentKey.flatMap { opened(with: $0) })
  }

  /// Whether the test signer signed exactly this token: signing is deterministic, so signing the attributes again must
  /// give the same value; they must hold the digest of the content; and the content must be what the engine returned.
  func isSigned(as token: DecryptedToken) -> Bool {
    guard token.version == version, token.transactionId.bytes == fields.transactionId,
      token.applicationData?.bytes == fields.applicationData, token.plaintext == payload,
      let message = cms?.signedMessage, let value = self[.value]?.contents,
      self[.messageDigest]?.contents == Hashing.sha256(signedContent), let leaf = leafKeyInfo
    else { return false }
    return leafSigners.contains { signer in
      signer.publicKeyInfo.encoded == leaf && Self.isValue(value, of: signer, over: message)
    }
  }

  /// Whether one of these keys signed this content, whatever else is wrong with the sample.
  ///
  /// - Parameter keys: SubjectPublicKeyInfos.
  func isContentSigned(byAnyOf keys: [[UInt8]]) -> Bool {
    guard let message = cms?.signedMessage, let value = self[.value]?.contents,
      self[.messageDigest]?.contents == Hashing.sha256(signedContent)
    else { return false }
    let values = [value, SignatureValues.inDER(value)]
    return keys.contains { key in
      values.contains { sampleSigner.verifier.result(of: [$0, message, key, [32]]) == true }
    }
  }

  /// The keys that the test authorities certify as leaves for tokens of a version.
  static func leafSigners(of sampleSigner: SampleSigner, _ version: TokenVersion) -> [SigningKey] {
    switch version {
    case .ecV1:
      [sampleSigner.signer(version), .ec(sampleSigner.authorities.spareLeaf), sampleSigner.minter.pki.intermediateKey]
    case .rsaV1: [sampleSigner.signer(version)]
    }
  }

  /// The keys that the test authorities certify as leaves for this token. The foreign leaf's key is one of them if a
  /// mutation made a test root issue the intermediate certificate.
  var leafSigners: [SigningKey] {
    let certified = Self.leafSigners(of: sampleSigner, version)
    return hasForeignLeaf && isIntermediateOfTestAuthority ? certified + [foreignLeafSigner] : certified
  }

  /// Whether the leaf has the key of the foreign authorities' leaf.
  var hasForeignLeaf: Bool { leafKeyInfo == foreignLeafSigner.publicKeyInfo.encoded }

  private var foreignLeafSigner: SigningKey {
    let pki = sampleSigner.minter.foreign
    return version.hasRSASigner ? .rsa(pki.rsaLeafKey) : .ec(pki.leafKey)
  }

  /// Whether signing the intermediate certificate again with the key of a test root gives the same value.
  private var isIntermediateOfTestAuthority: Bool {
    guard let intermediate = certificate(.intermediate), intermediate.children.count == 3 else { return false }
    let value = Array(intermediate[2].contents.dropFirst())
    return sampleSigner.authorities.roots.contains { root in
      (try? root.key.sign(intermediate[0].encoded, root.digest)) == value
    }
  }

  /// The public key of the certificate with the leaf's marker.
  var leafKeyInfo: [UInt8]? { certificate(.leaf)?.node(at: CertificateEdits.key)?.encoded }

  private func certificate(_ part: CertificateEdits.Part) -> ASN1Node? {
    self[.certificates]?.children.first { CertificateEdits.part(of: $0) == part }
  }

  /// Whether signing again gives the same value, or its counterpart (r, n − s).
  private static func isValue(_ value: [UInt8], of signer: SigningKey, over message: [UInt8]) -> Bool {
    switch signer {
    case .rsa(let key): return (try? key.sign(message, .sha256)) == value
    case .ec(let key):
      guard let again = try? key.sign(digest: Hashing.sha256(message)), let other = try? key.negated(again) else {
        return false
      }
      return value == again.node.encoded || value == other.node.encoded
    }
  }
}
