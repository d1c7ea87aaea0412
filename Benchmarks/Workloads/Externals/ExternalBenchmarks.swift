import Benchmarking
import Differential
import Reports

/// External programs, measured like the engines with the same tokens: one at a time, and with several in flight.
package struct ExternalBenchmarks {
  /// The overhead of the protocol: a program that answers without decrypting.
  package static let echo = "external/echo"

  package private(set) var benchmarks: [Benchmark] = []
  package private(set) var ratios: [RatioDefinition] = []
  private var programs: [MeasuredProgram] = []
  private let seed: UInt64
  private let inFlight: Int

  /// A slice has this many times the requests in flight, so that filling the pipeline matters little.
  private static let sliceOfPipelines = 4

  /// Starts the programs, checks their answers and warms them up. What a program does wrong is in its result.
  ///
  /// - Parameters:
  ///   - inFlight: requests in flight when pipelined; 1 measures one at a time only.
  ///   - seconds: the time for all measurements, which bounds the warm-up.
  ///   - path: the path of this program, which measures the overhead of the protocol; nil if unknown.
  ///   - progress: called with the command line of the program that is checked.
  /// - Throws: `BenchmarkFailure` if the tokens cannot be minted, the path is unknown or the echo fails.
  package init(
    _ externals: [ExternalProgram], seed: UInt64, inFlight: Int, seconds: Double, path: String?,
    progress: (String) -> Void = { _ in }
  ) throws(BenchmarkFailure) {
    self.seed = seed
    self.inFlight = inFlight
    guard !externals.isEmpty else { return }
    let set = try TokenSet.minted(seed: seed)
    guard let path, let setting = set.setting else { throw BenchmarkFailure("the path of this program is unknown") }
    let echo = ExternalContender(ExternalProgram(command: "exec \(ShellWord.quoted(path)) bench echo"), failureLimit: 1)
    echo.begin(setting, windowSeconds: 300)
    benchmarks.append(try Self.echoBenchmark(echo, set))
    for external in externals {
      progress(external.command)
      let program = MeasuredProgram(
        external, set, setting, besides: programs.map(\.word), inFlight: inFlight, seconds: seconds)
      programs.append(program)
      if program.reasonToDrop == nil { add(program) }
    }
  }

  /// What became of each program, with its figures, after the measurement. Ends the programs.
  package func results(in report: BenchmarkReport) -> [ExternalResult] {
    programs.map { program in
      defer { program.end() }
      return result(of: program, report.results)
    }
  }

  // MARK: Benchmarks

  private mutating func add(_ program: MeasuredProgram) {
    benchmarks.append(Self.benchmark(program.roundTrip, program, program.tokens()))
    if inFlight > 1, program.reasonNotToPipeline == nil {
      benchmarks.append(Self.benchmark(program.pipelined(inFlight), program, program.tokens(), inFlight: inFlight))
    }
    if program.check.answersNonsense {
      benchmarks.append(Self.benchmark(program.protocolCost, program, program.nonsense()))
    }
    // A program that accepts forgeries does less work, so its times are not compared.
    guard !program.check.acceptsForgery else { return }
    let fast = "decrypt/fast/ec_v1"
    ratios += [
      .time("\(program.word) over fast", program.roundTrip, over: [fast]),
      RatioDefinition(
        name: "\(program.word) less the protocol over fast", measure: .time, numerator: program.roundTrip,
        denominator: [fast], subtracted: [program.protocolCost]),
    ]
  }

  private static func benchmark(
    _ name: String, _ program: MeasuredProgram, _ rotation: Rotation, inFlight: Int = 1
  ) -> Benchmark {
    Benchmark(
      name: name, sliceNanoseconds: 1, multiple: inFlight > 1 ? sliceOfPipelines * inFlight : 1, program: program.word
    ) { count throws(BenchmarkFailure) in
      try program.ask(count, of: rotation, inFlight: inFlight)
    }
  }

  private static func echoBenchmark(
    _ echo: ExternalContender, _ set: TokenSet
  ) throws(BenchmarkFailure) -> Benchmark {
    let tests = set.entries.enumerated().map { index, entry in
      PreparedTest(ExternalCheck.testCase(entry.token, set), id: "token \(index)")
    }
    let rotation = Rotation(tests) { decision, _ in decision == .declined }
    let run = { (count: Int) throws(BenchmarkFailure) in
      let (tests, first) = rotation.next(count)
      for (offset, decision) in echo.decide(tests, inFlight: 1).enumerated() {
        guard rotation.isRight(decision, first + offset) else {
          throw BenchmarkFailure(Text.harmless("\(echo.name) answers: \(decision)"))
        }
      }
    }
    try run(1)
    return Benchmark(name: Self.echo, sliceNanoseconds: 1, run: run)
  }

  // MARK: Results

  private func result(of program: MeasuredProgram, _ results: [BenchmarkResult]) -> ExternalResult {
    let check = program.check
    func measured(_ name: String) -> String? { results.contains { $0.name == name } ? name : nil }
    let remarks = program.reasonToDrop.map { [$0] } ?? check.remarks + [program.reasonNotToPipeline].compactMap { $0 }
    var result = ExternalResult(
      command: Text.harmless(program.contender.program.command), word: program.word, standing: standing(of: program),
      remarks: remarks.map(Text.harmless))
    result.allTokens = check.usable.isEmpty ? 0 : check.tokenCount
    result.tokens = check.usable.count
    result.startNanoseconds = program.startNanoseconds
    result.warmUp = program.warmUp
    guard program.reasonToDrop == nil else { return result }
    result.roundTrip = measured(program.roundTrip)
    result.pipelined = measured(program.pipelined(inFlight))
    result.protocolCost = measured(program.protocolCost)
    result.memory = program.memoryNow
    result.subtractProtocol(in: results, seed: seed)
    return result
  }

  private func standing(of program: MeasuredProgram) -> ExternalResult.Standing {
    if program.reasonToDrop != nil { return .dropped }
    if program.check.acceptsForgery { return .unverified }
    return program.check.remarks.isEmpty ? .measured : .degraded
  }
}
