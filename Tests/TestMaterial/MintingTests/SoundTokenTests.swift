import COpenSSL
import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

let mintingTime = UnixTime(secondsSinceEpoch: 1_767_225_600)

func testMinter(seed: UInt64 = 1) throws -> Minter { try Minter(seed: seed, at: mintingTime) }

@Suite struct SoundTokenTests {
  @Test func `OpenSSL verifies the signature and opens the plaintext of a hundred valid tokens`() throws {
    let minter = try testMinter()
    for index in UInt64(0)..<100 {
      let token = try minter.mint(index: index)
      let layers = token.layers
      #expect(
        OpenSSLChecks.verifies(layers.signature, over: layers.signedContent, root: minter.pki.root, at: token.signedAt),
        "token \(index)")
      for pem in [layers.merchantKey.sec1PEM, layers.merchantKey.pkcs8PEM] {
        let plaintext = try OpenSSLChecks.open(
          token.bytes, privateKeyPEM: pem, merchantIdentifier: token.merchantIdentifier)
        #expect(plaintext == token.plaintext, "token \(index)")
      }
    }
  }

  @Test func `OpenSSL refuses the signature under the foreign root and over other content`() throws {
    let minter = try testMinter()
    let layers = try minter.layers()
    #expect(
      OpenSSLChecks.verifies(
        layers.signature, over: layers.signedContent, root: minter.pki.root, at: minter.time))
    #expect(
      !OpenSSLChecks.verifies(
        layers.signature, over: layers.signedContent, root: minter.foreign.root, at: minter.time))
    #expect(
      !OpenSSLChecks.verifies(
        layers.signature, over: layers.signedContent + [0], root: minter.pki.root, at: minter.time))
  }

  @Test func `every form of the signature verifies`() throws {
    let minter = try testMinter()
    for wrappers in [ASN1Node.Length.indefinite, .shortest, .long(bytes: 4)] {
      for attributes in [SignedDataRecipe.Attributes.three, .four] {
        for identifier in [SignedDataRecipe.Identifier.issuerAndSerialNumber, .subjectKeyIdentifier] {
          for nullParameters in [false, true] {
            var recipe = TokenRecipe()
            recipe.signature.wrappers = wrappers
            recipe.signature.attributes = attributes
            recipe.signature.identifier = identifier
            recipe.signature.nullParameters = nullParameters
            let layers = try minter.layers(recipe)
            #expect(
              OpenSSLChecks.verifies(
                layers.signature, over: layers.signedContent, root: minter.pki.root, at: minter.time))
          }
        }
      }
    }
  }

  @Test func `certificates chain to their root and not to the other`() throws {
    let minter = try testMinter()
    let pki = minter.pki
    #expect(OpenSSLChecks.chains(pki.leaf, pki.intermediate, to: pki.root, at: minter.time))
    #expect(!OpenSSLChecks.chains(pki.leaf, pki.intermediate, to: minter.foreign.root, at: minter.time))
  }

  @Test func `publicKeyHash is the hash of the key's own public key`() throws {
    let minter = try testMinter()
    for merchant in minter.merchants {
      for key in merchant.keys {
        #expect(key.publicKeyHash == OpenSSLChecks.sha256(key.pair.publicKeyInfo.encoded))
        let certificate = OpenSSLChecks.parse(key.certificate)
        defer { X509_free(certificate) }
        #expect(certificate != nil)
      }
    }
  }

  @Test func `the same seed gives the same bytes, another seed others, whatever the thread`() async throws {
    let expected = try (UInt64(0)..<20).map { try testMinter(seed: 7).mint(index: $0).bytes }
    let runs = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let minter = try testMinter(seed: 7)
          return try (UInt64(0)..<20).map { try minter.mint(index: $0).bytes }
        }
      }
      return try await group.reduce(into: [[[UInt8]]]()) { $0.append($1) }
    }
    #expect(runs.allSatisfy { $0 == expected })
    let others = try (UInt64(0)..<20).map { try testMinter(seed: 8).mint(index: $0).bytes }
    #expect(zip(expected, others).allSatisfy { $0 != $1 })
  }

  @Test func `streams do not disturb each other`() {
    var drained = SeededGenerator(seed: 3)
    _ = drained.bytes(1_000)
    var first = drained.stream("token", 4)
    var second = SeededGenerator(seed: 3).stream("token", 4)
    #expect(first.bytes(300) == second.bytes(300))
    var other = SeededGenerator(seed: 3).stream("token", 5)
    var again = SeededGenerator(seed: 3).stream("token", 4)
    #expect(other.bytes(32) != again.bytes(32))
  }
}
