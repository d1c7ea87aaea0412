import Benchmarking
import FastDecryption
import HostIO
import PaymentToken
import Reports
import Workloads

struct BenchRunCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "run"], summary: "measure decryption and its parts", operands: "[NAME…]", operandLimit: 64,
    operandWords: Catalogue.names,
    options: MeasurementOptions.definitions + [
      .flag("--gate", "exit with 1 if a threshold is not met"), ThresholdFile.option,
      BaselineFolder.option, .report, .json, .quiet,
    ],
    remarks: [
      "NAME is the beginning of a name, or a pattern with * (default: all but sweeps). Both engines are checked on every",
      "token before anything is timed. Benchmarks are interleaved on one pinned CPU. --gate checks allocation counts and",
      "ratios within the same rounds, never absolute times. Genuine tokens are measured as well if ASSAY_REAL_TOKENS names",
      "their folder. Each subfolder of --tokens contains token.json, private_key.pem and certificate.pem or",
      "merchant_id.txt; these tokens are verified as of their signing time under Apple's root. Externals get minted tokens",
      "and test keys. One that fails is dropped with the reason, and the rest is measured; the exit code is 2 if all are.",
      "Allocations are counted if libAllocationCounter.so is in the folder of this program. Docs/Measuring.md explains each",
      "figure.",
    ])

  private let options: MeasurementOptions
  private let gate: Bool
  private let thresholds: String?
  private let baselines: BaselineFolder
  private let reports: [ReportRequest]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    options = try MeasurementOptions(arguments, patterns: arguments.operands)
    gate = arguments.has("--gate")
    thresholds = arguments.value("--thresholds")
    baselines = BaselineFolder(arguments.value("--folder"))
    reports = try ReportRequest.all(in: arguments)
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    // Read before measuring, so that an unreadable file is reported at once.
    let limits = gate ? try ThresholdFile.read(thresholds) : nil
    let saved = try options.measure(output, leavesOut: !gate)
    let findings = try limits.map { (limits) throws(CommandError) in try check(saved.report, by: limits) }
    let report = MeasurementReport(saved: saved, findings: findings)
    try output.answer(
      saved.report.json(environment: saved.environment),
      BenchmarkText.text(saved.report, environment: saved.environment))
    saved.report.warnings.forEach(output.remark)
    for finding in findings ?? [] { Console.remark(finding) }
    if let limits {
      for threshold in limits.all where !threshold.applies(to: P256Kernel.preferred.rawValue) {
        let kernels = threshold.kernels.joined(separator: ", ")
        output.remark("does not apply to \(P256Kernel.preferred.rawValue): \(threshold.name) (for \(kernels)).")
      }
    }
    for request in reports {
      try request.write(report) { () throws(CommandError) in BenchmarkPage(report, history: try history()).document }
    }
    guard findings?.isEmpty ?? true else { return .finding }
    let externals = saved.report.externals
    return !externals.isEmpty && externals.allSatisfy { $0.standing == .dropped } ? .noAnswer : .success
  }

  private func check(_ report: BenchmarkReport, by limits: Thresholds) throws(CommandError) -> [String] {
    do throws(BenchmarkFailure) {
      return try limits.findings(in: report, kernel: P256Kernel.preferred.rawValue)
    } catch {
      throw CommandError(.noAnswer, "the thresholds could not be checked: \(error.reason).")
    }
  }

  private func history() throws(CommandError) -> [(name: String, report: SavedReport)] {
    var history: [(name: String, report: SavedReport)] = []
    for name in try baselines.names() { history.append((name, try baselines.load(name))) }
    return history
  }
}
