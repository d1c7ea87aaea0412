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

  /// What the path says of each token.
  func verdicts(
    on tokens: [[UInt8]], keys: MerchantKeySet, anchors: TrustAnchors, at now: UnixTime,
    under policy: VerificationPolicy
  ) throws -> [Result<[UInt8], TokenFault>] {
    let engine = try FastDecryptor(keys: keys, anchors: anchors, kernel: kernel, tables: .atOnce)
    switch self {
    case .portable, .single:
      var workspace = makeWorkspace()
      return tokens.map { engine.verdict($0, at: now, under: policy, in: &workspace) }
    case .portableBatch, .batch:
      return engine.decryptBatch(tokens, at: now, under: policy).map { $0.map(\.plaintext) }
    }
  }
}
