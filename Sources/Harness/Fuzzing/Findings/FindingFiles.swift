import Corpus
import HostIO
import StrictJSON

/// A finding read from its folder, or a sample from its file.
package struct FindingFiles {
  package let sample: Sample
  /// What engines must have seen before.
  package let before: [Sample]
  package let isFolder: Bool
  package let kind: Violation.Kind?

  package init(_ path: String, usual: Circumstances) throws(CommandError) {
    isFolder = FolderWalk.isFolder(path)
    guard isFolder else {
      sample = SampleText.sample(try FileReader.corpusFile(path), usual: usual)
      before = []
      kind = nil
      return
    }
    sample = SampleText.sample(try FileReader.corpusFile("\(path)/sample"), usual: usual)
    var before: [Sample] = []
    for file in try FolderWalk.files(below: path) where file.hasPrefix("\(path)/before-") {
      before.append(SampleText.sample(try FileReader.corpusFile(file), usual: usual))
    }
    self.before = before
    var kind: Violation.Kind?
    if let octets = try? FileReader.corpusFile("\(path)/finding.json"), let finding = try? JSON(reading: octets.span) {
      kind = finding["kind"]?.string.flatMap(Violation.Kind.init(rawValue:))
    }
    self.kind = kind
  }
}
