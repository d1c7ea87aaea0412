import MerchantKeys
import PaymentToken
import TestCases

/// Checks a whole corpus: each file by itself, all of them together, and against what the generator makes.
public struct CorpusLint: Sendable {
  /// Makes the engines that check every verdict.
  public typealias Engines = @Sendable (MerchantKeySet, TrustAnchors) throws -> [any TokenDecryptor]

  private let engines: Engines

  public init(engines: @escaping Engines) {
    self.engines = engines
  }

  /// All problems, file by file.
  ///
  /// - Parameters:
  ///   - files: all files of the corpus folder.
  ///   - expected: the generator's output; nil for a corpus of another project.
  ///   - progress: called with the current file and the fraction that is done.
  public func findings(
    in files: [CorpusFile], expected: [CorpusFile]?, progress: (String, Double) -> Void = { _, _ in }
  ) -> [CorpusFinding] {
    var findings: [CorpusFinding] = []
    var read: [(path: String, file: VectorFile)] = []
    var seeds: [[UInt8]: String] = [:]
    for (index, file) in files.enumerated() {
      progress(file.path, Double(index) / Double(files.count))
      switch file.kind {
      case .core?, .vectors?, .regressions?:
        var lint = VectorLint(path: file.path, engines: engines)
        // The vectors of core are those of other files, and count only once.
        if let vectors = lint.check(file.bytes), file.kind != .core { read.append((file.path, vectors)) }
        findings += lint.findings
      case .seeds?:
        findings += Self.seedFindings(file)
        if let other = seeds.updateValue(file.path, forKey: file.bytes) {
          findings.append(CorpusFinding(path: file.path, reason: "is the same input as \(other)"))
        }
      case .gateways?:
        var count = 0
        findings += GatewayVectors.findings(in: file.bytes, at: file.path, count: &count)
      case .numbers?, nil: break
      }
    }
    findings += Self.repetitions(in: read)
    if let expected {
      findings += Self.differences(files, read, expected)
      findings += Self.gaps(in: read.flatMap(\.file.cases))
    }
    return findings
  }

  private static func seedFindings(_ file: CorpusFile) -> [CorpusFinding] {
    var reasons: [String] = []
    let parts = file.path.split(separator: "/").map { String($0) }
    if parts.count != 4 || SeedPath(of: file.bytes, envelope: parts[1], version: parts[2]).path != file.path {
      reasons.append("is not named seeds/<envelope>/<version>/<SHA-256 of its contents, 16 digits>.json")
    }
    if GenuineMaterial.isIn(file.bytes) { reasons.append("holds a certificate under Apple's own root") }
    return reasons.map { CorpusFinding(path: file.path, reason: $0) }
  }

  /// Names that are not unique among all vectors, and tests with the same input and setting as another.
  private static func repetitions(in files: [(path: String, file: VectorFile)]) -> [CorpusFinding] {
    var findings: [CorpusFinding] = []
    var names: [String: String] = [:]
    var questions: [Question: String] = [:]
    for (path, file) in files {
      for group in file.groups {
        for test in group.cases {
          let place = "\(path) \(test.id)"
          if !test.name.isEmpty, let other = names.updateValue(place, forKey: test.name) {
            findings.append(CorpusFinding(path: path, test: Int(test.id), reason: "has the name of \(other)"))
          }
          let question = Question(setting: group.setting, input: test.input)
          if let other = questions.updateValue(place, forKey: question) {
            findings.append(CorpusFinding(path: path, test: Int(test.id), reason: "asks the same as \(other)"))
          }
        }
      }
    }
    return findings
  }

  private struct Question: Hashable {
    let setting: TestSetting
    let input: TestInput
  }

  /// Files that differ from the generator's output, or that name the generator although it does not make them.
  private static func differences(
    _ files: [CorpusFile], _ read: [(path: String, file: VectorFile)], _ expected: [CorpusFile]
  ) -> [CorpusFinding] {
    let there = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    let wanted = Set(expected.map(\.path))
    let missing = expected.filter { there[$0.path] != $0.bytes }.map { output in
      CorpusFinding(
        path: output.path,
        reason: there[output.path] == nil
          ? "is missing; \(VectorGenerator.command) makes it" : "is not what \(VectorGenerator.command) makes")
    }
    let surplus = read.filter { $0.file.generator == VectorGenerator.command && !wanted.contains($0.path) }.map {
      CorpusFinding(path: $0.path, reason: "names \(VectorGenerator.command), which does not make it")
    }
    return missing + surplus
  }

  /// Rules and codes that too few vectors cover.
  private static func gaps(in tests: [TestCase]) -> [CorpusFinding] {
    let named = Set(tests.flatMap(\.clauses))
    var counts: [TokenFault.Code: Int] = [:]
    for code in tests.compactMap({ $0.expected?.fault?.code }) { counts[code, default: 0] += 1 }
    let clauses = RuleClauses.all.filter { !named.contains($0) }.map { "no vector names clause \($0)" }
    let codes = TokenFault.Code.allCases.filter { counts[$0, default: 0] < 3 }.map {
      "fewer than 3 vectors end in \($0.rawValue)"
    }
    return (clauses + codes).map { CorpusFinding(path: "vectors", reason: $0) }
  }
}
