import Corpus
import HostIO
import Minting
import PaymentToken
import Reports
import TestCases

/// Writes findings to disk, each in its own folder: the token, its context, and the commands that replay it.
package struct FindingFolder {
  private let path: String
  private let replayCommand: ReplayCommand
  /// Explanations of flags.
  private let notes: [String: VectorNote]
  /// How many more findings are shrunk. Shrinking takes seconds each.
  private var shrinksLeft = 20
  /// Kinds of findings that were shrunk: one of each kind is enough.
  private var shrunk: Set<[String]> = []
  private var number = 0
  /// The first error of writing.
  package private(set) var failure: CommandError?

  /// - Throws: `CommandError` when the folder cannot be created.
  package init(path: String, replay: ReplayCommand, notes: [String: VectorNote]) throws(CommandError) {
    self.path = path
    replayCommand = replay
    self.notes = notes
    try FileWriter.makeFolder(path)
  }

  /// Writes a finding. An error is stored in `failure` and does not stop the run.
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
      // Real keys are not copied: the command names their files.
      commands = [replayCommand.text(of: finding)].compactMap(\.self)
    }
    if commands.isEmpty { commands = ["(none: a test vector cannot express this finding)"] }
    try put(Array(text(finding, contender: contender, smaller: smaller, commands).utf8), "README.txt", folder)
  }

  /// Creates a folder with the next number. Two concurrent runs may share a number, but never a folder.
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

  /// Writes vectors, keys and roots. Returns the commands that use them.
  private func replayable(_ finding: Finding, _ smaller: TestCase?, _ folder: String) throws(CommandError) -> [String] {
    var commands: [String] = []
    for (test, file) in [(finding.test, "vector.json"), (smaller, "vector-smaller.json")] {
      guard let test, let vector = test.vector(setting: finding.setting, notes: notes) else { continue }
      try put(VectorWriter.write(vector), file, folder)
      commands.append(replayCommand.text(of: finding, in: "\(folder)/\(file)"))
    }
    if let command = try decryptCommand(finding, folder) { commands.append(command) }
    return commands
  }

  /// The `assay decrypt` command; nil if it has no options for the context.
  private func decryptCommand(_ finding: Finding, _ folder: String) throws(CommandError) -> String? {
    let (context, setting) = (finding.test.context, finding.setting)
    let policy = context.policy
    guard let options = context.decryptOptions, !setting.rootsPem.isEmpty, !setting.keys.isEmpty else { return nil }
    try put(Array(setting.keys.map(\.privateKeyPem).joined(separator: "\n").utf8), "merchant.key", folder)
    try put(Array(setting.rootsPem.joined(separator: "\n").utf8), "root.pem", folder)
    var words = ["assay", "decrypt", "\(folder)/token", "--key", "\(folder)/merchant.key"]
    let certificates = setting.keys.compactMap(\.certificatePem)
    if !certificates.isEmpty {
      try put(Array(certificates.joined(separator: "\n").utf8), "merchant.pem", folder)
      words += ["--cert", "\(folder)/merchant.pem"]
    }
    // Certificates name their merchant themselves.
    let uncertified = setting.keys.filter { $0.certificatePem == nil }
    if let merchantID = uncertified.compactMap(\.merchantId).first { words += ["--merchant-id", merchantID] }
    words += ["--root", "\(folder)/root.pem"]
    if !policy.revoked.isEmpty {
      try put(Array(policy.revoked.map { "\($0.hex)\n" }.joined().utf8), "revoked.txt", folder)
      words += ["--revoked", "\(folder)/revoked.txt"]
    }
    return (words + options).map(ShellWord.quoted).joined(separator: " ")
  }

  private func text(_ finding: Finding, contender: String, smaller: TestCase?, _ commands: [String]) -> String {
    let test = finding.test
    var lines = [
      "\(contender): \(finding.kind.title)", "test      \(test.title) of \(test.source)",
      "about     \(test.comment)", "expected  \(test.expected?.outcome ?? "nothing: no engine decided")",
      "answered  \(finding.answer)",
    ].map(Text.harmless)
    lines += finding.quotableStandardError.map { "stderr    \(Text.harmless($0))" }
    if let smaller { lines.append("smaller   \(test.request.count) bytes became \(smaller.request.count)") }
    return (lines + ["", "Replay it:"] + commands.map(Text.harmless)).joined(separator: "\n") + "\n"
  }

  private func put(_ bytes: [UInt8], _ name: String, _ folder: String) throws(CommandError) {
    try FileWriter.write(bytes, to: "\(folder)/\(name)", visibility: .ownerOnly, replacing: true)
  }
}

/// The `assay diff` command that replays a finding with the same contenders. It exits with 1 also for a finding that is
/// waived or below the level of the run.
package struct ReplayCommand: Sendable {
  private let contenderWords: [String]
  private let inputWords: [String]
  private let strictness: Strictness
  private let level: Standing.Severity

  /// - Parameters:
  ///   - contenderWords: the options that choose engines, programs and their limits.
  ///   - inputWords: the options for files without a context of their own.
  ///   - level: the least severe finding that fails; nil for the default of `strictness`.
  package init(
    contenderWords: [String], inputWords: [String], strictness: Strictness, level: Standing.Severity? = nil
  ) {
    self.contenderWords = contenderWords
    self.inputWords = inputWords
    self.strictness = strictness
    self.level = level ?? strictness.defaultLevel
  }

  /// - Parameters:
  ///   - file: a file of vectors that has only the finding's test.
  ///   - more: further options.
  package func text(of finding: Finding, in file: String, _ more: [String] = []) -> String {
    let level = max(level, min(finding.severity, .strictness))
    let levelWords = level == strictness.defaultLevel ? [] : ["--level", level.rawValue]
    return (["assay", "diff", file] + contenderWords + ["--strictness", strictness.rawValue] + levelWords + more)
      .map(ShellWord.quoted).joined(separator: " ")
  }

  /// The command for the file that has the finding's test; nil if there is none.
  package func text(of finding: Finding) -> String? {
    let test = finding.test
    if test.source.hasPrefix("minted, seed ") || test.id.contains("--behind-") { return nil }
    let isRequest = test.standing == nil && test.source.split(separator: "/").last.map(String.init) == test.id
    var words = isRequest ? inputWords : ["--test", test.name.isEmpty ? test.id : test.name]
    if isRequest, !inputWords.contains("--at") { words += ["--at", test.context.now.rfc3339] }
    if !finding.setting.hasTestKeys { words.append("--i-trust-this-program-with-my-keys") }
    return text(of: finding, in: test.source, words)
  }
}

extension TestCase {
  /// The case as a file of vectors; nil if its verdict is unknown or vectors cannot express it.
  fileprivate func vector(setting: TestSetting, notes: [String: VectorNote]) -> VectorFile? {
    guard expected != nil, context.isExpressible else { return nil }
    var test = self
    test.id = String(Int(id) ?? 1)
    return VectorFile(
      generator: "assay diff", seed: 0, notes: Set(flags).sorted().compactMap { notes[$0] },
      groups: [TestGroup(setting: setting, cases: [test])])
  }
}
