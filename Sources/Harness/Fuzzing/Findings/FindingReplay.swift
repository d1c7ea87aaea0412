import Corpus
import Differential
import HostIO
import Reports
import StrictJSON
import TestCases

/// The result of running a finding again.
package struct FindingReplay {
  package let fast: String
  package let reference: String
  /// Whether the violation still occurs; nil if only an external program can tell, and none has decided, or if a
  /// history could not be played.
  package let shows: Bool?
  /// The violation in words, or that there is none, or that it could not be decided.
  package let verdict: String
  /// The decision of the external program; nil without one.
  package var external: String? { oracle?.text }
  private let oracle: OracleReplay?
  /// The violation that the engines show.
  private let found: Violation?

  /// - Parameter external: an external program that also decides.
  package init(_ finding: FindingFiles, by engines: FuzzEngines, external plan: ExternalPlan? = nil) {
    let (comparison, found, lack) = finding.replay(finding.sample, by: engines)
    self.found = found
    fast = Examiner.text(comparison.first)
    reference = Examiner.text(comparison.second)
    let oracle = plan.map { OracleReplay(finding, comparison, engines, $0) }
    self.oracle = oracle
    if let violation = found ?? oracle?.violation {
      (shows, verdict) = (true, violation.identity)
    } else if let lack {
      (shows, verdict) = (nil, "could not decide: \(lack)")
    } else if oracle?.isDecided ?? (finding.record?.severity == nil) {
      (shows, verdict) = (false, "no violation")
    } else {
      let name = finding.record?.programName ?? "the program that is to decide"
      (shows, verdict) = (
        nil, "could not decide: " + (oracle == nil ? "give \(name) by --external" : "\(name) did not")
      )
    }
  }

  /// The sample of a finding that still occurs, shrunk within a time limit.
  package func minimized(_ finding: FindingFiles, seconds: Double, by engines: FuzzEngines) -> TestInput {
    let shrinker = Shrinker(work: .max, milliseconds: Int(seconds * 1_000))
    var smaller = finding.sample
    if let found {
      guard found.kind.isShrunk else { return smaller }
      let isolated = IsolatedTriage(engines: engines, timeout: 60)
      smaller.request = shrinker.shrink(smaller.request) { request in
        let candidate = TestInput(request, smaller.context)
        if found.kind == .memory { return isolated.shows(found, candidate) }
        return finding.replay(candidate, by: engines).violation == found
      }
    } else if let oracle {
      smaller.request = oracle.shrunk(by: shrinker)
    }
    return smaller
  }

  /// The document `assay.fuzz-replay/1`.
  package var json: JSON {
    [
      "schema": "assay.fuzz-replay/1", "shows": shows, "fast": fast, "reference": reference, "external": external,
      "violation": verdict,
    ]
  }

  /// Lines for people.
  package var text: String {
    let lines = [("fast", fast), ("reference", reference)] + (external.map { [("external", $0)] } ?? [])
    return Text.pairs(lines + [("verdict", verdict)]).map(Text.harmless).joined(separator: "\n") + "\n"
  }
}

extension FindingFiles {
  /// Examines a sample in place of the finding's sample, with fresh engines. They are complete unless the violation's
  /// kind is `reuse`.
  fileprivate func replay(
    _ sample: TestInput, by engines: FuzzEngines
  ) -> (comparison: Comparison, violation: Violation?, lack: String?) {
    var examiner = Examiner(engines, .replay(reusesResults: record?.violation.kind == .reuse))
    let (comparison, violation) = examiner.replay(sample, after: before, for: record?.violation)
    return (comparison, violation, examiner.histories?.lack)
  }
}

/// A finding read from its folder, or a sample read from a file.
package struct FindingFiles {
  package let sample: TestInput
  /// The inputs that the engines must process first.
  package let before: [TestInput]
  /// What was found; nil for a sample.
  package let record: FuzzFindingSummary?

  package init(_ path: String, defaults: TestContext) throws(CommandError) {
    guard FolderWalk.isFolder(path) else {
      sample = TestInput(file: try FileReader.corpusFile(path, limit: FileReader.sampleLimit), defaults: defaults)
      before = []
      record = nil
      return
    }
    sample = TestInput(
      file: try FileReader.corpusFile("\(path)/sample", limit: FileReader.sampleLimit), defaults: defaults)
    var before: [TestInput] = []
    // In their order, which is not that of the names: there may be more than 99.
    while case let file = "\(path)/\(FuzzFindingFolder.nameOfInput(before: before.count))", FileWriter.exists(file) {
      before.append(TestInput(file: try FileReader.corpusFile(file, limit: FileReader.sampleLimit), defaults: defaults))
    }
    self.before = before
    let bytes = try FileReader.corpusFile("\(path)/finding.json")
    guard let document = try? JSON(reading: bytes.span), Violation(document: document) != nil else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is not a finding: its finding.json cannot be read.")
    }
    record = FuzzFindingSummary(id: document["id"]?.string ?? "", document)
  }
}

extension Violation {
  /// Reads the violation from `finding.json` or a message; nil if its kind is unknown.
  init?(document: JSON) {
    guard let kind = document["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
    self.init(kind, document["first"]?.string ?? "", document["second"]?.string ?? "")
  }
}

/// The summary of a finding, read from its folder.
package struct FuzzFindingSummary {
  package let id: String
  /// Whether it is in the folder `unreproducible`.
  package let isUnreproducible: Bool
  /// `finding.json`.
  private let document: JSON

  package init(id: String, _ document: JSON, isUnreproducible: Bool = false) {
    self.id = id
    self.document = document
    self.isUnreproducible = isUnreproducible
  }

  package var violation: Violation { Violation(document: document) ?? Violation(.crash, "", "") }
  var mutations: [String] { document["mutations"]?.elements?.compactMap(\.string) ?? [] }
  package var replays: Int { document["replays"]?.integer() ?? 0 }
  var bytes: Int { document["sample_bytes"]?.integer() ?? 0 }
  /// Nil for a finding about the engines.
  package var severity: Standing.Severity? { document["severity"]?.string.flatMap(Standing.Severity.init(rawValue:)) }
  /// The external program that showed it; nil for a finding about the engines. Earlier versions recorded only the
  /// severity.
  var programName: String? { severity.map { _ in document["program"]?["name"]?.string ?? "the program" } }
  /// How closely the program's decisions were compared; nil if that is not recorded.
  package var strictness: Strictness? {
    document["program"]?["strictness"]?.string.flatMap(Strictness.init(rawValue:))
  }
  /// Its folder, below that of the run.
  var path: String { FindingsFolder(isUnreproducible: isUnreproducible).path(of: id) }

  /// Findings about the engines first, then by severity.
  private var rank: Int { severity.flatMap { Standing.Severity.allCases.firstIndex(of: $0) } ?? -1 }

  /// The findings of a run, then those that are unreproducible.
  package static func all(in folder: RunFolder) throws(CommandError) -> [FuzzFindingSummary] {
    var all: [FuzzFindingSummary] = []
    for part in FindingsFolder.allCases {
      all += try folder.findings(in: part).compactMap { id in
        guard let finding = folder.document("\(part.path(of: id))/finding.json"), case .object = finding else {
          return nil
        }
        return FuzzFindingSummary(id: id, finding, isUnreproducible: part == .unreproducible)
      }
      .sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
    }
    return all
  }
}
