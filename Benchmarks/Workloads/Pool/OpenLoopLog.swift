import Benchmarking
import FastDecryption
import HostIO
import PaymentToken
import Synchronization

/// The results of an open loop: requests arrive whether or not earlier ones are answered.
struct OpenLoopResult: Sendable {
  /// The number of submitted requests, accepted by the pool or not.
  let submitted: Int
  /// All requests.
  let all: KindResult
  /// The requests of each kind, by `TokenKind.rawValue`.
  let kinds: [KindResult]
  /// Correct answers per second, from the start of the loop to the last answer. A required refusal is a correct answer.
  let acceptedPerSecond: Double
  /// Nanoseconds for which the system delayed the generator, in stretches of more than 100 µs.
  let heldUp: UInt64
  /// The longest queue of those read after every 1,024th request.
  let deepestQueue: Int
  /// Bytes by which the process's largest resident set grew.
  let memoryGrowth: UInt64
  /// The mean number of requests in a batch.
  let meanBatch: Double
}

/// What became of the requests of one kind, or of all.
struct KindResult: Sendable {
  /// The number of requests that the engine answered correctly.
  var answered = 0
  /// The number of requests that the pool refused for lack of room or at their deadline.
  var overloaded = 0
  /// The nanoseconds to each correct answer from when its request was due, not from when it was submitted.
  private(set) var latency = LogLinearHistogram()
  private var tenths: [LogLinearHistogram] = []

  /// The median over tenths of a second of the 99th percentile, which disturbances by other programs hardly change. Of
  /// all answers where no tenth has enough of them.
  var medianP99: Double {
    let percentiles = tenths.filter { OrderStatistics.carries(99, $0.total) }.map { $0.percentile(99) }
    return percentiles.isEmpty ? latency.percentile(99) : OrderStatistics.median(percentiles)
  }

  /// Adds an answer.
  ///
  /// - Parameters:
  ///   - time: the nanoseconds from when the request was due to its answer.
  ///   - due: when the request was due, in nanoseconds after the start of the loop.
  fileprivate mutating func add(_ time: Double, due: UInt64) {
    answered += 1
    latency.add(time)
    let tenth = Int(due / 100_000_000)
    while tenths.count <= tenth { tenths.append(LogLinearHistogram()) }
    tenths[tenth].add(time)
  }
}

/// Each request's answer, written by the thread that gives it.
///
/// `@unchecked Sendable`: each request has an entry of its own, written by who submits it and then by who answers it;
/// `answered` is counted afterwards.
final class OpenLoopLog: @unchecked Sendable {
  private enum Answer {
    case none, accepted, overloaded, wrong, twice
  }

  private struct Entry {
    var kind = TokenKind.ecV1
    var due: UInt64 = 0
    var end: UInt64 = 0
    var answer = Answer.none
  }

  let count: Int
  private let entries: UnsafeMutablePointer<Entry>
  private let total = Atomic(0)

  init(count: Int) {
    self.count = count
    entries = .allocate(capacity: count)
    entries.initialize(repeating: Entry(), count: count)
  }

  deinit { entries.deallocate() }

  /// A deadline for a request with unknown certificates; nil for others. Without it, such requests would still wait for
  /// the `ChainBudget` when the last request is submitted.
  private static func deadline(_ sample: LoadSample) -> ContinuousClock.Instant? {
    sample.kind == .unknownCertificates ? .now.advanced(by: .milliseconds(200)) : nil
  }

  var answered: Int { total.load(ordering: .acquiring) }

  func submit(
    _ index: Int, due: UInt64, _ sample: LoadSample, at now: UnixTime, under policy: VerificationPolicy,
    to pool: DecryptionPool
  ) {
    entries[index].due = due
    entries[index].kind = sample.kind
    let length = sample.length
    do {
      try pool.submit(
        sample.token, at: now, under: policy, deadline: Self.deadline(sample),
        opened: { self.take($0.plaintext.count == length ? .accepted : .wrong, for: index) },
        refused: { self.take(Self.answer($0, isRight: length == nil), for: index) })
    } catch {
      take(Self.answer(error, isRight: false), for: index)
    }
  }

  /// - Parameter isRight: whether the token must be refused.
  private static func answer(_ refusal: DecryptionPool.Refusal, isRight: Bool) -> Answer {
    switch refusal {
    case .overloaded, .deadlineExceeded: .overloaded
    case .token(let fault): isRight && fault.code == .signatureMismatch ? .accepted : .wrong
    default: .wrong
    }
  }

  private func take(_ answer: Answer, for index: Int) {
    entries[index].end = MonotonicClock.nanoseconds
    entries[index].answer = entries[index].answer == .none ? answer : .twice
    total.add(1, ordering: .acquiringAndReleasing)
  }

  func result(
    from start: UInt64, heldUp: UInt64, deepestQueue: Int, memoryGrowth: UInt64, batches: [UInt64]
  ) throws(BenchmarkFailure) -> OpenLoopResult {
    var kinds = [KindResult](repeating: KindResult(), count: TokenKind.allCases.count)
    var all = KindResult()
    var end = start
    var wrong = 0
    for entry in UnsafeBufferPointer(start: entries, count: count) {
      end = max(end, entry.end)
      switch entry.answer {
      case .accepted:
        let time = Double(entry.end - min(entry.due, entry.end))
        kinds[entry.kind.rawValue].add(time, due: entry.due - start)
        all.add(time, due: entry.due - start)
      case .overloaded:
        kinds[entry.kind.rawValue].overloaded += 1
        all.overloaded += 1
      case .wrong: wrong += 1
      case .none, .twice: continue
      }
    }
    guard wrong == 0 else { throw BenchmarkFailure("of \(count) requests \(wrong) got a wrong answer") }
    guard all.answered + all.overloaded == count, answered == count else {
      throw BenchmarkFailure(
        "of \(count) requests \(all.answered) were accepted and \(all.overloaded) refused: not each once")
    }
    let requests = batches.enumerated().reduce(0) { $0 + Double($1.offset) * Double($1.element) }
    return OpenLoopResult(
      submitted: count, all: all, kinds: kinds,
      acceptedPerSecond: Double(all.answered) / MonotonicClock.seconds(from: start, to: end), heldUp: heldUp,
      deepestQueue: deepestQueue, memoryGrowth: memoryGrowth,
      meanBatch: requests / max(1, Double(batches.reduce(0, +))))
  }
}
