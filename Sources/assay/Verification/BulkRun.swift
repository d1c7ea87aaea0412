import BulkDecryption
import CMachine
import Descriptions
import HostIO
import PaymentToken
import Reports

/// Many requests, each line of a file or each file of a folder, and the options for them.
struct BulkRun {
  static let definitions: [OptionDefinition] = [
    .flag("--lines", "read a request from each line (JSON Lines), and write a result on each line"),
    .value("--columns", "NAME,NAME", "columns of --output csv, by the names of the JSON document, or pan-last4"),
    .value("--jobs", "N", "threads for many requests (default: one for each CPU)"),
  ]

  static let csv = "csv"

  /// Whether each line of the input is a request. If not, each file of a folder is.
  let readsLines: Bool
  private let columns: [ResultColumn]?
  private let jobs: Int
  private let isCSV: Bool
  private let output: String?
  /// A given option that is valid for many requests only; nil if there is none.
  private let option: String?

  init(_ arguments: ParsedArguments) throws(CommandError) {
    readsLines = arguments.has("--lines")
    isCSV = arguments.value("--output") == Self.csv
    jobs = try arguments.number("--jobs", in: 1...1_024) ?? max(1, Int(assay_allowed_cpu_count()))
    columns = try arguments.value("--columns").map { text throws(CommandError) in try Self.columns(text) }
    option = isCSV ? "--output csv" : ["--columns", "--jobs"].first { arguments.has($0) }
    if columns != nil, !isCSV { throw .usage("--columns needs --output csv.") }
    output = arguments.value("--output")
  }

  private static func columns(_ text: String) throws(CommandError) -> [ResultColumn] {
    var columns: [ResultColumn] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let column = ResultColumn(rawValue: name) else {
        let all = ResultColumn.allCases.map(\.rawValue)
        throw .usage(
          "--columns has no column \(PastedText.shown(name))\(Suggestion.ending(for: name, among: all)) "
            + "The columns are \(all.joined(separator: ", ")).")
      }
      columns.append(column)
    }
    return columns
  }

  /// Refuses options that are not valid for many requests, or for one.
  func check(isBulk: Bool) throws(CommandError) {
    if isBulk, let output, output != "json", !isCSV {
      throw .usage("of many requests --output is json or csv, not \(output).")
    }
    if !isBulk, let option {
      throw CommandError(.usage, "\(option) is for many requests: give --lines, or a folder.")
    }
  }

  func run(
    _ input: String, by verifier: Verifier, reveal: Bool, _ options: OutputOptions
  ) throws(CommandError) -> ExitCode {
    guard let stop = StopSignal() else { throw CommandError(.noAnswer, "there are too many open files.") }
    if let remark = verifier.remark { options.remark(remark) }
    if input == "-", Console.inputIsTerminal {
      Console.remark("reading standard input: a request on each line, then Ctrl-D.")
    }
    let source: any RequestSource =
      readsLines ? try LineSource(input, stop: stop) : try FolderSource(input, stop: stop)
    ProcessSetup.raiseOnInterrupt(stop)
    let form: ResultForm = isCSV ? .csv(columns ?? [readsLines ? .line : .file] + ResultColumn.defaults) : .json
    let run = BulkDecryption(
      verifier.decider, isArchival: verifier.isArchival, clock: verifier.clock,
      makeWriter: {
        ResultWriter(engine: verifier.engine.name, form: form, reveal: reveal, keyFile: verifier.keyFile)
      })
    // On a terminal the results themselves show the progress.
    let progress = ProgressLine(enabled: !options.quiet && !Console.answerIsTerminal, after: 2)
    let (summary, failure) = try run.run(
      source, jobs: ProcessSetup.affordableThreads(jobs), stop: stop, header: form.header, progress: progress)
    let isInterrupted = failure == nil && stop.isRaised
    options.remark((isInterrupted ? "interrupted after " : "") + summary.report(for: source))
    if let failure { throw failure }
    return isInterrupted ? .interrupted : summary.exitCode
  }
}

extension Verifier {
  fileprivate var decider: BulkDecryption.Decider {
    if let engine = batchEngine { return .batches(engine, policy) }
    return .singly { outcome(of: $0, at: $1) }
  }
}
