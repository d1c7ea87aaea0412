import Corpus
import HostIO
import PaymentToken
import Reports
import StrictJSON
import TestCases

/// The options of a run.
package struct FuzzPlan: Sendable {
  /// What drives the mutations.
  package enum Driver: String, CaseIterable, Sendable {
    case loop, libfuzzer
  }

  package var driver = Driver.loop
  package var target = FuzzTarget.token
  /// Seconds.
  package var duration: Double
  /// How many worker processes.
  package var jobs: Int
  /// Nil when no seed was given.
  package var seed: UInt64?
  /// The time limit of one input, in seconds.
  package var timeout = 10
  /// Names of excluded mutations.
  package var without: Set<String> = []
  package var stopsAtFinding = false
  /// An external program that also decides samples.
  package var external: ExternalPlan?
  /// The folder in which the run exchanges samples with other runs.
  package var sync: SyncPlan?
  /// When the session starts, by the system's clock.
  package var started = UnixTime(secondsSinceEpoch: 0)
  /// The commit that the program was built from; empty if unknown.
  package var commit = ""

  package init(duration: Double, jobs: Int) {
    self.duration = duration
    self.jobs = jobs
  }
}

/// What can be fuzzed.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// Whole tokens and requests through both engines.
  case token
  /// The same, for gateways' requests only.
  case envelopes
  /// The fast engine's JSON scanner against the reference's reader.
  case json
  /// The fast engine's base64 against libsodium's.
  case base64
  /// The fast engine's CMS reader against the reference's.
  case cms
  /// Both engines' readers of payloads.
  case payload
  /// The lines of the protocol.
  case line
  /// Gateway data that is read and written again.
  case gateways
  /// The P-256 kernels against libcrypto.
  case kernel

  package var runsInLoop: Bool { self == .token || self == .envelopes }
}

/// The settings of a run. Each session saves them in the run's folder, and the next one reads them.
package struct FuzzSettings {
  private let plan: FuzzPlan
  package let seed: UInt64
  /// How many sessions the run has had, this one included.
  package let sessions: Int
  /// A random name of the run, by which it recognizes its own folder in a sync folder.
  let runID: String
  /// Whether any session of the run was one of a coverage build. If so, a session of another build does not prune.
  let usesCoverage: Bool

  /// The plan's settings. If the folder has saved settings, they supply the run ID, and the seed if the plan has none.
  package init(_ plan: FuzzPlan, _ folder: RunFolder) throws(CommandError) {
    self.plan = plan
    let saved = folder.exists("settings.json") ? try Self.saved(plan, folder) : nil
    // 32 bits: short enough to type.
    let fresh = saved == nil ? UInt64.random(in: 0...UInt64(UInt32.max)) : 0
    seed = plan.seed ?? saved?["seed"]?.integer() ?? fresh
    sessions = Int(saved?["sessions"]?.integer(UInt64.self) ?? 0) + 1
    runID = saved?["run_id"]?.string ?? String(UInt64.random(in: 0...UInt64.max), radix: 16)
    usesCoverage = CoverageCounters.count > 0 || saved?["coverage"] == .boolean(true)
  }

  /// Reads the saved document.
  ///
  /// - Throws: `CommandError` if it is damaged, or has another target, driver or external program than the plan.
  private static func saved(_ plan: FuzzPlan, _ folder: RunFolder) throws(CommandError) -> JSON {
    let path = Text.harmless(folder.path)
    guard let document = folder.document("settings.json"), document["schema"]?.string == Self.schema,
      let target = document["target"]?.string.flatMap(FuzzTarget.init(rawValue:)),
      let driver = document["driver"]?.string.flatMap(FuzzPlan.Driver.init(rawValue:))
    else {
      throw CommandError(
        .noAnswer,
        "\(path)/settings.json is damaged, so this run is not resumed: assay fuzz merge \(path)/corpus --into DIR saves its "
          + "samples, and --dir names another.")
    }
    let external = document["external"]?.string ?? ""
    guard external == plan.external?.program.command ?? "" else {
      throw CommandError(
        .noAnswer,
        "\(path) is a run " + (external.isEmpty ? "without an external" : "with --external \(Text.harmless(external))")
          + "; --dir names another.")
    }
    guard target == plan.target, driver == plan.driver else {
      throw CommandError(
        .noAnswer,
        "\(path) is a run of --target \(target.rawValue) --driver \(driver.rawValue); --dir names another.")
    }
    return document
  }

  private static let schema = "assay.fuzz-settings/1"

  package var document: JSON {
    [
      "schema": Self.schema, "target": plan.target.rawValue, "driver": plan.driver.rawValue,
      "external": plan.external?.program.command ?? "",
      "seed": seed, "sessions": sessions, "run_id": runID, "coverage": usesCoverage,
      "minter_seed": VectorGenerator.seed,
      "minter_time": VectorGenerator.time.rfc3339,
    ]
  }
}
