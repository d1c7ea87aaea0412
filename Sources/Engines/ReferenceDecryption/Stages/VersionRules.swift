import PaymentToken

/// Where the rules differ between tokens of one version and another. A new version is one case of `TokenVersion.rules`.
struct VersionRules {
  /// How the AES key is transported.
  enum KeyTransport {
    /// 11.1 to 11.3: ECDH with an ephemeral key of the sender.
    case ephemeral
    /// 11.4 and 11.5: encrypted to the merchant's RSA key.
    case wrapped
  }

  /// The keys that sign.
  enum Signer {
    case ecdsa, rsa
  }

  let keyTransport: KeyTransport
  /// 4.3: a named-curve SubjectPublicKeyInfo on P-256, or a number below a modulus of 2,048 to 4,096 bits.
  let keyFieldSizes: ClosedRange<Int>
  /// 5.10 and 7.4.
  let signer: Signer
  /// 13.4: whether EMV data may have `encryptedPINData` beside it.
  let allowsPINData: Bool

  /// 3.3: the member that brings the key.
  var keyMember: TokenMember {
    switch keyTransport {
    case .ephemeral: .ephemeralPublicKey
    case .wrapped: .wrappedKey
    }
  }

  /// 3.3: the member that contradicts the version.
  var conflictingMember: TokenMember {
    switch keyTransport {
    case .ephemeral: .wrappedKey
    case .wrapped: .ephemeralPublicKey
    }
  }
}

extension TokenVersion {
  /// What the reference engine goes by.
  var rules: VersionRules {
    switch self {
    case .ecV1: VersionRules(keyTransport: .ephemeral, keyFieldSizes: 91...91, signer: .ecdsa, allowsPINData: false)
    case .rsaV1: VersionRules(keyTransport: .wrapped, keyFieldSizes: 256...512, signer: .rsa, allowsPINData: true)
    }
  }
}
