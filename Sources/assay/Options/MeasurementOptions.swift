import Benchmarking
import CExternals
import Differential
import FastDecryption
import HostIO
import Reports
import Workloads

/// The options of `bench run` and of measurements for `bench compare`: what to measure, and how long.
struct MeasurementOptions {
  static let definitions: [OptionDefinition] = [
    .value("--seconds", "N", "seconds for everything: preparation, warm-up and measurements (default: 40)"),
    .value("--seed", "N", "seed of tokens, order and intervals (default: 1)"),
    .value("--tokens", "DIR", "measure the tokens in the subfolders of DIR instead of minted ones"),
    .value("--kernel", "NAME", repeatable: true, "kernel for P-256 or for text to measure with (see assay env)"),
    .value("--external", "CMD", repeatable: true, "program that speaks the line protocol, measured like the engines"),
    .value("--pipeline", "N", "requests in flight when an external is measured pipelined, or 1 (default: 8)"),
    ExternalOptions.timeout, ExternalOptions.memory,
  ]

  let patterns: [String]
  let seed: UInt64
  private let seconds: Double
  private let tokenFolder: String?
  private let externals: [ExternalProgram]
  private let inFlight: Int

  init(_ arguments: ParsedArguments, patterns: [String]) throws(CommandError) {
    // Choose the kernels before anything uses one.
    for name in arguments.values("--kernel") { try KernelChoice.force(name) }
    self.patterns = patterns
    seconds = try arguments.seconds("--seconds") ?? 40
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    tokenFolder = arguments.value("--tokens")
    externals = try ExternalOptions.programs(arguments)
    inFlight = try arguments.number("--pipeline", in: 1...256) ?? 8
    for pattern in patterns where pattern.isEmpty || Catalogue.names(under: [pattern]).isEmpty {
      // Suggest the most similar beginning of a name, because most patterns are beginnings.
      let known = Catalogue.names.flatMap { name in
        let parts = name.split(separator: "/")
        return parts.indices.map { parts[...$0].joined(separator: "/") }
      }
      let ending = Suggestion.ending(for: pattern, among: known)
      throw .usage(
        pattern.isEmpty
          ? "the name of a benchmark is empty." : "no benchmark begins with \(PastedText.shown(pattern))\(ending)",
        see: "assay bench list")
    }
  }

  /// Checks the answers, measures, and describes the environment.
  ///
  /// - Parameters:
  ///   - skipsSlowPreparation: whether default benchmarks whose preparation does not fit into `seconds` are left out.
  ///   - limits: the thresholds to check; the measurement then has a deadline.
  func measure(
    _ output: OutputOptions, skipsSlowPreparation: Bool = false, checking limits: Thresholds? = nil
  ) throws(CommandError) -> MeasurementReport {
    // Restart with the allocation counter preloaded, unless it is already.
    AllocationPreload.restartIfPossible()
    let start = MonotonicClock.nanoseconds
    let all = Catalogue.names(under: patterns)
    let names = skipsSlowPreparation && patterns.isEmpty ? Catalogue.defaultNames(within: seconds) : all
    let most = limits.map { _ in max(Self.minimumDeadline, seconds * Self.maximumTimeFactor) }
    announce(names, of: all, most: most, output)
    // Kill externals when a signal ends this process; a first interrupt is handled by `endIfInterrupted`.
    if !externals.isEmpty { assay_external_end_on_signals() }
    if case .unavailable(let reason) = AllocationCounting.state {
      output.remark("allocations are not counted: \(reason).")
    }
    let progress = ProgressLine(enabled: !output.quiet && seconds > 2)
    defer { progress.finish() }
    let tokens = try tokenSet(output)
    let measurable = try measurable(names, with: tokens, output)
    var settings = MeasurementSettings(seconds: seconds, start: start, seed: seed)
    settings.deadline = most.map { start + UInt64($0 * 1e9) }
    do throws(BenchmarkFailure) {
      let (measured, outcome) = try measure(measurable, tokens, limits, settings, progress)
      var report = measured
      report.environment = MachineDescription.environment(
        seed: seed, tokens: tokenFolder == nil ? "minted" : "given", commit: SourceCommit.current)
      return MeasurementReport(
        report, findings: limits.map { _ in outcome.findings }, undecided: limits == nil ? [] : outcome.undecided)
    } catch {
      throw CommandError(error.lacksResources ? .noAnswer : .finding, "\(error.reason).")
    }
  }

  /// With thresholds, measuring ends after three times the planned time, but not before 30 s, because a busy machine
  /// may need longer.
  private static let maximumTimeFactor = 3.0
  private static let minimumDeadline = 30.0

  /// Announces how long the measurement takes, and which benchmarks are left out for lack of time.
  private func announce(_ names: [String], of all: [String], most: Double?, _ output: OutputOptions) {
    let longer =
      most.map { "; on a busy machine in \($0.fixed(0)) s at most" }
      ?? (Catalogue.mayTakeLonger(names, than: seconds) ? "; preparing and checking them may take longer" : "")
    let time = seconds.fixed(seconds == seconds.rounded() ? 0 : 1)
    output.remark(
      "measures \(Text.counted(names.count + externals.count, "benchmark")) in about \(time) s\(longer).")
    let missing = Set(all).subtracting(names)
    guard !missing.isEmpty else { return }
    let groups = Set(missing.map { $0.prefix { $0 != "/" } }).sorted().joined(separator: ", ")
    output.remark(
      "leaves out \(missing.count) benchmarks (\(groups)), which take longer to prepare: name them, or give --seconds 40."
    )
  }

  /// Leaves out the benchmarks of replay stores if the tokens are verified at their signing time, and names them in a
  /// remark.
  ///
  /// - Throws: `CommandError` if none is left.
  private func measurable(
    _ names: [String], with tokens: TokenSet, _ output: OutputOptions
  ) throws(CommandError) -> [String] {
    let measurable = Catalogue.names(names, measurableWith: tokens)
    let missing = names.filter { !measurable.contains($0) }
    guard !missing.isEmpty else { return names }
    let reason = "a replay store is not asked about tokens that are verified at their signing time"
    guard !measurable.isEmpty else { throw CommandError(.noAnswer, "\(reason): measure without --tokens.") }
    output.remark("leaves out \(missing.joined(separator: ", ")): \(reason).")
    return measurable
  }

  private func measure(
    _ names: [String], _ tokens: TokenSet, _ limits: Thresholds?, _ settings: MeasurementSettings,
    _ progress: ProgressLine
  ) throws(BenchmarkFailure) -> (BenchmarkReport, GateOutcome) {
    let external = try ExternalBenchmarks(
      externals, seed: seed, inFlight: inFlight, seconds: seconds,
      path: externals.isEmpty ? nil : Environment.programPath()
    ) {
      progress.update("checking and warming up \(Text.harmless($0))", remaining: seconds)
    }
    // Preparation may take half of the time until the deadline: measuring needs the other half. Benchmarks that are not
    // prepared by then are not measured.
    let preparationEnd = settings.deadline.map { $0 - ($0 - (settings.start ?? 0)) / 2 } ?? .max
    var unprepared: [String] = []
    let benchmarks = try Catalogue.make(
      names, tokens: tokens, seed: seed
    ) { name, index in
      Self.endIfInterrupted()
      progress.show("preparing \(name)", fraction: Double(index) / Double(names.count))
      guard MonotonicClock.nanoseconds >= preparationEnd else { return true }
      unprepared.append(name)
      return false
    }
    let measurement = Measurement(settings: settings) { phase, remaining in
      Self.endIfInterrupted()
      progress.update(phase, remaining: remaining)
    }
    let (report, outcome) = try measurement.run(
      benchmarks + external.benchmarks, ratios: Catalogue.ratios + external.ratios,
      checking: limits ?? Thresholds([]), kernel: P256Kernel.preferred.rawValue, unprepared: unprepared)
    return (report.adding(external.results(in: report)), outcome)
  }

  /// Ends the process after an interrupt. The handler for externals only records the first one, so that `diff` can
  /// still report; a partial measurement is useless, so this raises a second one, which ends the process.
  private static func endIfInterrupted() {
    if assay_external_was_interrupted() != 0 { raise(SIGINT) }
  }

  private func tokenSet(_ output: OutputOptions) throws(CommandError) -> TokenSet {
    if let tokenFolder { return try TokenFolder.load(tokenFolder, quiet: output.quiet) }
    do {
      return try TokenSet.minted(seed: seed)
    } catch {
      throw CommandError(.internalError, "\(error.reason).")
    }
  }
}

enum ThresholdFile {
  static let path = "Benchmarks/Thresholds.json"

  static let option = OptionDefinition.value("--thresholds", "FILE", "file of thresholds (default: \(path))")

  static func read(_ named: String?) throws(CommandError) -> Thresholds {
    let path = named ?? Self.path
    let bytes = try FileReader.wholeFile(path)
    do throws(BenchmarkFailure) {
      return try Thresholds(parsing: bytes)
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(path)): \(error.reason).")
    }
  }

  /// Reads like `read`, but returns no limits if no file is named and the default file does not exist.
  static func readIfPresent(_ named: String?) throws(CommandError) -> Thresholds {
    named == nil && !FileWriter.exists(path) ? Thresholds([]) : try read(named)
  }
}
