import CMachine
import Fuzzing
import Reports

/// The options of `assay fuzz run`.
struct FuzzOptions {
  enum Driver: String, CaseIterable {
    case loop, libfuzzer
  }

  static let definitions: [OptionDefinition] = [
    .choice("--driver", Driver.allCases.map(\.rawValue), "what drives the mutations (default: loop)"),
    .choice("--target", FuzzTarget.allCases.map(\.rawValue), "what is fuzzed (default: token)"),
    .value("--duration", "TIME", "how long, 30s, 90m or 8h (default: 1h)"),
    .value("--jobs", "N", "so many processes (default: one a processor)"),
    .value("--seed", "N", "seed of all choices (default: drawn, and written)"),
    .value("--dir", "DIR", "the run's folder; one that is there is gone on with (default: fuzz-run)"),
    CorpusFolder.option,
    .value("--timeout", "SECONDS", "how long one input may take (default: 10)"),
    .value("--without", "MUTATION", repeatable: true, "leave a mutation out"),
    .flag("--stop-at-finding", "end at the first finding"),
    OptionDefinition.flag("--json", "write an event a line, as JSON"), .quiet,
  ]

  let driver: Driver
  let target: FuzzTarget
  /// Seconds.
  let duration: Double
  let jobs: Int
  /// Nil when none was named.
  let seed: UInt64?
  let folder: String
  let corpus: CorpusFolder
  /// Seconds.
  let timeout: Int
  let without: Set<String>
  let stopsAtFinding: Bool
  let json: Bool
  let quiet: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    driver = arguments.value("--driver").flatMap(Driver.init(rawValue:)) ?? .loop
    target = arguments.value("--target").flatMap(FuzzTarget.init(rawValue:)) ?? .token
    duration = try Self.seconds(arguments.value("--duration") ?? "1h")
    jobs = try arguments.number("--jobs", in: 1...256) ?? Int(assay_allowed_cpu_count())
    seed = try arguments.number("--seed", in: 0...UInt64.max)
    folder = arguments.value("--dir") ?? "fuzz-run"
    corpus = CorpusFolder(arguments)
    timeout = try arguments.number("--timeout", in: 1...3_600) ?? 10
    without = Set(arguments.values("--without"))
    for name in without.sorted() where Mutation.named(name) == nil {
      throw UsageError("there is no mutation \(Text.harmless(name)).")
    }
    stopsAtFinding = arguments.has("--stop-at-finding")
    json = arguments.has("--json")
    quiet = arguments.has("--quiet")
    if driver == .loop, !target.runsInLoop {
      throw UsageError("--target \(target.rawValue) needs --driver libfuzzer: the loop fuzzes token and envelopes.")
    }
  }

  /// `30s`, `90m`, `8h`.
  static func seconds(_ text: String) throws(UsageError) -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
    guard let last = text.last, let unit = units[last], let number = UInt32(text.dropLast()), number > 0 else {
      throw UsageError("--duration is a time like 30s, 90m or 8h, not \(Text.harmless(text)).")
    }
    return Double(number) * unit
  }
}

/// What can be fuzzed.
enum FuzzTarget: String, CaseIterable {
  /// Whole tokens and requests through both engines.
  case token
  /// The same, from requests of gateways alone.
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
  /// The lanes on P-256 against libcrypto.
  case kernel

  var runsInLoop: Bool { self == .token || self == .envelopes }
}
