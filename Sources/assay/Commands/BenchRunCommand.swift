import Benchmarking
import PaymentToken
import Workloads

/// `assay bench run`: measures, and says whether what must hold does.
struct BenchRunCommand: Command {
  static var definition: CommandDefinition {
    CommandDefinition(
      path: ["bench", "run"], summary: "measure decryption and its parts", operands: "[NAME-PREFIX…]",
      operandLimit: 64,
      options: [
        .value("--seconds", "N", "time for all measurements together (default: 20)"),
        .value("--seed", "N", "seed of tokens, order and intervals (default: 1)"),
        .value("--tokens", "DIR", "measure the tokens in DIR's folders instead of minted ones"),
        .flag("--gate", "exit with 1 when the fast engine allocates or is slower than it must be"),
        .json, .quiet,
      ],
      remarks: [
        "Both engines are checked on every token before anything is timed. Benchmarks are interleaved on one pinned CPU;",
        "only ratios of the same rounds and allocation counts are gated, never absolute times. A folder of DIR holds",
        "token.json, private_key.pem and certificate.pem or merchant_id.txt; such tokens are verified as of their signing",
        "time under Apple's root. Allocations are counted when libAllocationCounter.so lies beside this program.",
      ])
  }

  private let prefixes: [String]
  private let seconds: Double
  private let seed: UInt64
  private let tokenFolder: String?
  private let gate: Bool
  private let json: Bool
  private let quiet: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    prefixes = arguments.operands
    seconds = Double(try arguments.number("--seconds", in: 1...3_600) ?? 20)
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    tokenFolder = arguments.value("--tokens")
    gate = arguments.has("--gate")
    json = arguments.has("--json")
    quiet = arguments.has("--quiet")
    guard !Catalogue.names(under: prefixes).isEmpty else {
      throw UsageError("no benchmark begins with \(prefixes.joined(separator: " or ")); see assay bench list.")
    }
  }

  func run() throws(CommandError) -> ExitCode {
    AllocationPreload.restartIfPossible()
    if !quiet, case .unavailable(let reason) = AllocationCounting.state {
      Console.remark("allocations are not counted: \(reason).")
    }
    let report: BenchmarkReport
    let progress = ProgressLine(enabled: !quiet && seconds > 2)
    defer { progress.finish() }
    let tokens = try tokenSet()
    do throws(BenchmarkFailure) {
      let benchmarks = try Catalogue.make(Catalogue.names(under: prefixes), tokens: tokens, seed: seed)
      let settings = MeasurementSettings(seconds: seconds, seed: seed)
      report = try Measurement(settings: settings) { progress.update($0.phase, remaining: $0.remaining) }
        .run(benchmarks, ratios: Catalogue.ratios)
    } catch {
      progress.finish()
      throw CommandError(.finding, "\(error.reason).")
    }
    progress.finish()
    let environment = MachineDescription.environment(
      seed: seed, tokens: tokenFolder == nil ? "minted" : "given", commit: SourceCommit.current)
    try Console.answer(
      json ? report.json(environment: environment).text + "\n" : BenchmarkText.text(report, environment: environment))
    return gate ? try judge(report) : .success
  }

  private func tokenSet() throws(CommandError) -> TokenSet {
    if let tokenFolder { return try TokenFolder.load(tokenFolder, quiet: quiet) }
    do {
      return try TokenSet.minted(seed: seed)
    } catch {
      throw CommandError(.internalError, "\(error.reason).")
    }
  }

  private func judge(_ report: BenchmarkReport) throws(CommandError) -> ExitCode {
    guard let findings = SpeedGate.findings(in: report) else {
      throw CommandError(
        .noAnswer, "the gate needs both engines, the crypto parts and counted allocations: measure all of them.")
    }
    for finding in findings { Console.remark(finding) }
    return findings.isEmpty ? .success : .finding
  }
}
