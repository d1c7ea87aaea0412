import COpenSSL
import FastDecryption
import Minting
import NamedCases
import PaymentToken
import ReferenceDecryption
import TestCases
import TestSupport
import Testing

/// libcrypto has an error queue for each thread, which callers use too: engines leave it as it was.
@Suite struct ErrorQueueTests {
  /// The rules whose checks call libcrypto.
  private static let clauses = ["5.16", "7.2", "8.2", "8.3", "8.4", "11.1", "11.4", "11.5", "12.1"]

  @Test func `a refused token leaves the caller's entry in libcrypto's error queue, and no other`() throws {
    let minter = try Minter(seed: 53, at: mintingTime)
    let keys = try minter.merchantKeySet()
    var codes: [TokenFault.Code: Int] = [:]
    for recipe in CaseRecipe.all where Self.clauses.contains(recipe.clause) && !recipe.isBoundary {
      guard case .reject(let fault) = recipe.expected else { continue }
      let minted = try minter.make(recipe)
      let engine = try FastDecryptor(keys: keys, anchors: minted.trustAnchors, kernel: .portable)
      let reference = try ReferenceDecryptor(keys: keys, anchors: minted.trustAnchors)
      for engine in [engine, reference] as [any TokenDecryptor] {
        ErrorQueue.plant()
        #expect(TestVerdict(minted.test.input.verdict(by: engine)) == minted.test.expected, "\(recipe.name)")
        #expect(ErrorQueue.hasOnlyPlanted, "\(engine.name): \(recipe.name)")
      }
      codes[fault.code, default: 0] += 1
    }
    for code in [TokenFault.Code.malformedSignature, .untrustedChain, .signatureMismatch, .invalidEphemeralKey] {
      #expect(codes[code, default: 0] > 5, "\(code)")
    }
    #expect(codes[.decryptionFailed, default: 0] > 5)
  }

  @Test func `a signer's key is an uncompressed point on the curve, and a refused one leaves no entry`() throws {
    let point = try KeyPair(.p256, wideScalar: [UInt8](repeating: 5, count: 32)).point
    var offCurve = point
    offCurve[64] ^= 1
    let hybrid = [6 + point[64] & 1] + point.dropFirst()
    let compressed = [2 + point[64] & 1] + point[1...32]
    let padded = compressed + [UInt8](repeating: 0, count: 32)
    let refused: [[UInt8]] = [
      offCurve, hybrid, compressed, padded, point.dropLast(), point + [0], [4], [0], [],
    ]
    for bytes in refused {
      ErrorQueue.plant()
      #expect(P256SignerKey(point: bytes.span) == nil)
      #expect(ErrorQueue.hasOnlyPlanted)
    }
    #expect(P256SignerKey(point: point.span) != nil)
  }

  @Test func `an entry more in the queue is seen, and one less`() {
    ErrorQueue.plant()
    #expect(EC_GROUP_new_by_curve_name(0) == nil)
    #expect(!ErrorQueue.hasOnlyPlanted && !ErrorQueue.hasOnlyPlanted)
    ErrorQueue.plant()
    #expect(ErrorQueue.hasOnlyPlanted && !ErrorQueue.hasOnlyPlanted)
  }
}
