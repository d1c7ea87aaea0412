import Corpus
import Gateways
import HostIO
import Minting
import PaymentToken
import TestCases

/// What a run starts from: the corpus' seeds and sound tokens of the minter.
enum FuzzSeeds {
  /// As files of samples.
  static func all(
    for target: FuzzTarget, from corpus: CorpusFolder, engines: FuzzEngines
  ) throws(CommandError) -> [[UInt8]] {
    let usual = engines.workshop.usual
    var samples: [TestInput] = []
    if FileWriter.exists(corpus.path) {
      for file in try corpus.files([.seeds]) {
        samples.append(TestInput(file.bytes, context(of: file.path, usual)))
      }
    }
    do {
      let minter = engines.workshop.minter
      for index in 0..<12 as Range<UInt64> {
        samples.append(TestInput(try minter.mint(index: index).bytes, TestContext(now: minter.time)))
        if index < 4 {
          samples.append(TestInput(try minter.mintRSA(index: index).bytes, TestContext(now: minter.time)))
        }
      }
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
    if target == .envelopes { samples.removeAll { $0.context.policy.envelope == .named(.apple) } }
    return samples.map { $0.file(usual: usual) }
  }

  /// By the folder's name the envelope is known; parts may come without a signature.
  private static func context(of path: String, _ usual: TestContext) -> TestContext {
    guard let envelope = SeedPath.envelope(ofFile: path) else { return usual }
    var context = usual
    context.policy.envelope = .named(envelope)
    context.policy.isUnsigned = envelope.isInParts
    return context
  }
}
