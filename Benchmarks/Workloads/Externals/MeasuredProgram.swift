import Benchmarking
import Differential
import HostIO
import Reports
import TestCases

/// An external program that benchmarks measure. Its answers are checked first; then it is restarted and warmed up.
///
/// If it fails from then on, it is dropped and not started again: a process that starts while benchmarks run would stay
/// on their CPU, and would not be warm.
final class MeasuredProgram {
  let contender: ExternalContender
  let check: ExternalCheck
  /// How long it took to start; nil before that.
  private(set) var startNanoseconds: Double?
  /// Its times from the first request on; nil until the warm-up has succeeded.
  private(set) var warmUp: WarmUpCurve?
  /// Why it is dropped, so that it has no figures; nil if it is not.
  private(set) var reasonToDrop: String?
  /// Why it cannot be measured with several requests in flight; nil if it can, or if none are wanted.
  private(set) var reasonNotToPipeline: String?
  private var memory: (atStart: Int?, afterWarmUp: Int?) = (nil, nil)
  private var answered = 0
  private let set: TokenSet
  /// Its name within the names of benchmarks: up to 40 characters of the name that the program gives, or of its command
  /// line if it gives none, in lower case. Hyphens replace characters other than ASCII letters and digits. A suffix
  /// keeps it apart from the engines and from other programs, or says that the program accepts forgeries.
  let word: String

  /// The number of requests after which a warm-up may end.
  private static let minimumRequests = 2_000
  /// The seconds after which a warm-up may end with fewer requests; an eighth of the whole time if that is less.
  private static let minimumSeconds = 4.0
  /// The seconds after which a warm-up ends even if the times still fall; a quarter of the whole time if that is less.
  private static let maximumSeconds = 10.0
  /// The number of lines without a token that warm up the refusal of such lines.
  private static let nonsenseRequests = 256

  /// - Parameters:
  ///   - used: the words of other programs.
  ///   - inFlight: the number of requests in flight when they are pipelined; 1 if they are not.
  ///   - seconds: the time for all measurements; the warm-up with tokens takes at most a quarter of it.
  init(
    _ program: ExternalProgram, _ set: TokenSet, _ setting: TestSetting, besides used: [String], inFlight: Int,
    seconds: Double
  ) {
    self.set = set
    contender = ExternalContender(program, failureLimit: .max)
    contender.begin(setting, windowSeconds: 300)
    check = ExternalCheck(contender, set)
    word = Self.word(contender.name, acceptsForgery: check.acceptsForgery, besides: used)
    reasonToDrop = check.reasonToDrop
    guard reasonToDrop == nil else { return }
    if inFlight > 1 { checkPipeline(inFlight) }
    guard restart() else { return }
    warm(minimum: min(Self.minimumSeconds, seconds / 8), maximum: min(Self.maximumSeconds, seconds / 4))
  }

  private static func word(_ name: String, acceptsForgery: Bool, besides used: [String]) -> String {
    let said = Text.harmless(name).lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    var word = String(said.prefix(40))
    if word.isEmpty || ["fast", "reference"].contains(word) { word += "-external" }
    // The name says it because tables and plots identify a program by its name alone.
    if acceptsForgery { word += "-unverified" }
    guard used.contains(word) else { return word }
    var number = 2
    while used.contains("\(word)-\(number)") { number += 1 }
    return "\(word)-\(number)"
  }

  var roundTrip: String { "decrypt/\(word)/ec_v1" }
  var protocolCost: String { check.answersNonsense ? "external/\(word)/protocol" : ExternalBenchmarks.echo }
  func pipelined(_ inFlight: Int) -> String { "\(roundTrip)/pipelined\(inFlight)" }

  /// Its resident memory at the start, after the warm-up and now; nil if the system does not report it.
  var memoryNow: ExternalResult.Memory? {
    memory.atStart.map {
      .init(atStart: $0, afterWarmUp: memory.afterWarmUp, atEnd: contender.residentBytes)
    }
  }

  /// Requests with the tokens that it decrypts, in rotation.
  func tokens() -> Rotation {
    let plaintexts = check.usable.map { check.givesPlaintext ? set.entries[$0].plaintext : nil }
    let tests = check.usable.map {
      PreparedTest(ExternalCheck.testCase(set.entries[$0].token, set), id: "token \($0)")
    }
    // If the program does not return plaintexts for all tokens, any acceptance is right.
    return Rotation(tests) { [givesPlaintext = check.givesPlaintext] decision, index in
      guard case .accepted(let plaintext, _) = decision else { return false }
      return !givesPlaintext || plaintext == plaintexts[index]
    }
  }

  /// Requests of the same sizes that contain no token, in rotation. Any answer is right.
  func nonsense() -> Rotation {
    let tests = check.usable.map {
      let request = ExternalCheck.nonsense(like: set.entries[$0].token)
      return PreparedTest(ExternalCheck.testCase(request, set), id: "nonsense \($0)")
    }
    return Rotation(tests) { decision, _ in
      switch decision {
      case .failed, .notAsked: false
      default: true
      }
    }
  }

  /// Asks for the next `count` tests of a rotation, with at most `inFlight` unanswered.
  ///
  /// - Throws: `BenchmarkFailure` if an answer is wrong or missing. The program is then dropped, and every later call
  ///   throws, too.
  func ask(_ count: Int, of rotation: Rotation, inFlight: Int) throws(BenchmarkFailure) {
    if let reasonToDrop { throw BenchmarkFailure(reasonToDrop) }
    let (tests, first) = rotation.next(count)
    for (offset, decision) in contender.decide(tests, inFlight: inFlight).enumerated() {
      guard rotation.isRight(decision, first + offset) else {
        throw drop("\(Self.words(decision)) after \(answered) answers")
      }
      answered += 1
    }
  }

  func end() { _ = contender.end() }

  // MARK: Preparation

  /// Ends the program, and notes the reason with the last line that it wrote to standard error.
  private func drop(_ reason: String) -> BenchmarkFailure {
    reasonToDrop = reason + (contender.standardErrorTail.last.map { "; it wrote: \($0)" } ?? "")
    _ = contender.end()
    return BenchmarkFailure(reason)
  }

  private static func words(_ decision: Decision) -> String {
    if case .failed(let failure) = decision { "\(failure)" } else { "gave another answer than before (\(decision))" }
  }

  /// Checks the answers with several requests in flight; a program that fails is measured with one at a time.
  private func checkPipeline(_ inFlight: Int) {
    let rotation = tokens()
    let (tests, first) = rotation.next(max(2 * inFlight, check.usable.count))
    for (offset, decision) in contender.decide(tests, inFlight: inFlight).enumerated()
    where !rotation.isRight(decision, first + offset) {
      reasonNotToPipeline = "with \(inFlight) requests in flight it fails (\(Self.words(decision)))"
      return
    }
  }

  /// Starts a new process, so that the warm-up contains its first request. Returns false if it does not start.
  private func restart() -> Bool {
    _ = contender.end()
    let start = MonotonicClock.nanoseconds
    if let failure = contender.start() {
      _ = drop(Self.words(failure))
      return false
    }
    startNanoseconds = Double(MonotonicClock.nanoseconds - start)
    memory.atStart = contender.residentBytes
    return true
  }

  /// Sends tokens until their times no longer fall, then lines without a token if it answers such lines.
  ///
  /// - Parameters:
  ///   - minimum: the seconds after which it may end with fewer than `minimumRequests`.
  ///   - maximum: the seconds after which it ends in any case.
  private func warm(minimum: Double, maximum: Double) {
    let rotation = tokens()
    var times: [Double] = []
    let start = MonotonicClock.nanoseconds
    var before = start
    do throws(BenchmarkFailure) {
      while true {
        try ask(1, of: rotation, inFlight: 1)
        let now = MonotonicClock.nanoseconds
        times.append(Double(now - before))
        before = now
        let elapsed = MonotonicClock.seconds(from: start, to: now)
        if elapsed >= maximum { break }
        // Not after every request, because `isSettled` sorts the times.
        guard times.count >= Self.minimumRequests || elapsed >= minimum, times.count.isMultiple(of: 64) else {
          continue
        }
        if WarmUpCurve.isSettled(times) { break }
      }
      if check.answersNonsense { try ask(Self.nonsenseRequests, of: nonsense(), inFlight: 1) }
    } catch {
      return
    }
    warmUp = WarmUpCurve(times)
    memory.afterWarmUp = contender.residentBytes
  }
}

/// Tests that are repeated in rotation, with a check of their answers.
final class Rotation {
  private let tests: [PreparedTest]
  private let isExpected: (Decision, Int) -> Bool
  private var position = 0

  /// - Parameter isExpected: returns whether a decision is right for the test at an index.
  init(_ tests: [PreparedTest], isExpected: @escaping (Decision, Int) -> Bool) {
    self.tests = tests
    self.isExpected = isExpected
  }

  /// Returns the next `count` tests. Number them from `first` on when you call `isRight`.
  func next(_ count: Int) -> (tests: [PreparedTest], first: Int) {
    let first = position
    position = (position + count) % tests.count
    return ((first..<(first + count)).map { tests[$0 % tests.count] }, first)
  }

  func isRight(_ decision: Decision, _ number: Int) -> Bool { isExpected(decision, number % tests.count) }
}
