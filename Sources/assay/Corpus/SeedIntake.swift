import Corpus
import Gateways
import HostIO
import PaymentToken
import Reports
import StrictJSON

/// Adds raw inputs to the seeds of a corpus; refuses genuine tokens.
struct SeedIntake {
  /// An input; `seed` is its path in the corpus it comes from.
  typealias Input = (name: String, seed: String?, bytes: [UInt8])

  let folder: CorpusFolder
  /// The envelope's name; nil detects it for each input.
  let envelope: String?

  /// The path of an input: from its folders in another corpus, else by its detected form.
  private func path(of input: Input) -> String {
    let folders = input.seed.map { $0.split(separator: "/").map(String.init) } ?? []
    guard folders.count == 4, Envelope.named(folders[1]) != nil,
      folders[2] == SeedPath.unknownVersion || TokenVersion(rawValue: folders[2]) != nil
    else { return SeedPath(of: input.bytes, envelope: envelope).path }
    return SeedPath(of: input.bytes, envelope: folders[1], version: folders[2]).path
  }

  /// Adds inputs and reports how many; returns `.finding` if any was refused.
  func add(_ inputs: [Input], as command: String, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    var added: [String] = []
    var refused: [String] = []
    for input in inputs {
      guard !GenuineMaterial.isIn(input.bytes) else {
        refused.append(input.name)
        continue
      }
      let path = path(of: input)
      if try folder.write(input.bytes, to: path) { added.append(path) }
    }
    let known = inputs.count - added.count - refused.count
    try output.answer(
      ["schema": "assay.corpus-\(command)/1", "added": added, "known": known, "refused": refused],
      added.map { "\(folder.path)/\($0)\n" }.joined())
    if !output.json { output.remark("\(added.count) added, \(known) known before, \(refused.count) refused.") }
    for name in refused {
      output.remark("\(Text.harmless(name)) contains a certificate under Apple's own root: it was not added.")
    }
    return refused.isEmpty ? .success : .finding
  }
}
