import Corpus
import HostIO
import Minting
import PaymentToken
import Reports
import TestCases

/// Findings on disk, each in a folder of its own: the token, its circumstances, and the commands that replay it.
package struct FindingFolder {
  private let path: String
  private let replayCommand: ReplayCommand
  /// What flags stand for.
  private let notes: [String: VectorNote]
  /// Of a run with so many findings the first are made smaller: each takes seconds.
  private var shrinksLeft = 20
  /// Of findings that look alike one is made smaller.
  private var shrunk: Set<[String]> = []
  private var number = 0
  /// The first thing that could not be written.
  package private(set) var failure: CommandError?

  /// - Throws: `CommandError` when there can be no such folder.
  package init(path: String, replay: ReplayCommand, notes: [String: VectorNote]) throws(CommandError) {
    self.path = path
    replayCommand = replay
    self.notes = notes
    try FileWriter.makeFolder(path)
  }

  /// Writes a finding; what goes wrong is kept, and what was found goes on.
  package mutating func add(_ finding: Finding, in run: TestRun, contender: String) {
    do {
      try write(finding, in: run, contender: contender)
    } catch {
      if failure == nil { failure = error }
    }
  }

  private mutating func write(_ finding: Finding, in run: TestRun, contender: String) throws(CommandError) {
    let folder = try nextFolder(finding.kind)
    var smaller: TestCase?
    let likeness = [contender, finding.kind.rawValue, finding.test.expected?.outcome ?? ""]
    if shrinksLeft > 0, shrunk.insert(likeness).inserted {
      shrinksLeft -= 1
      smaller = run.shrink(finding)
    }
    try put(finding.test.request, "token", folder)
    if let smaller { try put(smaller.request, "token-smaller", folder) }
    var commands: [String]
    if finding.setting.hasTestKeys {
      commands = try replayable(finding, smaller, folder)
    } else {
      // Real keys are not copied: the command names the files they came from.
      commands = [replayCommand.text(of: finding.test.source, asGiven: true)]
    }
    if commands.isEmpty { commands = ["(the token alone: no vector can say what is expected)"] }
    try put(Array(text(finding, contender: contender, smaller: smaller, commands).utf8), "README.txt", folder)
  }

  /// The next number behind those that are there. Two runs at once may have the same number, but never the same folder.
  private mutating func nextFolder(_ kind: Assessment.Kind) throws(CommandError) -> String {
    if number == 0 { number = try FolderWalk.names(in: path).compactMap { Int($0.prefix { $0 != "-" }) }.max() ?? 0 }
    while true {
      number += 1
      let digits = String(number)
      let name = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      let folder = "\(path)/\(name)-\(kind.rawValue)"
      if try FileWriter.makeNewFolder(folder) { return folder }
    }
  }

  /// Writes vectors, keys and roots; the commands that use them.
  private func replayable(_ finding: Finding, _ smaller: TestCase?, _ folder: String) throws(CommandError) -> [String] {
    var commands: [String] = []
    for (test, file) in [(finding.test, "vector.json"), (smaller, "vector-smaller.json")] {
      guard let test, let vector = test.vector(setting: finding.setting, notes: notes) else { continue }
      try put(VectorWriter.write(vector), file, folder)
      commands.append(replayCommand.text(of: "\(folder)/\(file)", asGiven: false))
    }
    if let command = try decryptCommand(finding, folder) { commands.append(command) }
    return commands
  }

  /// Nil for circumstances that `assay decrypt` has no options for.
  private func decryptCommand(_ finding: Finding, _ folder: String) throws(CommandError) -> String? {
    let (context, setting) = (finding.test.context, finding.setting)
    let policy = context.policy
    guard context.prelude.isEmpty, policy.replayCapacity == nil, let envelope = policy.envelope.name,
      !setting.rootsPem.isEmpty, !setting.keys.isEmpty
    else {
      return nil
    }
    try put(Array(setting.keys.map(\.privateKeyPem).joined(separator: "\n").utf8), "merchant.key", folder)
    try put(Array(setting.rootsPem.joined(separator: "\n").utf8), "root.pem", folder)
    var words = ["assay", "decrypt", "\(folder)/token", "--key", "\(folder)/merchant.key"]
    let certificates = setting.keys.compactMap(\.certificatePem)
    if !certificates.isEmpty {
      try put(Array(certificates.joined(separator: "\n").utf8), "merchant.pem", folder)
      words += ["--cert", "\(folder)/merchant.pem"]
    }
    if let merchantID = setting.keys.compactMap(\.merchantId).first { words += ["--merchant-id", merchantID] }
    words += ["--root", "\(folder)/root.pem", "--at", context.now.rfc3339]
    words += ["--window", policy.windowSeconds.map { String($0) } ?? "off", "--envelope", envelope]
    if policy.isUnsigned { words.append("--unsigned") }
    if !policy.revoked.isEmpty {
      try put(Array(policy.revoked.map { "\($0.hex)\n" }.joined().utf8), "revoked.txt", folder)
      words += ["--revoked", "\(folder)/revoked.txt"]
    }
    return (words + policy.expectations.words).map(ShellWord.quoted).joined(separator: " ")
  }

  private func text(_ finding: Finding, contender: String, smaller: TestCase?, _ commands: [String]) -> String {
    let test = finding.test
    var lines = [
      "\(contender): \(finding.kind.title)", "test      \(test.title) of \(test.source)",
      "about     \(test.comment)", "expected  \(test.expected?.outcome ?? "nothing: no engine decided")",
      "answered  \(finding.decision)",
    ].map(Text.harmless)
    lines += finding.quotableLastWords.map { "stderr    \(Text.harmless($0))" }
    if let smaller { lines.append("smaller   \(test.request.count) bytes became \(smaller.request.count)") }
    return (lines + ["", "Replay it:"] + commands.map(Text.harmless)).joined(separator: "\n") + "\n"
  }

  private func put(_ bytes: [UInt8], _ name: String, _ folder: String) throws(CommandError) {
    try FileWriter.write(bytes, to: "\(folder)/\(name)", visibility: .ownerOnly, replacing: true)
  }
}

/// The `assay diff` that decides about a finding again, by the same contenders.
package struct ReplayCommand: Sendable {
  private let externals: [String]
  private let engine: String?
  private let strictness: Strictness
  private let inputWords: [String]

  /// - Parameters:
  ///   - externals: commands of programs.
  ///   - engine: the only one that takes part; nil for all.
  ///   - inputWords: the options that say how files without circumstances of their own are decided.
  package init(externals: [String], engine: String?, strictness: Strictness, inputWords: [String]) {
    self.externals = externals
    self.engine = engine
    self.strictness = strictness
    self.inputWords = inputWords
  }

  /// - Parameter asGiven: whether the file holds a request that options decide about, with keys that are not copied.
  package func text(of file: String, asGiven: Bool) -> String {
    var words = ["assay", "diff", file]
    for command in externals { words += ["--external", command] }
    if let engine { words += ["--engine", engine] }
    words += ["--strictness", strictness.rawValue]
    if asGiven { words += inputWords + ["--i-trust-this-program-with-my-keys"] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}

extension Expectations {
  /// As options of `assay decrypt`.
  var words: [String] {
    var words: [String] = []
    if let currencyCode { words += ["--expect-currency", currencyCode] }
    if let transactionAmount { words += ["--expect-amount", String(transactionAmount)] }
    if let applicationData { words += ["--expect-application-data", applicationData.hex] }
    return words
  }
}

extension TestCase {
  /// The case as a file of vectors; nil when nobody knows what is right.
  fileprivate func vector(setting: TestSetting, notes: [String: VectorNote]) -> VectorFile? {
    guard expected != nil, context.isExpressible else { return nil }
    var test = self
    test.id = String(Int(id) ?? 1)
    return VectorFile(
      generator: "assay diff", seed: 0, notes: Set(flags).sorted().compactMap { notes[$0] },
      groups: [TestGroup(setting: setting, cases: [test])])
  }
}
