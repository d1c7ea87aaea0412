import FastDecryption
import Foundation
import Gateways
import MerchantKeys
import PaymentToken
import Testing

// The code that Docs/Embedding.md shows begins here.
/// Reads the files of keys and certificates, and overwrites what it read when the keys are in guarded memory.
func merchantKeys(in files: [URL]) throws -> MerchantKeySet {
  var read: [KeyFile] = []
  defer { for index in read.indices { read[index].wipe() } }
  for file in files {
    var contents = try Data(contentsOf: file)
    defer { contents.resetBytes(in: 0..<contents.count) }
    read.append(KeyFile(name: file.path, bytes: Array(contents)))
  }
  return try MerchantKeySet(files: read)
}

/// Decrypts the tokens of a shop's orders.
struct Checkout {
  private let pool: DecryptionPool
  private let replay = MemoryReplayStore(capacity: 1_000_000, longestWindow: 300)

  init(_ keys: MerchantKeySet, roots: TrustAnchors = .apple) throws {
    let engine = try FastDecryptor(keys: keys, anchors: roots)
    pool = try DecryptionPool(engine, configuration: DecryptionPool.Configuration(workers: 2))
  }

  /// Called by any number of tasks at once.
  func payment(
    in request: [UInt8], at now: UnixTime, currency: String, amount: Int64
  ) async throws(DecryptionPool.Refusal) -> Payment {
    let order = Expectations(currencyCode: currency, transactionAmount: amount)
    let policy = VerificationPolicy(
      envelope: .automatic, freshness: .window(seconds: 300, replay: replay), expectations: order)
    return try await pool.decrypt(request, at: now, under: policy, deadline: .now + .seconds(1)).payment
  }

  /// Replaces the keys.
  func rotate(to keys: MerchantKeySet) {
    pool.replaceEngine(with: pool.engine.replacingKeys(with: keys))
  }

  /// Returns when every submitted request has its answer. The pool then refuses all others.
  func stop() async {
    await pool.shutDown()
  }
}
// It ends here.

extension ServerTests {
  /// The code that the documentation shows.
  struct EmbeddingTests {
    @Test func `it is this code`() throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
      let source = try String(contentsOfFile: #filePath, encoding: .utf8)
      let begin = try #require(source.range(of: "shows begins here.\n"))
      let end = try #require(source.range(of: "// It ends here.\n"))
      let page = try String(contentsOf: root.appending(path: "Docs/Embedding.md"), encoding: .utf8)
      #expect(page.contains(source[begin.upperBound..<end.lowerBound]))
    }

    @Test func `it works`() async throws {
      let merchant = try Merchant()
      let files = (merchant.files.keys + merchant.files.certificates).map { URL(filePath: $0) }
      let checkout = try Checkout(merchantKeys(in: files), roots: merchant.minter.anchors)
      func pay(_ index: UInt64, of number: Int = 0, _ amount: Int64 = 1_250) async throws -> Int64 {
        let token = try merchant.token(index, merchant: number)
        return try await checkout.payment(in: token, at: noon, currency: "978", amount: amount).transactionAmount
      }
      #expect(try await pay(1) == 1_250)
      await #expect(throws: DecryptionPool.Refusal.token(TokenFault(.replayedTransaction))) { try await pay(1) }
      await #expect(throws: DecryptionPool.Refusal.token(TokenFault(.amountMismatch))) { try await pay(2, 999) }
      await #expect(throws: DecryptionPool.Refusal.token(TokenFault(.unknownMerchantKey))) { try await pay(3, of: 1) }
      try merchant.writeKey(1)
      checkout.rotate(to: try merchantKeys(in: files))
      #expect(try await pay(4, of: 1) == 1_250)
      await checkout.stop()
      await #expect(throws: DecryptionPool.Refusal.shutDown) { try await pay(5, of: 1) }
    }
  }
}
