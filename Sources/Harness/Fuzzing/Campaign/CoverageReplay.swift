import Corpus
import HostIO
import Reports
import StrictJSON
import TestCases

/// The edges of the engines' control flow that a set of samples reaches: both engines run on each sample.
package struct CoverageReplay {
  private let samples: Int
  private var reached = CoverageMap()

  /// - Parameter files: samples; each runs once, all through the same pair of engines.
  /// - Throws: `CommandError` if this build counts nothing, or a file cannot be read.
  package init(_ files: [String], by engines: FuzzEngines) throws(CommandError) {
    guard CoverageCounters.count > 0 else { throw CommandError(.noAnswer, CoverageCounters.absence + ".") }
    samples = files.count
    var examiner = Examiner(engines)
    for file in files {
      let sample = TestInput(
        file: try FileReader.corpusFile(file, limit: FileReader.sampleLimit),
        defaults: engines.sampleSigner.defaultContext)
      for feature in examiner.examine(sample).coverage { _ = reached.insert(feature) }
    }
  }

  /// The document `assay.fuzz-coverage/1`.
  package var json: JSON {
    [
      "schema": "assay.fuzz-coverage/1", "samples": samples, "counters": CoverageCounters.count,
      "edges": reached.edgeCount, "features": reached.featureCount,
    ]
  }

  /// Lines for people.
  package var text: String {
    let share = 100 * Double(reached.edgeCount) / Double(CoverageCounters.count)
    return Text.pairs([
      ("samples", "\(samples)"),
      ("edges", "\(reached.edgeCount) of \(CoverageCounters.count), \(share.fixed(1))%"),
      ("features", "\(reached.featureCount)"),
    ]).joined(separator: "\n") + "\n"
  }
}
