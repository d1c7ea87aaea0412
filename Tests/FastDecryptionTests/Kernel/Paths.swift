import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import Testing

/// The ways a token can take through the engine.
enum Path: String, CaseIterable, CustomTestStringConvertible {
  /// One at a time by libcrypto.
  case portable
  /// One at a time, the signature by the kernel.
  case single
  /// In a batch by libcrypto.
  case portableBatch
  /// In a batch that fills the lanes.
  case batch

  var testDescription: String { rawValue }

  private var kernel: P256Kernel { self == .portable || self == .portableBatch ? .portable : .lanes }

  var isBatch: Bool { self == .portableBatch || self == .batch }

  /// An engine that takes this path from its first token on.
  func engine(keys: MerchantKeySet, anchors: TrustAnchors) throws -> FastDecryptor {
    let engine = try FastDecryptor(keys: keys, anchors: anchors, kernel: kernel, tables: .atOnce)
    // Or one path would be held against itself.
    #expect(engine.kernel == kernel || !kernel.isAvailable, "\(rawValue) is not taken")
    return engine
  }

  /// What the path says of each token.
  func verdicts(
    on tokens: [[UInt8]], keys: MerchantKeySet, anchors: TrustAnchors, at now: UnixTime,
    under policy: VerificationPolicy
  ) throws -> [Result<[UInt8], TokenFault>] {
    let engine = try engine(keys: keys, anchors: anchors)
    if isBatch { return engine.decryptBatch(tokens, at: now, under: policy).map { $0.map(\.plaintext) } }
    var workspace = makeWorkspace()
    return tokens.map { engine.verdict($0, at: now, under: policy, in: &workspace) }
  }
}
