import Corpus
import HostIO
import StrictJSON
import TestCases

/// A finding read from its folder, or a sample from its file.
package struct FindingFiles {
  package let sample: TestInput
  /// What engines must have seen before.
  package let before: [TestInput]
  package let isFolder: Bool
  package let kind: Violation.Kind?

  package init(_ path: String, usual: TestContext) throws(CommandError) {
    isFolder = FolderWalk.isFolder(path)
    guard isFolder else {
      sample = TestInput(file: try FileReader.corpusFile(path), usual: usual)
      before = []
      kind = nil
      return
    }
    sample = TestInput(file: try FileReader.corpusFile("\(path)/sample"), usual: usual)
    var before: [TestInput] = []
    for file in try FolderWalk.files(below: path) where file.hasPrefix("\(path)/before-") {
      before.append(TestInput(file: try FileReader.corpusFile(file), usual: usual))
    }
    self.before = before
    var kind: Violation.Kind?
    if let octets = try? FileReader.corpusFile("\(path)/finding.json"), let finding = try? JSON(reading: octets.span) {
      kind = finding["kind"]?.string.flatMap(Violation.Kind.init(rawValue:))
    }
    self.kind = kind
  }
}
