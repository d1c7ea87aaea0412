import PaymentToken

/// The differences between token versions, as far as the fast engine is concerned. A new version is a case of
/// `TokenVersion`; add it to `traits` (Architecture.md lists the other places).
@frozen
public struct VersionTraits: Sendable {
  /// How the AES key is established (stage 11).
  @frozen
  public enum KeyEstablishment: Sendable, BitwiseCopyable {
    /// ECDH on P-256 with the sender's ephemeral key.
    case agreement
    /// RSA-OAEP: the token contains the key, encrypted.
    case unwrapping

    /// The member of `header` for this key establishment (3.3).
    @inlinable public var member: TokenMember {
      switch self {
      case .agreement: .ephemeralPublicKey
      case .unwrapping: .wrappedKey
      }
    }

    /// The member of the other key establishment, which must be absent (3.3).
    @inlinable public var otherMember: TokenMember {
      switch self {
      case .agreement: .wrappedKey
      case .unwrapping: .ephemeralPublicKey
      }
    }
  }

  /// The algorithm of the signer's key (5.10, 7.4).
  @frozen
  public enum SignerKind: Sendable, BitwiseCopyable {
    case ecdsa
    case rsa
  }

  /// AES-GCM with a key of 128 or 256 bits (12.1).
  @frozen
  public enum Cipher: Sendable, BitwiseCopyable {
    case aes128
    case aes256
  }

  /// The value of `version` (3.2).
  public let name: StaticString
  /// How the AES key is established.
  public let keyEstablishment: KeyEstablishment
  /// The allowed sizes of `keyEstablishment.member`, in bytes (4.3).
  public let keyMemberSizes: ClosedRange<Int>
  /// The algorithm of the signer's key.
  public let signer: SignerKind
  /// The cipher of `data`.
  public let cipher: Cipher
  /// Whether `paymentData` of type EMV may have the member `encryptedPINData` (13.4).
  public let allowsPINData: Bool

  /// The largest of `keyMemberSizes` over all versions, in bytes.
  @inlinable public static var largestKeyMemberSize: Int { 512 }

  @inlinable init(
    name: StaticString, keyEstablishment: KeyEstablishment, keyMemberSizes: ClosedRange<Int>, signer: SignerKind,
    cipher: Cipher, allowsPINData: Bool
  ) {
    self.name = name
    self.keyEstablishment = keyEstablishment
    self.keyMemberSizes = keyMemberSizes
    self.signer = signer
    self.cipher = cipher
    self.allowsPINData = allowsPINData
  }
}

extension TokenVersion {
  /// The properties of this version.
  @inlinable public var traits: VersionTraits {
    switch self {
    case .ecV1:
      VersionTraits(
        name: "EC_v1", keyEstablishment: .agreement, keyMemberSizes: 91...91, signer: .ecdsa, cipher: .aes256,
        allowsPINData: false)
    case .rsaV1:
      VersionTraits(
        name: "RSA_v1", keyEstablishment: .unwrapping, keyMemberSizes: 256...VersionTraits.largestKeyMemberSize,
        signer: .rsa,
        cipher: .aes128, allowsPINData: true)
    }
  }
}
