import Corpus
import Gateways
import HostIO
import Minting
import PaymentToken

/// What a run starts from: the corpus' seeds and sound tokens of the minter.
enum FuzzSeeds {
  /// As files of samples.
  static func all(
    for target: FuzzTarget, from corpus: CorpusFolder, engines: FuzzEngines
  ) throws(CommandError) -> [[UInt8]] {
    let usual = engines.workshop.usual
    var samples: [Sample] = []
    if FileWriter.exists(corpus.path) {
      for file in try corpus.files([.seeds]) {
        samples.append(Sample(file.bytes, circumstances(of: file.path, usual)))
      }
    }
    do {
      let minter = engines.workshop.minter
      for index in 0..<12 as Range<UInt64> {
        samples.append(Sample(try minter.mint(index: index).bytes, Circumstances(now: minter.time)))
        if index < 4 { samples.append(Sample(try minter.mintRSA(index: index).bytes, Circumstances(now: minter.time))) }
      }
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
    if target == .envelopes { samples.removeAll { $0.circumstances.policy.envelope == .named(.apple) } }
    return samples.map { SampleText.octets(of: $0, usual: usual) }
  }

  /// By the folder's name the envelope is known; parts may come without a signature.
  private static func circumstances(of path: String, _ usual: Circumstances) -> Circumstances {
    var circumstances = usual
    for envelope in Envelope.all where path.contains("/\(envelope.name)/") {
      circumstances.policy.envelope = .named(envelope)
      circumstances.policy.isUnsigned = envelope.isInParts
    }
    return circumstances
  }
}
