import Corpus
import HostIO
import PaymentToken
import Reports

/// What is to be decided: read from vectors, corpora and files, or minted.
package struct TrialSources {
  package private(set) var groups: [TrialGroup] = []
  /// What flags stand for.
  package private(set) var notes: [String: VectorNote] = [:]
  /// For people: where trials came from, and how many.
  package private(set) var origins: [String] = []
  /// The only ones that are wanted, by number or name; empty for all.
  private let tests: Set<String>
  private let given: GivenInputs
  /// How many files of the path at hand are requests, not vectors.
  private var requests = 0

  /// Reads and mints.
  ///
  /// - Parameters:
  ///   - paths: corpora, files of vectors, folders of requests and requests.
  ///   - given: how requests alone are decided.
  ///   - tests: numbers or names; all when empty.
  ///   - mint: how many trials to mint, of the seed.
  /// - Throws: `CommandError` for what cannot be read, and when nothing is left to decide.
  package init(
    _ paths: [String], given: GivenInputs, tests: Set<String>, mint: Int, seed: UInt64
  ) throws(CommandError) {
    self.tests = tests
    self.given = given
    for path in paths { try add(path) }
    if mint > 0 {
      let minted = try MintedTrials.make(mint, seed: seed)
      origins.append("\(mint) minted, seed \(seed)")
      add(minted)
    }
    guard !groups.isEmpty else { throw CommandError(.noAnswer, "there is nothing to decide: no test was found.") }
  }

  private mutating func add(_ path: String) throws(CommandError) {
    let before = groups.reduce(0) { $0 + $1.trials.count }
    requests = 0
    if FolderWalk.isFolder(path) {
      for file in try Self.files(of: path) { try add(file: file) }
    } else {
      try add(file: path)
    }
    let count = groups.reduce(0) { $0 + $1.trials.count } - before
    origins.append("\(count) of \(path)" + (requests > 0 ? ", \(requests) of them requests alone" : ""))
  }

  /// A corpus has files that are no inputs; any other folder holds inputs alone, but for a schema.
  private static func files(of path: String) throws(CommandError) -> [String] {
    guard FolderWalk.isFolder("\(path)/vectors") else {
      return try FolderWalk.files(below: path).filter { !$0.hasSuffix("/schema.json") }
    }
    return try CorpusFolder(path: path).paths([.vectors, .regressions, .seeds]).map { "\(path)/\($0)" }
  }

  private mutating func add(file path: String) throws(CommandError) {
    let bytes = try FileReader.read(path, limit: Self.fileLimit + 1)
    guard bytes.count <= Self.fileLimit else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is larger than any file of vectors.")
    }
    guard Self.looksLikeVectors(bytes) || Self.mustBeVectors(path) else {
      requests += 1
      if tests.isEmpty { add([given.group(of: bytes, path: path)]) }
      return
    }
    do {
      let file = try VectorReader.read(bytes)
      for note in file.notes { notes[note.flag] = note }
      add(file.groups.map { Self.group($0, source: path) })
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(path)): \(error.path) \(error.reason).")
    }
  }

  /// Groups of one setting are joined, so that no program is started needlessly.
  private mutating func add(_ more: [TrialGroup]) {
    for group in more {
      let trials = tests.isEmpty ? group.trials : group.trials.filter { isWanted($0) }
      if trials.isEmpty { continue }
      if let index = places[group.setting] {
        groups[index] = TrialGroup(setting: group.setting, trials: groups[index].trials + trials)
      } else {
        places[group.setting] = groups.count
        groups.append(TrialGroup(setting: group.setting, trials: trials))
      }
    }
  }

  private var places: [TrialSetting: Int] = [:]

  private func isWanted(_ trial: Trial) -> Bool {
    tests.contains(trial.id) || tests.contains(trial.name)
  }

  private static let fileLimit = 256 << 20

  /// Whether the schema's name stands in it, wherever and however its solidus is written.
  private static func looksLikeVectors(_ bytes: [UInt8]) -> Bool {
    let mark = Array("\"assay.vectors".utf8)
    return bytes.indices.contains { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
  }

  /// Whether a file lies where a corpus has vectors.
  private static func mustBeVectors(_ path: String) -> Bool {
    let folders = path.split(separator: "/").dropLast()
    return folders.contains("Corpus") && folders.contains { $0 == "vectors" || $0 == "regressions" }
  }

  private static func group(_ group: VectorGroup, source: String) -> TrialGroup {
    TrialGroup(
      setting: TrialSetting(
        keys: group.keys, rootsPem: group.rootsPem, windowSeconds: group.windowSeconds,
        hasTestKeys: TestKeys.areWorthless(group.keys, under: group.rootsPem)),
      trials: group.tests.map { test in
        let expected: Trial.Expectation =
          switch test.verdict {
          case .accept(let plaintext): .accept(plaintext: plaintext)
          case .reject(let fault): .reject(fault)
          }
        return Trial(
          id: String(test.id), name: test.name ?? "", source: source, comment: test.comment, flags: test.flags,
          clauses: test.clauses, at: group.at, policy: group.policy, prelude: test.prelude, token: test.token,
          expected: expected)
      })
  }
}
