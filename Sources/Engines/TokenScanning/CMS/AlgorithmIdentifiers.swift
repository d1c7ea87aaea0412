import PaymentToken

/// The signature algorithms a SignerInfo may name; RSA's parameters are NULL or absent, ECDSA's absent (5.10).
enum SignerAlgorithm: Equatable {
  case ecdsaWithSHA256
  case rsaEncryption
  case sha256WithRSAEncryption

  /// The kind of key that signs with it.
  var signer: VersionTraits.SignerKind {
    switch self {
    case .ecdsaWithSHA256: .ecdsa
    case .rsaEncryption, .sha256WithRSAEncryption: .rsa
    }
  }
}

extension DERScanner {
  /// Consumes the AlgorithmIdentifier of SHA-256 in one of its two forms, with parameters NULL or absent (5.10).
  mutating func sha256AlgorithmIdentifier() throws(MalformedDER) {
    guard !consumeIfNext(CMSBytes.sha256Absent) else { return }
    try exactly(CMSBytes.sha256Null)
  }

  /// Consumes a SignerInfo's signature algorithm, which must be one of this token version (5.10).
  mutating func signatureAlgorithmIdentifier(_ version: TokenVersion) throws(MalformedDER) -> SignerAlgorithm {
    let element = try element(DERTag.sequence)
    let algorithm = try inside(element).signerAlgorithm()
    guard algorithm.signer == version.traits.signer else { throw MalformedDER() }
    return algorithm
  }

  /// Consumes the signature algorithm under the [1] of cmsAlgorithmProtection. Its parameters may be encoded
  /// differently from those of the SignerInfo.
  mutating func protectedAlgorithm(_ expected: SignerAlgorithm) throws(MalformedDER) {
    let element = try element(DERTag.constructed1)
    guard try inside(element).signerAlgorithm() == expected else { throw MalformedDER() }
  }

  /// Reads the contents of an AlgorithmIdentifier.
  private consuming func signerAlgorithm() throws(MalformedDER) -> SignerAlgorithm {
    let type = try element(DERTag.objectIdentifier).content
    if holds(CertificateBytes.ecdsaWithSHA256, in: type) {
      try expectEnd()
      return .ecdsaWithSHA256
    }
    if !isAtEnd { _ = try element(DERTag.null) }
    try expectEnd()
    if holds(CertificateBytes.sha256WithRSAEncryption, in: type) { return .sha256WithRSAEncryption }
    guard holds(CertificateBytes.rsaEncryption, in: type) else { throw MalformedDER() }
    return .rsaEncryption
  }
}
