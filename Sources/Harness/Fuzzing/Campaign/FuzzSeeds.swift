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
    let defaults = engines.sampleSigner.defaultContext
    var samples: [TestInput] = []
    if FileWriter.exists(corpus.path) {
      for file in try corpus.files([.seeds]) {
        samples.append(TestInput(file.bytes, context(of: file.path, defaults)))
      }
    }
    do {
      let minter = engines.sampleSigner.minter
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
    return samples.map { $0.file(defaults: defaults) }
  }

  /// The vectors of the core suite as samples, for an external program: they contain the classic forgeries. The engines
  /// decide them again, with the sample signer's keys and roots.
  static func coreSuite(of corpus: CorpusFolder, defaults: TestContext) throws(CommandError) -> [[UInt8]] {
    let path = "\(corpus.path)/core.json"
    guard FileWriter.exists(path) else { return [] }
    let file = try VectorReader.read(try FileReader.corpusFile(path, limit: FileReader.sampleLimit), named: path)
    return file.groups.flatMap(\.cases).map { $0.input.file(defaults: defaults) }
  }

  /// The folder's name determines the envelope. Tokens in parts may be unsigned.
  private static func context(of path: String, _ defaults: TestContext) -> TestContext {
    guard let envelope = SeedPath.envelope(ofFile: path) else { return defaults }
    var context = defaults
    context.policy.envelope = .named(envelope)
    context.policy.isUnsigned = envelope.isInParts
    return context
  }
}
