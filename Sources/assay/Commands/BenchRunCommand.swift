import Benchmarking
import FastDecryption
import HostIO
import PaymentToken
import Reports
import Workloads

enum BenchRunCommand: Command {
  private static let reportForms = ["github-benchmark=FILE", "csv=FILE"]

  static let definition = CommandDefinition(
    path: ["bench", "run"], summary: "measure decryption and its parts", operands: "[NAME…]", operandLimit: 64,
    operandWords: Catalogue.names,
    options: MeasurementOptions.definitions + [
      .flag("--gate", "exit with 1 if a threshold is not met, with 2 if one could not be checked"),
      ThresholdFile.option, .report(also: reportForms), .json, .quiet,
    ],
    remarks: [
      "NAME is the beginning of a name, a pattern with *, or '=NAME' for exactly one (default: all). Both engines are",
      "checked on every token before anything is timed. Benchmarks are interleaved on one pinned CPU. --gate checks",
      "allocation counts and ratios within the same rounds, never absolute times; a violation is measured again before it",
      "counts, and after three times --seconds (at least 30 s) the gate says what it could not decide. Each subfolder of",
      "--tokens contains a genuine token in token.json, private_key.pem and certificate.pem or merchant_id.txt; these tokens",
      "are verified as of their signing time under Apple's root. Externals get minted tokens and test keys. One that fails",
      "is dropped with the reason, and the rest is measured; the exit code is 2 if all are. Allocations are counted if",
      "libAllocationCounter.so is in the folder of this program. Docs/Measuring.md explains each figure.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let options = try MeasurementOptions(arguments, patterns: arguments.operands)
    let reports = try ReportRequest.all(in: arguments, also: reportForms)
    // Read before measuring, so that an unreadable file is reported at once.
    guard arguments.has("--gate") || !arguments.has("--thresholds") else { throw .usage("--thresholds needs --gate.") }
    let limits = arguments.has("--gate") ? try ThresholdFile.read(arguments.value("--thresholds")) : nil
    let report = try options.measure(output, skipsSlowPreparation: limits == nil, checking: limits)
    let measured = report.measured
    try output.answer(measured.json, BenchmarkText.text(measured))
    measured.warnings.forEach(output.remark)
    for finding in (report.findings ?? []) + report.undecided.map({ "not decided: \($0)" }) { Console.remark(finding) }
    if let limits {
      for threshold in limits.all where !threshold.applies(to: P256Kernel.preferred.rawValue) {
        let kernels = threshold.kernels.joined(separator: ", ")
        output.remark("does not apply to \(P256Kernel.preferred.rawValue): \(threshold.name) (for \(kernels)).")
      }
    }
    for request in reports {
      try request.write(report) { () throws(CommandError) in
        report.page
      } form: { name in
        name == "csv" ? DashboardReport.csv(measured) : DashboardReport.githubBenchmark(measured)
      }
    }
    guard report.findings?.isEmpty ?? true else { return .finding }
    guard report.undecided.isEmpty else { return .noAnswer }
    let externals = measured.externals
    return !externals.isEmpty && externals.allSatisfy { $0.standing == .dropped } ? .noAnswer : .success
  }
}
