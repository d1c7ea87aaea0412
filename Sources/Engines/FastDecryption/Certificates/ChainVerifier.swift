import MerchantKeys
import PaymentToken
import TokenScanning

/// Verifies chains that are not in the cache, from the root down: the rest of stage 5, stage 6, and stage 7 up to 7.5.
///
/// Every payment token has the same structure of chain: a leaf and an intermediate, identified by Apple's markers,
/// below a pinned root. There is no path to search. Keys of intermediates (16) and of leaves (256 of each kind) are
/// cached, least recently used evicted first; the caches hold only keys whose certificate a trusted key has signed.
///
/// Engines share a verifier, and the chains that it has verified, only if they have the same roots
/// (`FastDecryptor.replacingKeys`).
final class ChainVerifier: Sendable {
  private let roots: [TrustedRoot]
  private let intermediates = LeastRecentlyUsed<IssuerKey>(capacity: 16)
  private let p256Keys = LeastRecentlyUsed<P256SignerKey>(capacity: 256)
  private let rsaKeys = LeastRecentlyUsed<RSASignerKey>(capacity: 256)

  init(_ anchors: TrustAnchors) throws(EngineError) {
    var roots: [TrustedRoot] = []
    for (index, bytes) in anchors.certificates.enumerated() {
      do {
        roots.append(try TrustedRoot(bytes))
      } catch {
        throw EngineError.malformedRoot(index: index)
      }
    }
    self.roots = roots
  }

  /// Verifies the certificates of a CMS.
  ///
  /// - Parameters:
  ///   - bytes: the contents of the certificates field.
  ///   - signer: the SignerInfo, in `cms`.
  ///   - version: the token's version.
  func verify(
    _ bytes: Span<UInt8>, signer: SignerInfoView, in cms: Span<UInt8>, version: TokenVersion
  ) throws(TokenFault) -> VerifiedChain {
    let certificates = try Self.certificates(in: bytes)
    try Self.checkSignatureSize(signer.signature.count, certificates, version)
    let (leaf, intermediate) = try parts(of: certificates, in: bytes)
    guard LeafName(leaf).matches(signer.identifier, in: cms, certificates: bytes) else {
      throw TokenFault(.signerMismatch)
    }
    guard leaf.maySignTokens(version, in: bytes),
      bytes.extracting(leaf.issuer).elementsEqual(bytes.extracting(intermediate.subject)),
      let issuer = issuerKey(of: intermediate, in: bytes), issuer.signed(leaf, in: bytes),
      let key = signerKey(leaf.publicKey, in: bytes)
    else { throw Cryptography.refusal(.untrustedChain) }
    return VerifiedChain(bytes: bytes, leaf: leaf, intermediate: intermediate, signer: key)
  }

  /// Reads the certificates (5.13-5.18).
  static func certificates(in bytes: Span<UInt8>) throws(TokenFault) -> [CertificateView] {
    var certificates: [CertificateView] = []
    var position = 0
    do {
      while position < bytes.count {
        let certificate = try CertificateView.read(bytes, in: position..<bytes.count)
        certificates.append(certificate)
        position = certificate.whole.upperBound
      }
    } catch {
      throw TokenFault(.malformedSignature)
    }
    return certificates
  }

  /// Checks that an RSA signature value is as long as the modulus of the only certificate that can be the leaf (5.19).
  static func checkSignatureSize(
    _ size: Int, _ certificates: [CertificateView], _ version: TokenVersion
  ) throws(TokenFault) {
    let leaves = certificates.filter(\.extensions.hasLeafMarker)
    guard version.traits.signer == .rsa, leaves.count == 1, case .rsa(let modulus) = leaves[0].publicKey else { return }
    guard size == modulus.count else { throw TokenFault(.malformedSignature) }
  }

  /// Finds the leaf and the intermediate by their markers (6.1 to 6.3).
  private func parts(
    of certificates: [CertificateView], in bytes: Span<UInt8>
  ) throws(TokenFault) -> (leaf: CertificateView, intermediate: CertificateView) {
    let leaves = certificates.indices.filter { certificates[$0].extensions.hasLeafMarker }
    guard leaves.count == 1 else { throw TokenFault(.missingLeafMarker) }
    let intermediates = certificates.indices.filter { certificates[$0].extensions.hasIntermediateMarker }
    guard intermediates.count == 1, intermediates[0] != leaves[0] else {
      throw TokenFault(.missingIntermediateMarker)
    }
    for index in certificates.indices where index != leaves[0] && index != intermediates[0] {
      let other = bytes.extracting(certificates[index].whole)
      guard roots.contains(where: { $0.bytes.span.elementsEqual(other) }) else {
        throw TokenFault(.unexpectedCertificate)
      }
    }
    return (certificates[leaves[0]], certificates[intermediates[0]])
  }

  /// The intermediate's key; nil if no root issued the intermediate (7.1, 7.2) or it may not issue certificates (7.3,
  /// 7.5).
  private func issuerKey(of intermediate: CertificateView, in bytes: Span<UInt8>) -> IssuerKey? {
    let whole = bytes.extracting(intermediate.whole)
    if let known = intermediates.value(for: whole) { return known }
    guard intermediate.mayIssue(intermediatesBelow: 0),
      roots.contains(where: { $0.issued(intermediate, in: bytes) }),
      let key = IssuerKey(intermediate, in: bytes)
    else { return nil }
    intermediates.insert(key, for: whole)
    return key
  }

  /// A leaf's key, parsed or from the cache. The cache is by public key: a reissued certificate may have the same key.
  private func signerKey(_ key: PublicKeyView, in bytes: Span<UInt8>) -> SignerKey? {
    switch key {
    case .p256(let point):
      return signerKey(bytes.extracting(point), in: p256Keys, P256SignerKey.init(point:)).map { .p256($0) }
    case .rsa(let modulus):
      return signerKey(bytes.extracting(modulus), in: rsaKeys, RSASignerKey.init(modulus:)).map { .rsa($0) }
    case .p384, .other:
      return nil
    }
  }

  private func signerKey<Key>(
    _ bytes: Span<UInt8>, in known: LeastRecentlyUsed<Key>, _ make: (Span<UInt8>) -> Key?
  ) -> Key? {
    if let key = known.value(for: bytes) { return key }
    guard let key = make(bytes) else { return nil }
    known.insert(key, for: bytes)
    return key
  }
}
