import Corpus

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

extension EngineName {
  /// Makes all engines, for the checks of a corpus.
  static let all: CorpusLint.Engines = { keys, anchors in
    try allCases.map { try $0.make(keys: keys, anchors: anchors) }
  }
}
