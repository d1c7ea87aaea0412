import Foundation
import PaymentToken

/// The skeletons of Docs/ExternalKeys.md, word for word (`CloudKeyTests`), and what they need.

/// EC_v1 and RSA_v1 with keys in AWS KMS.
struct AWSKey: KeyAgreement, KeyTransport {
  /// The key's ARN.
  let keyID: String
  /// Sends an operation of the API with JSON members, byte strings in base64, and returns those of the answer.
  let call: @Sendable (_ operation: String, _ members: [String: String]) throws -> [String: String]

  /// DeriveSharedSecret expects the peer's key as SubjectPublicKeyInfo in DER.
  func deriveSecret(with peer: Span<UInt8>, into secret: inout MutableSpan<UInt8>) throws(KeyUnavailable) {
    let info = P256.publicKeyInfo + peer.withUnsafeBufferPointer { [UInt8]($0) }
    let members = ["KeyId": keyID, "KeyAgreementAlgorithm": "ECDH", "PublicKey": Base64.encode(info)]
    guard let answer = try? call("DeriveSharedSecret", members),
      let bytes = answer["SharedSecret"].flatMap(decodedBase64), bytes.count == secret.count
    else { throw KeyUnavailable() }
    for index in bytes.indices { secret[index] = bytes[index] }
  }

  /// Decrypt answers InvalidCiphertextException where OAEP fails, which is no lack of an answer.
  func unwrapKey(_ wrapped: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(KeyUnavailable) -> Bool {
    let ciphertext = wrapped.withUnsafeBufferPointer { [UInt8]($0) }
    let members = [
      "KeyId": keyID, "EncryptionAlgorithm": "RSAES_OAEP_SHA_256", "CiphertextBlob": Base64.encode(ciphertext),
    ]
    do {
      guard let bytes = try call("Decrypt", members)["Plaintext"].flatMap(decodedBase64) else { throw KeyUnavailable() }
      return fill(&key, with: bytes)
    } catch is InvalidCiphertext {
      return false
    } catch {
      throw KeyUnavailable()
    }
  }
}

/// RSA_v1 with a key in Google Cloud KMS, of the algorithm RSA_DECRYPT_OAEP_2048_SHA256 or longer.
struct GoogleKey: KeyTransport {
  /// projects/…/cryptoKeyVersions/N.
  let version: String
  /// Sends a method of the REST API with JSON members and returns those of the answer.
  let call: @Sendable (_ method: String, _ members: [String: String]) throws -> [String: String]

  func unwrapKey(_ wrapped: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(KeyUnavailable) -> Bool {
    let ciphertext = wrapped.withUnsafeBufferPointer { [UInt8]($0) }
    do {
      let answer = try call("\(version):asymmetricDecrypt", ["ciphertext": Base64.encode(ciphertext)])
      // An empty plaintext is left out of the answer.
      guard let bytes = decodedBase64(answer["plaintext"] ?? "") else { throw KeyUnavailable() }
      return fill(&key, with: bytes)
    } catch is InvalidCiphertext {
      return false
    } catch {
      throw KeyUnavailable()
    }
  }
}

/// RSA_v1 with a key in Azure Key Vault or Managed HSM. Its byte strings are in the URL alphabet, without padding.
struct AzureKey: KeyTransport {
  /// https://NAME.vault.azure.net/keys/KEY/VERSION.
  let key: String
  /// Posts JSON members to an address and returns those of the answer.
  let call: @Sendable (_ address: String, _ members: [String: String]) throws -> [String: String]

  func unwrapKey(_ wrapped: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(KeyUnavailable) -> Bool {
    let ciphertext = wrapped.withUnsafeBufferPointer { [UInt8]($0) }
    do {
      let members = ["alg": "RSA-OAEP-256", "value": urlBase64(ciphertext)]
      let answer = try call("\(self.key)/unwrapkey", members)
      guard let bytes = answer["value"].flatMap(decodedURLBase64) else { throw KeyUnavailable() }
      return fill(&key, with: bytes)
    } catch is InvalidCiphertext {
      return false
    } catch {
      throw KeyUnavailable()
    }
  }
}

/// The service says that the ciphertext is wrong.
struct InvalidCiphertext: Error {}

enum P256 {
  /// The bytes before the point in a SubjectPublicKeyInfo (RFC 5480).
  static let publicKeyInfo: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
    0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]
}

/// Whether the bytes are a key, which is then filled.
func fill(_ key: inout MutableSpan<UInt8>, with bytes: [UInt8]) -> Bool {
  guard bytes.count == key.count else { return false }
  for index in bytes.indices { key[index] = bytes[index] }
  return true
}

func decodedBase64(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { [UInt8]($0) } }

func urlBase64(_ bytes: [UInt8]) -> String {
  Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

func decodedURLBase64(_ text: String) -> [UInt8]? {
  let standard = text.replacing("-", with: "+").replacing("_", with: "/")
  return decodedBase64(standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
}
