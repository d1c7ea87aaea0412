import COpenSSL
import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

@Suite struct RSATokenTests {
  @Test func `OpenSSL verifies the signature and opens the plaintext of fifty valid tokens`() throws {
    let minter = try testMinter()
    for index in UInt64(0)..<50 {
      let token = try minter.mintRSA(index: index)
      let layers = token.layers
      #expect(
        OpenSSLChecks.verifies(layers.signature, over: layers.signedContent, root: minter.pki.root, at: token.signedAt),
        "token \(index)")
      let key = try #require(layers.wrapping).merchantKey
      let plaintext = try OpenSSLChecks.open(
        token.bytes, privateKeyPEM: key.pkcs8PEM, merchantIdentifier: token.merchantIdentifier)
      #expect(plaintext == token.plaintext, "token \(index)")
    }
  }

  @Test func `the same seed gives the same tokens, and another seed others`() throws {
    let first = try (UInt64(0)..<6).map { try testMinter(seed: 7).mintRSA(index: $0).bytes }
    let second = try (UInt64(0)..<6).map { try testMinter(seed: 7).mintRSA(index: $0).bytes }
    let other = try (UInt64(0)..<6).map { try testMinter(seed: 8).mintRSA(index: $0).bytes }
    #expect(first == second)
    #expect(zip(first, other).allSatisfy { $0 != $1 })
  }

  @Test func `the RSA leaf chains to the root, and the foreign one does not`() throws {
    let minter = try testMinter()
    let pki = minter.pki
    #expect(OpenSSLChecks.chains(pki.rsaLeaf, pki.intermediate, to: pki.root, at: minter.time))
    #expect(!OpenSSLChecks.chains(minter.foreign.rsaLeaf, pki.intermediate, to: pki.root, at: minter.time))
  }

  @Test func `the keys are those of the files in Corpus`() throws {
    let folder = Package.folder.appending(path: "Corpus/keys")
    for key in FixedRSAKeys.all {
      let pem = try key.pem
      #expect(try String(contentsOf: folder.appending(path: "\(key.name).pem"), encoding: .utf8) == pem)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".pem") }
    #expect(files.count == FixedRSAKeys.all.count)
  }

  @Test func `libcrypto finds the fixed keys consistent, and sees one that is not`() throws {
    for key in FixedRSAKeys.all {
      let der = try Self.der(key.pem)
      #expect(Self.isConsistent(der), "\(key.name)")
      // The last number of a key is the inverse of one prime modulo the other.
      #expect(!Self.isConsistent(der.dropLast() + [try #require(der.last) ^ 1]), "\(key.name)")
    }
  }

  private static func der(_ pem: String) throws -> [UInt8] {
    let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
    return [UInt8](try #require(Data(base64Encoded: lines.joined())))
  }

  private static func isConsistent(_ der: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    return der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      guard let key = d2i_AutoPrivateKey(nil, &start, bytes.count) else { return false }
      defer { EVP_PKEY_free(key) }
      return RSA_check_key(EVP_PKEY_get0_RSA(key)) == 1
    }
  }
}
