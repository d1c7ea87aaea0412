import Benchmarking
import Differential
import HostIO
import PaymentToken
import Reports
import TestCases

/// External programs, measured like the engines with the same tokens, one at a time.
package struct ExternalBenchmarks {
  /// The overhead of the protocol: a program that answers without decrypting.
  package static let echo = "external/echo"

  package private(set) var benchmarks: [Benchmark] = []
  package private(set) var ratios: [RatioDefinition] = []

  /// The number of warm-up tokens, limited to two seconds: virtual machines compile code that is called often.
  private static let warmUpTokens = 2_000
  private static let warmUpSeconds = 2.0

  /// Starts the programs and checks their answers.
  ///
  /// - Parameter program: the path of this program, which measures the overhead of the protocol; nil if unknown.
  /// - Throws: if a program does not answer, or answers wrongly.
  package init(commands: [String], seed: UInt64, program: String?) throws(BenchmarkFailure) {
    guard !commands.isEmpty else { return }
    let set = try TokenSet.minted(seed: seed)
    guard let program, let setting = set.setting else {
      throw BenchmarkFailure("the path of this program is unknown")
    }
    let protocolCost = Self.contender("exec \(ShellWord.quoted(program)) bench echo", setting)
    try Self.check(protocolCost, set) { $0 == .declined }
    benchmarks.append(Self.benchmark(Self.echo, protocolCost, set) { decision, _ in decision == .declined })
    for command in commands {
      let contender = Self.contender(command, setting)
      try Self.checkAnswers(of: contender, set)
      let name = Self.name(of: contender, besides: benchmarks.map(\.name))
      benchmarks.append(
        Self.benchmark(name, contender, set) { decision, entry in decision == .accepted(plaintext: entry.plaintext) })
      ratios += Self.ratios(of: name)
    }
  }

  private static func ratios(of name: String) -> [RatioDefinition] {
    let program = name.split(separator: "/")[1]
    let fast = "decrypt/fast/ec_v1"
    return [
      .time("\(program) over fast", name, over: [fast]),
      RatioDefinition(
        name: "\(program) less the protocol over fast", measure: .time, numerator: name, denominator: [fast],
        subtracted: [echo]),
    ]
  }

  private static func contender(_ command: String, _ setting: TestSetting) -> ExternalContender {
    let contender = ExternalContender(ExternalProgram(command: command), failureLimit: 1)
    contender.begin(setting, windowSeconds: 300)
    return contender
  }

  /// Its name in lower case; other characters than letters and digits become hyphens.
  private static func name(of contender: ExternalContender, besides others: [String]) -> String {
    let said = Text.harmless(contender.name).lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    var word = String(said.prefix(40))
    if word.isEmpty || ["fast", "reference"].contains(word) { word += "-external" }
    var name = "decrypt/\(word)/ec_v1"
    var number = 2
    while others.contains(name) {
      name = "decrypt/\(word)-\(number)/ec_v1"
      number += 1
    }
    return name
  }

  private static func testCase(_ token: [UInt8], _ set: TokenSet) -> TestCase {
    TestCase(id: "benchmark", source: "minted", input: TestInput(token, TestContext(now: set.now)), expected: nil)
  }

  private static func checkAnswers(of contender: ExternalContender, _ set: TokenSet) throws(BenchmarkFailure) {
    for entry in set.entries {
      let decision = contender.decide(testCase(entry.token, set))
      guard decision == .accepted(plaintext: entry.plaintext) else {
        throw failure(contender, "answers a valid token with: \(decision)")
      }
      guard let altered = entry.altered else { continue }
      guard case .rejected = contender.decide(testCase(altered, set)) else {
        throw failure(contender, "does not refuse an altered token")
      }
    }
    let start = MonotonicClock.nanoseconds
    for index in 0..<warmUpTokens {
      _ = contender.decide(testCase(set.entries[index % set.entries.count].token, set))
      if MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds) > warmUpSeconds { break }
    }
  }

  private static func check(
    _ contender: ExternalContender, _ set: TokenSet, _ isRight: (Decision) -> Bool
  ) throws(BenchmarkFailure) {
    let decision = contender.decide(testCase(set.entries[0].token, set))
    guard isRight(decision) else { throw failure(contender, "answers: \(decision)") }
  }

  private static func failure(_ contender: ExternalContender, _ text: String) -> BenchmarkFailure {
    BenchmarkFailure(Text.harmless("\(contender.name) \(text)\(contender.lastWords.last.map { "; \($0)" } ?? "")"))
  }

  private static func benchmark(
    _ name: String, _ contender: ExternalContender, _ set: TokenSet,
    _ isRight: @escaping (Decision, TokenSet.Entry) -> Bool
  ) -> Benchmark {
    let tests = set.entries.map { testCase($0.token, set) }
    var next = 0
    return Benchmark(name: name, sliceNanoseconds: 1) { count throws(BenchmarkFailure) in
      for _ in 0..<count {
        guard isRight(contender.decide(tests[next]), set.entries[next]) else {
          throw failure(contender, "gave another answer than before")
        }
        next = next + 1 == tests.count ? 0 : next + 1
      }
    }
  }
}
