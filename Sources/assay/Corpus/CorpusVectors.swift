import Corpus
import HostIO
import Reports

extension CorpusFolder {
  static let option = OptionDefinition.value("--corpus", "DIR", "corpus folder (default: Corpus)")

  init(_ arguments: ParsedArguments) {
    self.init(path: arguments.value(Self.option.name) ?? "Corpus")
  }
}

extension OptionDefinition {
  static let suite = OptionDefinition.choice(
    "--suite", CorpusSuite.allCases.map(\.rawValue), "which vectors (default: project, all of them)")
}

extension CorpusSuite {
  init(_ arguments: ParsedArguments) {
    self = arguments.choice(OptionDefinition.suite.name) ?? .project
  }
}

enum CorpusVectors {
  static func read(_ folder: CorpusFolder) throws(CommandError) -> [(path: String, file: VectorFile)] {
    var vectors: [(path: String, file: VectorFile)] = []
    for file in try folder.files([.vectors, .regressions]) {
      vectors.append((file.path, try read(file.bytes, named: file.path)))
    }
    return vectors
  }

  static func read(_ bytes: [UInt8], named name: String) throws(CommandError) -> VectorFile {
    do {
      return try VectorReader.read(bytes)
    } catch {
      let place = error.path.isEmpty ? "it" : error.path
      throw CommandError(
        .noAnswer, "\(Text.harmless(name)) contains no vectors: \(Text.harmless("\(place) \(error.reason)")).")
    }
  }

  static let engines: CorpusLint.Engines = { keys, anchors in
    try EngineName.allCases.map { try $0.make(keys: keys, anchors: anchors) }
  }

  /// Generates the files of a corpus. Vectors keep the numbers that the folder assigns to them.
  static func generated(for folder: CorpusFolder, _ progress: ProgressLine) throws(CommandError) -> [CorpusFile] {
    let numbers = try folder.numbers()
    return try CommandError.of {
      try VectorGenerator().outputs(numbers: numbers) {
        progress.show("minting", fraction: Double($0) / Double($1))
      }
    }
  }
}

enum FindingList {
  static func text(_ findings: [CorpusFinding]) -> String {
    findings.map { finding in
      let place = finding.path + (finding.test.map { " test \($0)" } ?? "")
      return Text.harmless("\(place): \(finding.reason)") + "\n"
    }.joined()
  }
}
