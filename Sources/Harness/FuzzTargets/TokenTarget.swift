import Corpus
import FastDecryption
import Fuzzing
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import TestCases

/// Whole requests through both engines, and the mutations of the loop.
final class TokenTarget {
  let sampleSigner: SampleSigner
  private var examiner: Examiner

  /// Nil if the keys or the engines cannot be made.
  init?() {
    guard let minter = try? Minter(seed: VectorGenerator.seed, at: VectorGenerator.time),
      let sampleSigner = try? SampleSigner(minter), let keys = try? minter.merchantKeySet(),
      let fast = try? FastDecryptor(keys: keys, anchors: sampleSigner.anchors, kernel: .preferred, tables: .atOnce),
      let reference = try? ReferenceDecryptor(keys: keys, anchors: sampleSigner.anchors)
    else { return nil }
    self.sampleSigner = sampleSigner
    var bounds = Examiner.Bounds()
    // Sanitizers take ten times as long and retain freed memory.
    bounds.nanoseconds = 5_000_000_000
    bounds.kibibytes = 1 << 20
    let engines = FuzzEngines(sampleSigner: sampleSigner, reference: reference) { (fast, reference) }
    examiner = Examiner(engines, bounds: bounds)
  }

  func test(_ bytes: [UInt8]) {
    guard let violation = examiner.examine(TestInput(file: bytes, defaults: sampleSigner.defaultContext)).violation
    else { return }
    FuzzTargets.fail(violation.kind.rawValue, violation.first, violation.second)
  }

  /// Applies one to three of the loop's mutations; nil if none applies.
  func mutated(_ bytes: [UInt8], using random: inout QuickGenerator) -> [UInt8]? {
    let sample = TestInput(file: bytes, defaults: sampleSigner.defaultContext)
    let mutations = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Mutation.all[Int.random(in: 0..<Mutation.all.count, using: &random)]
    }
    guard let mutated = try? sampleSigner.mutate(sample, by: mutations, using: &random), !mutated.mutations.isEmpty
    else {
      return nil
    }
    return mutated.sample.file(defaults: sampleSigner.defaultContext)
  }

  /// The input of a single-layer target from a valid token.
  func piece(for target: FuzzTarget, using random: inout QuickGenerator) -> [UInt8]? {
    let index = UInt64.random(in: 0..<16, using: &random)
    let minted =
      index % 4 == 3 ? try? sampleSigner.minter.mintRSA(index: index) : try? sampleSigner.minter.mint(index: index)
    return minted.flatMap { SeedPieces.pieces(of: $0.bytes, for: target, in: sampleSigner).first }
  }

  /// libFuzzer calls from one thread.
  nonisolated(unsafe) static let shared = TokenTarget()
}

extension FuzzTargets {
  /// Both engines on a request and its context (`TestInput`).
  public static func token(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard let target = TokenTarget.shared else { fail("crash", "no keys", "") }
    target.test(bytes(data, size))
    return 0
  }
}
