import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import TestSupport
import Testing

/// A path of tokens through the engine: single or in a batch, with a kernel that this machine can run, or with the
/// emulation of one that it cannot.
struct Path: Hashable, CustomTestStringConvertible {
  let kernel: P256Kernel
  /// Whether all tokens are decrypted as one batch.
  let isBatch: Bool

  static let allCases: [Path] = P256Kernel.underTest.flatMap { kernel in
    [Path(kernel: kernel, isBatch: false), Path(kernel: kernel, isBatch: true)]
  }
  static let single = Path(kernel: .fastest, isBatch: false)
  static let batch = Path(kernel: .fastest, isBatch: true)

  var name: String { kernel.rawValue + (isBatch ? ", batch" : "") }
  var testDescription: String { name }

  /// An engine that takes this path from its first token.
  func engine(keys: MerchantKeySet, anchors: TrustAnchors) throws -> FastDecryptor {
    let engine = try FastDecryptor(keys: keys, anchors: anchors, kernel: kernel, tables: .atOnce)
    // Otherwise a path would be compared with itself.
    #expect(engine.kernel == kernel, "\(name) is not taken")
    return engine
  }

  /// The path's verdict on each token.
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

extension P256Kernel {
  /// Each kernel, natively where this machine runs it and emulated where not; in the second ring the emulations anyway.
  static let underTest = allCases.filter { kernel in
    guard kernel.isEmulated else { return kernel.isAvailable }
    let model = allCases.first { kernel.rawValue == "\($0.rawValue)-emulated" }
    return Ring.isDeep || model?.isAvailable != true
  }
}
