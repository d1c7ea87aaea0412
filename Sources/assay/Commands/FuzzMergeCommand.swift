import CMachine
import Fuzzing
import HostIO
import Reports

enum FuzzMergeCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "merge"], summary: "copy the samples that add features into a folder", operands: "DIR…",
    operandLimit: 1_000, needs: "a folder of samples",
    options: [
      .value("--into", "DIR", "folder for the kept samples, or of a run; what it has stays").required,
      .value("--jobs", "N", "number of processes (default: one per processor)"), .json, .quiet,
    ],
    remarks: [
      "DIR are folders of runs, or of samples. Samples are executed from the smallest to the largest, so a merge into an",
      "empty folder also minimizes a corpus: it keeps the smallest sample with each feature. In a coverage build,",
      "coverage counts as well. An interrupted merge is continued by the same command. Links are not followed; what is no",
      "sample is counted. Unpack archives first.",
      "Exits with 1 if a sample crashes the engines or violates a property; it is named and not kept.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let into = arguments.required("--into")
    let jobs = try arguments.number("--jobs", in: 1...256) ?? Int(assay_allowed_cpu_count())
    var merge = try CorpusMerge(into: into, jobs: jobs, engines: FuzzEngines())
    let report = try merge.run(arguments.operands, progress: ProgressLine(enabled: !output.quiet))
    try output.answer(report.json, report.text(into: into))
    return report.hasFailures ? .finding : .success
  }
}
