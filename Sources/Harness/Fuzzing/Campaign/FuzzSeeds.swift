import Corpus
import Gateways
import HostIO
import Minting
import PaymentToken
import TestCases

/// The initial samples of a run: the corpus's seeds and valid tokens of the minter.
enum FuzzSeeds {
  /// The samples as file contents.
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

  /// The folder's name determines the envelope. Tokens in parts may be unsigned.
  private static func context(of path: String, _ usual: TestContext) -> TestContext {
    guard let envelope = SeedPath.envelope(ofFile: path) else { return usual }
    var context = usual
    context.policy.envelope = .named(envelope)
    context.policy.isUnsigned = envelope.isInParts
    return context
  }
}
