import Benchmarking
import Differential
import HostIO
import Reports
import TestCases

/// An external program: checked, restarted, warmed up, and then asked by benchmarks.
///
/// A failure after the check drops it. It is not started again, because a process that starts while benchmarks run
/// would stay on their CPU, and would not be warm.
final class MeasuredProgram {
  let contender: ExternalContender
  let check: ExternalCheck
  private(set) var startNanoseconds: Double?
  private(set) var warmUp: WarmUpCurve?
  /// Why it has no figures; nil if it has.
  private(set) var reasonToDrop: String?
  /// Why several requests in flight are not measured; nil if they are.
  private(set) var reasonNotToPipeline: String?
  private var memory: (atStart: Int?, afterWarmUp: Int?) = (nil, nil)
  private var answered = 0
  private let set: TokenSet

  /// Requests before the time may count as settled, and the seconds after which fewer suffice.
  private static let fewestRequests = 2_000
  private static let leastSeconds = 4.0
  /// The time after which a program is measured although its times still fall.
  private static let mostSeconds = 10.0
  /// Lines that are no token, to warm up their refusal.
  private static let nonsenseRequests = 256

  /// - Parameters:
  ///   - inFlight: requests in flight when pipelined.
  ///   - seconds: the time for all measurements; the warm-up takes at most a quarter of it.
  init(
    _ program: ExternalProgram, _ set: TokenSet, _ setting: TestSetting, inFlight: Int, seconds: Double
  ) {
    self.set = set
    contender = ExternalContender(program, failureLimit: .max)
    contender.begin(setting, windowSeconds: 300)
    check = ExternalCheck(contender, set)
    reasonToDrop = check.reasonToDrop
    guard reasonToDrop == nil else { return }
    if inFlight > 1 { checkPipeline(inFlight) }
    guard restart() else { return }
    warm(least: min(Self.leastSeconds, seconds / 8), most: min(Self.mostSeconds, seconds / 4))
  }

  /// The word for it in names: lower case, with hyphens instead of what is neither letter nor digit.
  var word: String {
    let said = Text.harmless(contender.name).lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    var word = String(said.prefix(40))
    if word.isEmpty || ["fast", "reference"].contains(word) { word += "-external" }
    // In its name, because names are what tables and plots compare.
    return check.acceptsForgery ? word + "-unverified" : word
  }

  /// Its memory so far and now; nil where the system does not tell.
  var memoryNow: ExternalResult.Memory? {
    memory.atStart.map {
      .init(atStart: $0, afterWarmUp: memory.afterWarmUp, atEnd: contender.residentBytes)
    }
  }

  /// Its tokens, in rotation.
  func tokens() -> Rotation {
    let plaintexts = check.usable.map { check.givesPlaintext ? set.entries[$0].plaintext : nil }
    let tests = check.usable.map {
      PreparedTest(ExternalCheck.testCase(set.entries[$0].token, set), id: "token \($0)")
    }
    // Without plaintexts from all, each acceptance counts.
    return Rotation(tests) { [givesPlaintext = check.givesPlaintext] decision, index in
      guard case .accepted(let plaintext) = decision else { return false }
      return !givesPlaintext || plaintext == plaintexts[index]
    }
  }

  /// Requests of the same sizes that are no tokens, in rotation. Any answer will do.
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
  /// - Throws: if an answer is wrong or missing, and ever after: the program is dropped.
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

  /// Ends the program.
  func end() { _ = contender.end() }

  // MARK: Preparation

  private func drop(_ reason: String) -> BenchmarkFailure {
    reasonToDrop = reason + (contender.lastWords.last.map { "; it wrote: \($0)" } ?? "")
    _ = contender.end()
    return BenchmarkFailure(reason)
  }

  private static func words(_ decision: Decision) -> String {
    if case .failed(let failure) = decision { "\(failure)" } else { "gave another answer than before (\(decision))" }
  }

  private func checkPipeline(_ inFlight: Int) {
    let rotation = tokens()
    let (tests, first) = rotation.next(max(2 * inFlight, check.usable.count))
    for (offset, decision) in contender.decide(tests, inFlight: inFlight).enumerated()
    where !rotation.isRight(decision, first + offset) {
      reasonNotToPipeline = "with \(inFlight) requests in flight it fails (\(Self.words(decision)))"
      return
    }
  }

  /// A fresh process, so that the warm-up begins with the first request.
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

  private func warm(least: Double, most: Double) {
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
        if elapsed >= most { break }
        // Sorting takes time: not after every request.
        guard times.count >= Self.fewestRequests || elapsed >= least, times.count.isMultiple(of: 64) else { continue }
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

/// Tests in rotation, each with its right answer.
final class Rotation {
  private let tests: [PreparedTest]
  private let isExpected: (Decision, Int) -> Bool
  private var position = 0

  /// - Parameter isExpected: whether a decision is right for the test at a position.
  init(_ tests: [PreparedTest], isExpected: @escaping (Decision, Int) -> Bool) {
    self.tests = tests
    self.isExpected = isExpected
  }

  /// The next tests, and the number of the first for `isRight`.
  func next(_ count: Int) -> (tests: [PreparedTest], first: Int) {
    let first = position
    position = (position + count) % tests.count
    return ((first..<(first + count)).map { tests[$0 % tests.count] }, first)
  }

  func isRight(_ decision: Decision, _ number: Int) -> Bool { isExpected(decision, number % tests.count) }
}
