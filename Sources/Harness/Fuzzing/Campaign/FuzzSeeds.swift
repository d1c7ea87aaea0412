import Corpus
import Gateways
import HostIO
import Minting
import PaymentToken
import Reports
import StrictJSON
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
  /// The vectors of the core suite as samples, which hold the classic forgeries: for the opinion of an external program.
  /// The engines decide again, with the workshop's keys and roots.
  static func coreSuite(of corpus: CorpusFolder, usual: TestContext) throws(CommandError) -> [[UInt8]] {
    let path = "\(corpus.path)/core.json"
    guard FileWriter.exists(path) else { return [] }
    let bytes = try FileReader.corpusFile(path)
    let file: VectorFile
    do throws(DocumentError) {
      file = try VectorReader.read(bytes)
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is not a file of vectors: \(error).")
    }
    return file.groups.flatMap(\.cases).map { $0.input.file(usual: usual) }
  }

  private static func context(of path: String, _ usual: TestContext) -> TestContext {
    guard let envelope = SeedPath.envelope(ofFile: path) else { return usual }
    var context = usual
    context.policy.envelope = .named(envelope)
    context.policy.isUnsigned = envelope.isInParts
    return context
  }
}
