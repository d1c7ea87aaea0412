import Foundation
import MerchantKeys
import Minting
import PaymentToken
import Synchronization
import TestSupport
import Testing

/// Stand-ins for the cloud services, which answer as their documentation says.
private enum Service {
  struct Unknown: Error {}

  static func aws(_ pair: KeyPair, _ transport: TestTransport) -> AWSKey {
    AWSKey(keyID: "arn") { operation, members in
      guard members["KeyId"] == "arn" else { throw Unknown() }
      switch (operation, members["KeyAgreementAlgorithm"], members["EncryptionAlgorithm"]) {
      case ("DeriveSharedSecret", "ECDH", nil):
        let info = try #require(members["PublicKey"].flatMap(decodedBase64))
        guard info.starts(with: P256.publicKeyInfo) else { throw Unknown() }
        let secret = try pair.sharedSecret(with: Array(info.dropFirst(P256.publicKeyInfo.count)))
        return ["KeyId": "arn", "SharedSecret": Base64.encode(secret)]
      case ("Decrypt", nil, "RSAES_OAEP_SHA_256"):
        return ["Plaintext": Base64.encode(try unwrap(members["CiphertextBlob"].flatMap(decodedBase64), transport))]
      default: throw Unknown()
      }
    }
  }

  static func google(_ transport: TestTransport) -> GoogleKey {
    GoogleKey(version: "projects/p/cryptoKeyVersions/1") { method, members in
      guard method == "projects/p/cryptoKeyVersions/1:asymmetricDecrypt" else { throw Unknown() }
      return ["plaintext": Base64.encode(try unwrap(members["ciphertext"].flatMap(decodedBase64), transport))]
    }
  }

  static func azure(_ transport: TestTransport) -> AzureKey {
    AzureKey(key: "https://v.vault.azure.net/keys/k/1") { address, members in
      guard address == "https://v.vault.azure.net/keys/k/1/unwrapkey", members["alg"] == "RSA-OAEP-256" else {
        throw Unknown()
      }
      return ["value": urlBase64(try unwrap(members["value"].flatMap(decodedURLBase64), transport))]
    }
  }

  private static func unwrap(_ wrapped: [UInt8]?, _ transport: TestTransport) throws -> [UInt8] {
    let wrapped = try #require(wrapped)
    var key = [UInt8](repeating: 0, count: 16)
    var room = key.mutableSpan
    guard try transport.unwrapKey(wrapped.span, into: &room) else { throw InvalidCiphertext() }
    return key
  }
}

@Suite struct CloudKeyTests {
  @Test func `the skeletons are those of the document`() throws {
    let document = try FileText.text(Package.folder.appending(path: "Docs/ExternalKeys.md").path)
    let source = try FileText.text(Package.folder.appending(path: "Tests/Vocabulary/PKCS11Tests/CloudKeys.swift").path)
    let blocks = document.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }.filter { $0.contains("struct ") }
    #expect(blocks.count == 2)
    for block in blocks { #expect(source.contains(block)) }
  }

  @Test(arguments: Engines.names)
  func `tokens of EC_v1 are decrypted with a key in AWS KMS`(_ engine: String) throws {
    let minter = try ExternalKeyTests.minter.get()
    let key = minter.merchants[0].keys[0]
    let service = Service.aws(key.pair, try TestTransport(minter.rsaMerchants[0].keys[0].pkcs8PEM))
    let external = try ExternalECKey(of: Certificate(der: key.certificate), agreement: service)
    let file = KeyFile(name: "certificate", bytes: key.certificate)
    let keys = try MerchantKeySet(files: [file], externalECKeys: [external])
    let token = try minter.mint()
    #expect(try Engines.open(token, with: keys, engine: engine).plaintext == token.plaintext)
    let lost = AWSKey(keyID: "another", call: service.call)
    let unavailable = try MerchantKeySet(
      files: [file], externalECKeys: [ExternalECKey(publicKey: key.pair.point, agreement: lost)])
    #expect(try Engines.fault(token.bytes, with: unavailable, engine: engine)?.code == .keyUnavailable)
  }

  @Test(arguments: Engines.names)
  func `tokens of RSA_v1 are decrypted with keys in all three services`(_ engine: String) throws {
    let minter = try ExternalKeyTests.minter.get()
    let key = minter.rsaMerchants[0].keys[0]
    let transport = try TestTransport(key.pkcs8PEM)
    let silent = try TestTransport(key.pkcs8PEM, answer: .nothing)
    var recipe = TokenRecipe()
    recipe.version = .rsaV1
    let token = try minter.mint(recipe)
    var layers = try minter.layers(recipe)
    layers.wrappedKey[9] ^= 1
    try layers.sign()
    let pair = minter.merchants[0].keys[0].pair
    let services: [(any KeyTransport, any KeyTransport)] = [
      (Service.aws(pair, transport), Service.aws(pair, silent)), (Service.google(transport), Service.google(silent)),
      (Service.azure(transport), Service.azure(silent)),
    ]
    // Answers without the key, or with invalid base64. Google's is not without it, since Google leaves out an empty
    // plaintext.
    let strange: [any KeyTransport] = [
      AWSKey(keyID: "arn") { _, _ in [:] }, AWSKey(keyID: "arn") { _, _ in ["Plaintext": "%"] },
      GoogleKey(version: "v") { _, _ in ["plaintext": "%"] }, AzureKey(key: "k") { _, _ in [:] },
      AzureKey(key: "k") { _, _ in ["value": "%"] },
    ]
    for service in strange {
      var bytes = [UInt8](repeating: 0, count: 16)
      var room = bytes.mutableSpan
      #expect(throws: KeyUnavailable.self) { try service.unwrapKey(layers.wrappedKey.span, into: &room) }
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    var room = bytes.mutableSpan
    let isUnwrapped = try GoogleKey(version: "v") { _, _ in [:] }.unwrapKey(layers.wrappedKey.span, into: &room)
    #expect(!isUnwrapped)
    for (service, down) in services {
      func keys(_ transport: any KeyTransport) throws -> MerchantKeySet {
        try MerchantKeySet([
          MerchantKeySource(secret: .externalRSA(ExternalRSAKey(modulus: key.pair.modulus, transport: transport)))
        ])
      }
      #expect(try Engines.open(token, with: keys(service), engine: engine).plaintext == token.plaintext)
      #expect(try Engines.fault(layers.token, with: try keys(service), engine: engine)?.code == .decryptionFailed)
      #expect(try Engines.fault(token.bytes, with: try keys(down), engine: engine)?.code == .keyUnavailable)
    }
  }
}
