import Corpus
import HostIO
import Reports
import StrictJSON

/// Adds raw inputs to the seeds of a corpus; refuses genuine tokens.
struct SeedIntake {
  /// An input.
  typealias Input = (name: String, bytes: [UInt8])

  let folder: CorpusFolder
  /// The envelope's name; nil detects it for each input.
  let envelope: String?

  /// Adds inputs and reports how many; returns `.finding` if any was refused.
  func add(_ inputs: [Input], _ output: OutputOptions) throws(CommandError) -> ExitCode {
    var added: [String] = []
    var refused: [String] = []
    for input in inputs {
      guard !GenuineMaterial.isIn(input.bytes) else {
        refused.append(input.name)
        continue
      }
      let path = SeedPath(of: input.bytes, envelope: envelope).path
      if try folder.write(input.bytes, to: path) { added.append(path) }
    }
    let known = inputs.count - added.count - refused.count
    try output.answer(
      ["schema": "assay.corpus-add/1", "added": added, "known": known, "refused": refused],
      added.map { "\(folder.path)/\($0)\n" }.joined())
    if !output.json { output.remark("\(added.count) added, \(known) known before, \(refused.count) refused.") }
    for name in refused {
      output.remark("\(Text.harmless(name)) contains a certificate under Apple's own root: it was not added.")
    }
    return refused.isEmpty ? .success : .finding
  }
}
