import CP256
import FastDecryption
import Foundation
import Minting
import NamedCases
import PaymentToken
import TestCases
import Testing

/// Unusual tokens in every lane of a batch: one among ordinary ones, and one ordinary token among them.
@Suite struct EveryLaneTests {
  /// Four or eight lanes, full, partly full, and one token more.
  private static let counts = [1, 3, 4, 5, 7, 8, 9]
  private static let zeros = [1: "shared-secret-that-begins-with-a-zero-byte"].merging(
    (2...4).map { ($0, "shared-secret-of-\($0)-leading-zeros") }, uniquingKeysWith: { $1 })
  private static let refused = [
    "ephemeral-key-off-the-curve-by-the-last-bit-of-y", "ephemeral-key-of-coordinates-0-0",
    "signing-time-altered-after-signing",
  ]

  private struct Token {
    let bytes: [UInt8]
    let verdict: TestVerdict
  }

  private let minter: Minter
  private let ordinary: [Token]

  init() throws {
    let minter = try Minter(seed: 58, at: mintingTime)
    self.minter = minter
    ordinary = try (UInt64(0)..<9).map {
      var recipe = TokenRecipe(index: $0)
      recipe.payload.transactionAmount = "\(1_000 + $0)"
      let token = try minter.mint(recipe)
      return Token(bytes: token.bytes, verdict: .accept(plaintext: token.layers.plaintext))
    }
  }

  private func token(_ name: String) throws -> Token {
    let test = try minter.make(try #require(CaseRecipe.named(name))).test
    return Token(bytes: test.request, verdict: try #require(test.expected))
  }

  /// How many verdicts of a batch differ from the expected ones.
  private func differences(_ tokens: [Token], _ engine: FastDecryptor, in batch: inout BatchWorkspace) -> Int {
    var verdicts = [TestVerdict?](repeating: nil, count: tokens.count)
    engine.decryptBatch(
      tokens.map(\.bytes), at: mintingTime, under: VerificationPolicy(), in: &batch,
      opened: { index, token throws(TokenFault) in verdicts[index] = .accept(plaintext: try token.copy().plaintext) },
      refused: { verdicts[$0] = .reject($1) })
    return zip(tokens, verdicts).count { $0.verdict != $1 }
  }

  @Test(arguments: P256Kernel.underTest)
  func `secrets with leading zeros, points off the curve and wrong signatures are decided in every lane`(
    _ kernel: P256Kernel
  ) throws {
    let engine = try FastDecryptor(
      keys: minter.merchantKeySet(), anchors: minter.anchors, kernel: kernel, tables: .atOnce)
    guard var batch = BatchWorkspace() else { fatalError("no memory") }
    // After this batch, the chain is known and the signer has a table.
    #expect(differences(ordinary, engine, in: &batch) == 0)
    var batches = 0
    for name in Self.zeros.values.sorted() + Self.refused {
      let unusual = try token(name)
      var workspace = makeWorkspace()
      #expect(TestVerdict(engine.verdict(unusual.bytes, in: &workspace)) == unusual.verdict, "\(name)")
      for count in Self.counts {
        for lane in 0..<count {
          for isAlone in [true, false] {
            let tokens = (0..<count).map { ($0 == lane) == isAlone ? unusual : ordinary[$0] }
            let title = Comment(rawValue: "\(name), \(isAlone ? "alone" : "all but") \(lane) of \(count)")
            #expect(differences(tokens, engine, in: &batch) == 0, title)
            // A token alone is left to libcrypto, which would give the same verdicts.
            if kernel.agreementKernel == kernel.rawValue, count > 1 {
              let accepted = tokens.count { $0.verdict.isAccepted }
              #expect(batch.statuses.count { $0 == UInt8(ASSAY_P256_DONE) } == accepted, title)
            }
            batches += 1
          }
        }
      }
    }
    print("seed 58: \(batches) batches by \(kernel.rawValue)")
    // A verdict that belongs to another token is found.
    let turned = Token(bytes: ordinary[1].bytes, verdict: ordinary[0].verdict)
    #expect(differences([turned] + ordinary[1...], engine, in: &batch) == 1)
  }

  @Test func `the cases have just as many leading zeros as their names say`() throws {
    let field = try ScalarField()
    for (count, name) in Self.zeros {
      let object = try JSONSerialization.jsonObject(with: Data(try token(name).bytes)) as? [String: Any]
      let text = (object?["header"] as? [String: Any])?["ephemeralPublicKey"] as? String
      let point = try #require(text.flatMap { Data(base64Encoded: $0) }).suffix(65)
      let zeros = try minter.merchants.flatMap(\.keys).map { key in
        try field.multiple(key.pair.scalar, of: Array(point)).dropFirst().prefix { $0 == 0 }.count
      }
      #expect(zeros.contains(count), "\(name)")
    }
  }
}
