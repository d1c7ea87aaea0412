import COpenSSL
import CPKCS11
import Foundation
import MerchantKeys
import Minting
import PKCS11
import PaymentToken
import Synchronization
import TestSupport
import Testing

/// A stand-in for an external RSA key. Like a KMS it does the whole of RSA-OAEP, here with libcrypto.
final class TestTransport: KeyTransport {
  enum Answer {
    case key, nothing
  }

  let answer: Answer
  let asked = Atomic<Int>(0)
  private nonisolated(unsafe) let key: OpaquePointer

  init(_ pem: String, answer: Answer = .key) throws {
    self.answer = answer
    let read = Array(pem.utf8).withUnsafeBytes { text in
      let file = BIO_new_mem_buf(text.baseAddress, Int32(text.count))
      defer { BIO_free(file) }
      return PEM_read_bio_PrivateKey(file, nil, nil, nil)
    }
    key = try #require(read)
  }

  deinit { EVP_PKEY_free(key) }

  func unwrapKey(_ wrapped: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(KeyUnavailable) -> Bool {
    asked.add(1, ordering: .relaxed)
    guard case .key = answer else { throw KeyUnavailable() }
    let input = wrapped.indices.map { wrapped[$0] }
    let context = EVP_PKEY_CTX_new(self.key, nil)
    defer {
      EVP_PKEY_CTX_free(context)
      ERR_clear_error()
    }
    var output = [UInt8](repeating: 0, count: 512)
    var count = output.count
    guard EVP_PKEY_decrypt_init(context) == 1,
      EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
      EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1,
      EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1,
      EVP_PKEY_decrypt(context, &output, &count, input, input.count) == 1, count == 16
    else { return false }
    for index in 0..<16 { key[index] = output[index] }
    return true
  }
}

@Suite struct KeyTransportTests {
  private static func recipe(_ key: Int = 0) -> TokenRecipe {
    var recipe = TokenRecipe()
    recipe.version = .rsaV1
    recipe.key = key
    return recipe
  }

  /// The merchant's key of 2,048, 3,072 or 4,096 bits, with its certificate.
  private static func keys(_ transport: any KeyTransport, key: Int = 0) throws -> MerchantKeySet {
    let certificate = try ExternalKeyTests.minter.get().rsaMerchants[0].keys[key].certificate
    let external = try ExternalRSAKey(of: Certificate(der: certificate), transport: transport)
    let file = KeyFile(name: "certificate", bytes: certificate)
    return try MerchantKeySet(files: [file], externalRSAKeys: [external])
  }

  @Test(arguments: Engines.names)
  func `a token of RSA_v1 is decrypted with an external key of any size`(_ engine: String) throws {
    let minter = try ExternalKeyTests.minter.get()
    for (index, key) in minter.rsaMerchants[0].keys.enumerated() {
      let transport = try TestTransport(key.pkcs8PEM)
      let keys = try Self.keys(transport, key: index)
      #expect(keys[0].isExternal && keys[0].version == .rsaV1 && keys[0].publicKeyHash.bytes == key.publicKeyHash)
      #expect(keys.modulusSize(at: 0) == 256 + 128 * index && keys.externalAgreement(at: 0) == nil)
      let token = try minter.mint(Self.recipe(index))
      #expect(try Engines.open(token, with: keys, engine: engine).plaintext == token.plaintext)
      #expect(transport.asked.load(ordering: .relaxed) == 1)
    }
  }

  @Test(arguments: Engines.names)
  func `an external key without an answer gives no verdict, a wrapped key that is invalid one`(_ engine: String) throws
  {
    let minter = try ExternalKeyTests.minter.get()
    let key = minter.rsaMerchants[0].keys[0]
    let silent = try Self.keys(TestTransport(key.pkcs8PEM, answer: .nothing))
    let fault = try #require(try Engines.fault(minter.mint(Self.recipe()).bytes, with: silent, engine: engine))
    #expect(fault == TokenFault(.keyUnavailable))
    let transport = try TestTransport(key.pkcs8PEM)
    let keys = try Self.keys(transport)
    var layers = try minter.layers(Self.recipe())
    let sound = layers.wrappedKey
    // The first is a byte too long and the last is above the modulus: the engine does not ask the device for either.
    let wrong: [[UInt8]] = [[0] + sound, sound.dropLast() + [sound[255] ^ 1], Array(repeating: 0xFF, count: 256)]
    for wrapped in wrong {
      layers.wrappedKey = wrapped
      try layers.sign()
      #expect(try Engines.fault(layers.token, with: keys, engine: engine)?.code == .decryptionFailed)
    }
    #expect(transport.asked.load(ordering: .relaxed) == 1)
    // The answer of another key.
    let other = try Self.keys(TestTransport(minter.rsaMerchants[0].keys[1].pkcs8PEM))
    #expect(
      try Engines.fault(minter.mint(Self.recipe()).bytes, with: other, engine: engine)?.code == .decryptionFailed)
  }

  /// The codes of the second list are CKR_GENERAL_ERROR, FUNCTION_FAILED, DEVICE_ERROR, KEY_HANDLE_INVALID,
  /// USER_NOT_LOGGED_IN and one that a vendor defines.
  @Test func `only a device's code about the data is a verdict on the token`() {
    #expect([0x20, 0x21, 0x40, 0x41].allSatisfy { PKCS11KeyTransport.isAboutTheData($0) })
    #expect(![0x05, 0x06, 0x30, 0x60, 0x101, 0x8000_0001].contains { PKCS11KeyTransport.isAboutTheData($0) })
  }

  @Test func `an external RSA key has 2,048 to 4,096 bits and an odd modulus`() throws {
    let minter = try ExternalKeyTests.minter.get()
    let key = minter.rsaMerchants[0].keys[0]
    let transport = try TestTransport(key.pkcs8PEM)
    let modulus = key.pair.modulus
    let external = try ExternalRSAKey(modulus: [0] + modulus, transport: transport)
    #expect(external.modulus == modulus && external.subjectPublicKeyInfo == key.pair.publicKeyInfo.encoded)
    let short = Array(modulus.dropLast())
    #expect(throws: KeyError(.rsaKeySize)) { try ExternalRSAKey(modulus: short, transport: transport) }
    #expect(throws: KeyError(.rsaKeySize)) { try ExternalRSAKey(modulus: [], transport: transport) }
    #expect(throws: KeyError(.malformedKey)) {
      try ExternalRSAKey(modulus: modulus.dropLast() + [modulus[255] & 0xFE], transport: transport)
    }
    let elliptic = try Certificate(der: minter.merchants[0].keys[0].certificate)
    #expect(throws: KeyError(.unsupportedKeyAlgorithm)) { try ExternalRSAKey(of: elliptic, transport: transport) }
  }

  @Test(.enabled(if: SoftHSM.isInstalled)) func `a key in the HSM decrypts tokens of RSA_v1, and never leaves it`()
    async
  {
    await #expect(processExitsWith: .success) {
      await SoftHSM.use { softHSM in
        let minter = try ExternalKeyTests.minter.get()
        let device = try softHSM.open()
        for (index, merchant) in minter.rsaMerchants[0].keys.enumerated() {
          try SoftHSM.importKey(merchant.pair, in: device, label: "key \(index)")
          let key = try device.rsaKey(label: "key \(index)")
          #expect(key.modulus == merchant.pair.modulus)
          // SoftHSM 2.6 supports OAEP with SHA-1 alone.
          #expect(key.mechanism == .raw)
          try device.withSession { (functions, session) throws(PKCS11Error) in
            var room = [UInt8](repeating: 0, count: 512)
            let code = room.withUnsafeMutableBytes { bytes in
              var attribute = CK_ATTRIBUTE(type: CKA_PRIVATE_EXPONENT, pValue: bytes.baseAddress, ulValueLen: 512)
              return functions.C_GetAttributeValue(session, key.handle, &attribute, 1)
            }
            #expect(code == 0x11, "CKR_ATTRIBUTE_SENSITIVE")
          }
          let keys = try Self.keys(key, key: index)
          let token = try minter.mint(Self.recipe(index))
          for engine in Engines.names {
            #expect(try Engines.open(token, with: keys, engine: engine).plaintext == token.plaintext)
          }
          var layers = try minter.layers(Self.recipe(index))
          layers.wrappedKey[10] ^= 1
          try layers.sign()
          for engine in Engines.names {
            #expect(try Engines.fault(layers.token, with: keys, engine: engine)?.code == .decryptionFailed)
          }
          #expect(key.lastFailure == nil)
        }
        #expect(throws: PKCS11Error.noSuchKey) { try device.ellipticCurveKey(label: "key 0") }
        #expect(throws: PKCS11Error.noSuchKey) { try device.rsaKey(label: "none") }
      }
    }
  }

  @Test func `every byte of the encoding counts, wherever it is changed`() throws {
    let minter = try ExternalKeyTests.minter.get()
    var recipe = Self.recipe()
    recipe.key = 0
    let layers = try minter.layers(recipe)
    let key = try TestTransport(minter.rsaMerchants[0].keys[0].pkcs8PEM)
    let encoded = try key.raw(layers.wrappedKey)
    func decoded(_ encoded: [UInt8], count: Int? = nil) -> (isValid: Bool, key: [UInt8]) {
      var encoded = encoded
      var key = [UInt8](repeating: 0, count: 16)
      var room = key.mutableSpan
      let isValid = encoded.withUnsafeMutableBufferPointer {
        PKCS11KeyTransport.decode($0, count: count ?? $0.count, into: &room)
      }
      return (isValid, key)
    }
    let sound = decoded(encoded)
    var expected = [UInt8](repeating: 0, count: 16)
    var room = expected.mutableSpan
    #expect(try key.unwrapKey(layers.wrappedKey.span, into: &room))
    #expect(sound.isValid && sound.key == expected)
    // Some devices leave out the zero byte at the start.
    let stripped = decoded(Array(encoded.dropFirst()) + [0xAA], count: encoded.count - 1)
    #expect(encoded[0] == 0 && stripped.isValid && stripped.key == expected)
    #expect(!decoded(encoded, count: encoded.count + 1).isValid && !decoded(encoded, count: 0).isValid)
    for index in encoded.indices.dropLast(16) {
      var changed = encoded
      changed[index] ^= 0x10
      #expect(!decoded(changed).isValid, "\(index)")
    }
  }
}

extension TestTransport {
  /// Raw RSA, by libcrypto.
  fileprivate func raw(_ wrapped: [UInt8]) throws -> [UInt8] {
    var output = [UInt8](repeating: 0, count: wrapped.count)
    let count = RSA_private_decrypt(
      Int32(wrapped.count), wrapped, &output, EVP_PKEY_get0_RSA(key), RSA_NO_PADDING)
    try #require(count == Int32(wrapped.count))
    return output
  }
}
