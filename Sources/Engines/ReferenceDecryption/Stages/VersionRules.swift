import PaymentToken

/// The rules that depend on the version of the token. A new version adds a case to `TokenVersion.rules`.
struct VersionRules {
  /// How the AES key is transported.
  enum KeyTransport {
    /// 11.1 to 11.3: ECDH with an ephemeral key.
    case ephemeral
    /// 11.4 and 11.5: encrypted to the merchant's RSA key.
    case wrapped
  }

  /// The type of the signer's key.
  enum Signer {
    case ecdsa, rsa
  }

  let keyTransport: KeyTransport
  /// 4.3, in bytes: a SubjectPublicKeyInfo on P-256, or a ciphertext under a modulus of 2,048 to 4,096 bits.
  let keyFieldSizes: ClosedRange<Int>
  /// 5.10 and 7.4.
  let signer: Signer
  /// 13.4: whether EMV payments may have `encryptedPINData`.
  let allowsPINData: Bool

  /// 3.3: the member that carries the key.
  var keyMember: TokenMember {
    switch keyTransport {
    case .ephemeral: .ephemeralPublicKey
    case .wrapped: .wrappedKey
    }
  }

  /// 3.3: the key member of the other version.
  var conflictingMember: TokenMember {
    switch keyTransport {
    case .ephemeral: .wrappedKey
    case .wrapped: .ephemeralPublicKey
    }
  }
}

extension TokenVersion {
  var rules: VersionRules {
    switch self {
    case .ecV1: VersionRules(keyTransport: .ephemeral, keyFieldSizes: 91...91, signer: .ecdsa, allowsPINData: false)
    case .rsaV1: VersionRules(keyTransport: .wrapped, keyFieldSizes: 256...512, signer: .rsa, allowsPINData: true)
    }
  }
}
