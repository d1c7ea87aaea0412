import Corpus
import Differential
import HostIO
import Minting
import PaymentToken
import Reports

/// Findings on disk, each in a folder of its own: the token, its circumstances, and the commands that replay it.
struct FindingFolder {
  let path: String
  let options: DiffOptions
  /// What flags stand for.
  let notes: [String: VectorNote]
  /// Of a run with so many findings the first are made smaller: each takes seconds.
  private var shrinksLeft = 20
  /// Of findings that look alike one is made smaller.
  private var shrunk: Set<[String]> = []
  private var number = 0
  /// The first thing that could not be written.
  private(set) var failure: CommandError?

  /// - Throws: `CommandError` when there can be no such folder.
  init(path: String, options: DiffOptions, notes: [String: VectorNote]) throws(CommandError) {
    self.path = path
    self.options = options
    self.notes = notes
    try FileWriter.makeFolder(path)
  }

  /// Writes a finding; what goes wrong is kept, and what was found goes on.
  mutating func add(_ finding: Finding, in run: TrialRun, contender: String) {
    do {
      try write(finding, in: run, contender: contender)
    } catch {
      if failure == nil { failure = error }
    }
  }

  private mutating func write(_ finding: Finding, in run: TrialRun, contender: String) throws(CommandError) {
    let folder = try nextFolder(finding.kind)
    var smaller: Trial?
    let likeness = [contender, finding.kind.rawValue, finding.trial.expected?.description ?? ""]
    if shrinksLeft > 0, shrunk.insert(likeness).inserted {
      shrinksLeft -= 1
      smaller = run.shrink(finding)
    }
    try put(finding.trial.token, "token", folder)
    if let smaller { try put(smaller.token, "token-smaller", folder) }
    var commands: [String]
    if finding.setting.hasTestKeys {
      commands = try replayable(finding, smaller, folder)
    } else {
      // Real keys are not copied: the command names the files they came from.
      commands = [replay(finding.trial.source, of: finding, folder: nil)]
    }
    if commands.isEmpty { commands = ["(the token alone: no vector can say what is expected)"] }
    try put(Array(text(finding, contender: contender, smaller: smaller, commands).utf8), "README.txt", folder)
  }

  /// The next number behind those that are there. Two runs at once may have the same number, but never the same folder.
  private mutating func nextFolder(_ kind: Judgement.Kind) throws(CommandError) -> String {
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
  private func replayable(_ finding: Finding, _ smaller: Trial?, _ folder: String) throws(CommandError) -> [String] {
    var commands: [String] = []
    for (trial, file) in [(finding.trial, "vector.json"), (smaller, "vector-smaller.json")] {
      guard let trial, let vector = trial.vector(setting: finding.setting, notes: notes) else { continue }
      try put(VectorWriter.write(vector), file, folder)
      commands.append(replay("\(folder)/\(file)", of: finding, folder: folder))
    }
    if let command = try decryptCommand(finding, folder) { commands.append(command) }
    return commands
  }

  private func replay(_ file: String, of finding: Finding, folder: String?) -> String {
    var words = ["assay", "diff", file]
    for program in options.externals { words += ["--external", program.command] }
    if options.engines.count == 1 { words += ["--engine", options.engines[0].rawValue] }
    words += ["--strictness", options.strictness.rawValue]
    if folder == nil { words += options.inputWords + ["--i-trust-this-program-with-my-keys"] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// Nil for circumstances that `assay decrypt` has no options for.
  private func decryptCommand(_ finding: Finding, _ folder: String) throws(CommandError) -> String? {
    let (trial, setting) = (finding.trial, finding.setting)
    guard trial.prelude.isEmpty, !trial.policy.replay, !setting.rootsPem.isEmpty, !setting.keys.isEmpty else {
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
    words += ["--root", "\(folder)/root.pem", "--at", trial.at.rfc3339]
    words += ["--window", setting.windowSeconds.map { String($0) } ?? "off", "--envelope", trial.policy.envelope]
    if trial.policy.unsigned { words.append("--unsigned") }
    if !trial.policy.revoked.isEmpty {
      try put(Array(trial.policy.revoked.map { "\($0.hex)\n" }.joined().utf8), "revoked.txt", folder)
      words += ["--revoked", "\(folder)/revoked.txt"]
    }
    return (words + trial.policy.expect.words).map(ShellWord.quoted).joined(separator: " ")
  }

  private func text(_ finding: Finding, contender: String, smaller: Trial?, _ commands: [String]) -> String {
    let trial = finding.trial
    var lines = [
      "\(contender): \(finding.kind.title)", "test      \(trial.title) of \(trial.source)",
      "about     \(trial.comment)", "expected  \(trial.expected?.description ?? "nothing: no engine decided")",
      "answered  \(finding.decision)",
    ].map(Text.harmless)
    lines += finding.quotableLastWords.map { "stderr    \(Text.harmless($0))" }
    if let smaller { lines.append("smaller   \(trial.token.count) octets became \(smaller.token.count)") }
    return (lines + ["", "Replay it:"] + commands.map(Text.harmless)).joined(separator: "\n") + "\n"
  }

  private func put(_ bytes: [UInt8], _ name: String, _ folder: String) throws(CommandError) {
    try FileWriter.write(bytes, to: "\(folder)/\(name)", visibility: .ownerOnly, replacing: true)
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

extension Trial {
  /// The trial as a file of vectors; nil when nobody knows what is right.
  fileprivate func vector(setting: TrialSetting, notes: [String: VectorNote]) -> VectorFile? {
    let verdict: VectorVerdict
    switch expected {
    case .accept(let plaintext?): verdict = .accept(plaintext: plaintext)
    case .reject(let fault?): verdict = .reject(fault)
    default: return nil
    }
    let test = VectorTest(
      id: Int(id) ?? 1, name: name.isEmpty ? nil : name, comment: comment, flags: flags, clauses: clauses,
      prelude: prelude, token: token, verdict: verdict)
    return VectorFile(
      generator: "assay diff", seed: 0,
      notes: Set(flags).sorted().compactMap { notes[$0] },
      groups: [
        VectorGroup(
          keys: setting.keys, rootsPem: setting.rootsPem, at: at, windowSeconds: setting.windowSeconds, policy: policy,
          tests: [test])
      ])
  }
}
