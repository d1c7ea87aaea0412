import CPKCS11
import Foundation
import MerchantKeys
import Minting
import PKCS11
import PaymentToken
import Testing

/// Each test runs in its own process, with its own PKCS #11 token.
@Suite(.enabled(if: SoftHSM.isInstalled)) struct SoftHSMTests {
  @Test func `a key generated in the HSM decrypts a token`() async {
    await #expect(processExitsWith: .success) {
      await SoftHSM.use { softHSM in
        let token = try softHSM.open()
        try SoftHSM.generateKey(in: token, label: "payment processing", id: [1])
        let key = try token.ellipticCurveKey(label: "payment processing")
        // The private key cannot be read.
        try token.withSession { (functions, session) throws(PKCS11Error) in
          var room = [UInt8](repeating: 0, count: 64)
          let code = room.withUnsafeMutableBytes { bytes in
            var attribute = CK_ATTRIBUTE(type: CKA_VALUE, pValue: bytes.baseAddress, ulValueLen: 64)
            return functions.C_GetAttributeValue(session, key.handle, &attribute, 1)
          }
          #expect(code == 0x11, "CKR_ATTRIBUTE_SENSITIVE")
          #expect(room.allSatisfy { $0 == 0 })
        }

        let minter = try ExternalKeyTests.minter.get()
        let external = try ExternalECKey(publicKey: key.publicKey, agreement: key)
        let source = MerchantKeySource(secret: .external(external), merchantID: minter.merchants[0].identifier)
        let keys = try MerchantKeySet([source])
        for index in 0..<8 as Range<UInt64> {
          var layers = try minter.layers(TokenRecipe(index: index))
          layers.publicKeyHash = keys[0].publicKeyHash.bytes
          try layers.encrypt(to: key.publicKey)
          try layers.sign()
          for engine in Engines.names {
            #expect(try Engines.open(layers.token, with: keys, engine: engine).get().plaintext == layers.plaintext)
          }
        }
        #expect(key.lastFailure == nil)
      }
    }
  }

  @Test func `an imported key derives the same secrets as in software, with leading zeros`() async {
    await #expect(processExitsWith: .success) {
      await SoftHSM.use { softHSM in
        let minter = try ExternalKeyTests.minter.get()
        let merchant = minter.merchants[0].keys[0]
        let token = try softHSM.open()
        try SoftHSM.importKey(merchant.pair, in: token, label: "imported", id: [0x0A, 0x0B])
        let key = try token.ellipticCurveKey(id: [0x0A, 0x0B])
        #expect(key.publicKey == merchant.pair.point)
        var stream = SeededGenerator(seed: 7)
        var leadingZeros = 0
        for _ in 0..<4_000 where leadingZeros < 3 {
          let peer = try KeyPair(.p256, from: &stream)
          let expected = try peer.sharedSecret(with: merchant.pair.point)
          if leadingZeros > 0 && expected[0] != 0 { continue }
          var secret = [UInt8](repeating: 0xEE, count: 32)
          var room = secret.mutableSpan
          try key.deriveSecret(with: peer.point.span, into: &room)
          #expect(secret == expected)
          if expected[0] == 0 { leadingZeros += 1 }
        }
        #expect(leadingZeros == 3)
      }
    }
  }

  @Test func `concurrent threads use separate sessions`() async {
    await #expect(processExitsWith: .success) {
      await SoftHSM.use { softHSM in
        let merchant = try ExternalKeyTests.minter.get().merchants[0].keys[0]
        let token = try softHSM.open()
        try SoftHSM.importKey(merchant.pair, in: token, label: "imported", id: [1])
        let key = try token.ellipticCurveKey(label: "imported")
        try await withThrowingTaskGroup(of: Void.self) { group in
          for seed in 0..<4 as Range<UInt64> {
            group.addTask {
              var stream = SeededGenerator(seed: seed)
              for _ in 0..<50 {
                let peer = try KeyPair(.p256, from: &stream)
                var secret = [UInt8](repeating: 0, count: 32)
                var room = secret.mutableSpan
                try key.deriveSecret(with: peer.point.span, into: &room)
                #expect(try peer.sharedSecret(with: merchant.pair.point) == secret)
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }
  }

  @Test func `a wrong PIN, another label and an unknown key give different errors`() async {
    await #expect(processExitsWith: .success) {
      await SoftHSM.use { softHSM in
        // CKR_PIN_INCORRECT
        #expect(throws: PKCS11Error.failed(function: "C_Login", code: 0xA0)) {
          try softHSM.open(pin: [0x31, 0x31, 0x31, 0x31])
        }
        let module = try PKCS11Module(path: try #require(SoftHSM.module))
        #expect(throws: PKCS11Error.noSuchToken) { try PKCS11Token(in: module, label: "none", pin: SoftHSM.pin) }
        let token = try PKCS11Token(in: module, label: SoftHSM.label, pin: SoftHSM.pin)
        #expect(throws: PKCS11Error.noSuchKey) { try token.ellipticCurveKey(label: "none") }
        try SoftHSM.generateKey(in: token, label: "twice", id: [1])
        try SoftHSM.generateKey(in: token, label: "twice", id: [2])
        #expect(throws: PKCS11Error.noSuchKey) { try token.ellipticCurveKey(label: "twice") }
        #expect(
          try token.ellipticCurveKey(label: "twice", id: [1]).publicKey
            != token.ellipticCurveKey(label: "twice", id: [2]).publicKey)
      }
    }
  }

  @Test func `a public key is the private key's, by its identifier and label, or there is none`() async {
    await #expect(processExitsWith: .success) {
      await SoftHSM.use { softHSM in
        let token = try softHSM.open()
        var stream = SeededGenerator(seed: 11)
        let (labelled, bare) = (try KeyPair(.p256, from: &stream), try KeyPair(.p256, from: &stream))
        try SoftHSM.importKey(labelled, in: token, label: "private", id: [1], publicLabel: "public")
        #expect(try token.ellipticCurveKey(label: "private").publicKey == labelled.point)
        // Of the key without label and identifier, the only public key with neither could be any key's.
        try SoftHSM.importKey(bare, in: token, label: "", id: [])
        #expect(throws: PKCS11Error.noPublicKey) { try token.ellipticCurveKey(label: "") }

        let pair = try FixedRSAKeys.merchant2048.pair
        let other = try Array(FixedRSAKeys.leaf.pair.privateKeyNode().children[1].contents.drop { $0 == 0 })
        try SoftHSM.importKey(pair, in: token, label: "own")
        #expect(try token.rsaKey(label: "own").modulus != other)
        try SoftHSM.importKey(pair, in: token, label: "another's", publicModulus: other)
        #expect(throws: PKCS11Error.noPublicKey) { try token.rsaKey(label: "another's") }
      }
    }
  }

  @Test func `the HSM also rejects a point off the curve`() async {
    await #expect(processExitsWith: .success) {
      await SoftHSM.use { softHSM in
        let token = try softHSM.open()
        try SoftHSM.generateKey(in: token, label: "key", id: [1])
        let key = try token.ellipticCurveKey(label: "key")
        var point = key.publicKey
        point[64] ^= 1
        var secret = [UInt8](repeating: 0, count: 32)
        var room = secret.mutableSpan
        #expect(throws: KeyUnavailable()) { try key.deriveSecret(with: point.span, into: &room) }
        #expect(key.lastFailure != nil)
      }
    }
  }

  @Test func `a file that is not a module is reported`() {
    #expect(throws: PKCS11Error.unloadable(path: "/nowhere/module.so")) { try PKCS11Module(path: "/nowhere/module.so") }
  }
}
