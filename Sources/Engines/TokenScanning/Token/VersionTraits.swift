import PaymentToken

/// All that the fast engine does differently by a token's version. A new version is one case of `TokenVersion.traits`.
@frozen
public struct VersionTraits: Sendable {
  /// How sender and merchant come to share the AES key (11).
  @frozen
  public enum KeyEstablishment: Sendable, BitwiseCopyable {
    /// ECDH on P-256 with the sender's ephemeral key.
    case agreement
    /// RSA-OAEP: the key itself travels, encrypted.
    case unwrapping

    /// The member of `header` that leads to the key (3.3).
    @inlinable public var member: TokenMember {
      switch self {
      case .agreement: .ephemeralPublicKey
      case .unwrapping: .wrappedKey
      }
    }

    /// The member that a token must not have beside it (3.3).
    @inlinable public var otherMember: TokenMember {
      switch self {
      case .agreement: .wrappedKey
      case .unwrapping: .ephemeralPublicKey
      }
    }
  }

  /// The kind of key that signs (5.10, 7.4).
  @frozen
  public enum SignerKind: Sendable, BitwiseCopyable {
    case ecdsa
    case rsa
  }

  /// AES-GCM by the size of its key (12.1).
  @frozen
  public enum Cipher: Sendable, BitwiseCopyable {
    case aes128
    case aes256
  }

  /// What `version` says (3.2).
  public let name: StaticString
  public let keyEstablishment: KeyEstablishment
  /// Bytes of the member that leads to the key (4.3).
  public let keySizes: ClosedRange<Int>
  public let signer: SignerKind
  public let cipher: Cipher
  /// Whether EMV data may have a PIN beside it (13.4).
  public let allowsPINData: Bool

  /// The most bytes of `keySizes` under any version.
  @inlinable public static var largestKey: Int { 512 }

  @inlinable init(
    name: StaticString, keyEstablishment: KeyEstablishment, keySizes: ClosedRange<Int>, signer: SignerKind,
    cipher: Cipher, allowsPINData: Bool
  ) {
    self.name = name
    self.keyEstablishment = keyEstablishment
    self.keySizes = keySizes
    self.signer = signer
    self.cipher = cipher
    self.allowsPINData = allowsPINData
  }
}

extension TokenVersion {
  /// What the fast engine goes by.
  @inlinable public var traits: VersionTraits {
    switch self {
    case .ecV1:
      VersionTraits(
        name: "EC_v1", keyEstablishment: .agreement, keySizes: 91...91, signer: .ecdsa, cipher: .aes256,
        allowsPINData: false)
    case .rsaV1:
      VersionTraits(
        name: "RSA_v1", keyEstablishment: .unwrapping, keySizes: 256...VersionTraits.largestKey, signer: .rsa,
        cipher: .aes128, allowsPINData: true)
    }
  }
}
