import Benchmarking
import FastDecryption
import MerchantKeys
import Minting
import PaymentToken

/// Batches of 64 with forged tokens, and for many merchants.
enum BatchSweep {
  private static let size = 64
  /// Forged tokens of a batch: their last stage is the signature, which is wrong.
  private static let forged = [8, 32, 64]
  /// Merchants' keys, a token each in turn.
  private static let merchants = [1, 16, 64]

  static let names =
    forged.map { "\(BatchBenchmarks.name(size))/forged\($0)" }
    + merchants.map { "\(BatchBenchmarks.name(size))/merchants\($0)" }

  /// Nil for a name that is none of these.
  static func make(_ name: String, seed: UInt64) throws(BenchmarkFailure) -> Benchmark? {
    let batch: BatchRequests
    if let count = forged.first(where: { name == "\(BatchBenchmarks.name(size))/forged\($0)" }) {
      batch = try requests(forged: count, merchants: 4, seed: seed)
    } else if let count = merchants.first(where: { name == "\(BatchBenchmarks.name(size))/merchants\($0)" }) {
      batch = try requests(forged: 0, merchants: count, seed: seed)
    } else {
      return nil
    }
    return .checked(name, multiple: size, try BatchCycle(batch, engine: batch.makeEngine()).run)
  }

  private static func requests(
    forged: Int, merchants: Int, seed: UInt64
  ) throws(BenchmarkFailure) -> BatchRequests {
    do {
      let minter = try Minter(seed: seed, at: TokenSet.mintingTime)
      var generator = minter.generator.stream("batch sweep")
      var pairs: [KeyPair] = []
      for _ in 0..<merchants { pairs.append(try KeyPair(.p256, from: &generator)) }
      var requests: [[UInt8]] = []
      var lengths: [Int?] = []
      for index in 0..<size {
        var layers = try minter.layers(TokenRecipe(index: UInt64(index)))
        layers.publicKeyHash = try privateKey(of: pairs[index % merchants]).publicKeyHash().bytes
        try layers.encrypt(to: pairs[index % merchants].point)
        try layers.sign()
        // Spread over the batch.
        let isForged = (index + 1) * forged / size > index * forged / size
        // Within s, before the bytes that end the indefinite lengths.
        if isForged { layers.signature[layers.signature.count - 30] ^= 1 }
        requests.append(layers.token)
        lengths.append(isForged ? nil : layers.plaintext.count)
      }
      let sources = try pairs.map { pair in
        MerchantKeySource(privateKey: try privateKey(of: pair), merchantID: minter.merchants[0].identifier)
      }
      return BatchRequests(
        requests: requests, lengths: lengths, keys: try MerchantKeySet(sources), anchors: minter.anchors,
        now: TokenSet.mintingTime, policy: VerificationPolicy())
    } catch {
      throw BenchmarkFailure("the tokens to measure with could not be minted: \(error)")
    }
  }

  private static func privateKey(of pair: KeyPair) throws(KeyError) -> PrivateKey {
    // withUnsafeBytes does not throw typed errors.
    let result = pair.scalar.withUnsafeBytes { bytes -> Result<PrivateKey, KeyError> in
      do throws(KeyError) { return .success(try PrivateKey(scalar: bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
