import PaymentToken
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Asks a store about new transactions, and measures how long the answers take.
struct Measurement {
  let name: String
  private let round: (Duration) -> Round
  private var rounds: [Round] = []

  private struct Round {
    var latencies: [Double] = []
    var notFresh = 0
    var seconds = 0.0
  }

  /// One question at a time.
  init(_ name: String, _ store: any ReplayStore, _ numbers: Numbers) {
    self.name = name
    round = { time in
      Self.timed(time) { end in
        var result = Round()
        repeat {
          let start = ContinuousClock.now
          let verdict = store.insert(numbers.next(), at: Self.now, window: 300)
          result.latencies.append(start.duration(to: .now) / .microseconds(1))
          if verdict != .fresh { result.notFresh += 1 }
        } while .now < end
        return result
      }
    }
  }

  /// Calls with 64 questions each, like the batches of a pool; at most `inFlight` questions at a time.
  init(_ name: String, _ store: any AsynchronousReplayStore, inFlight: Int, _ numbers: Numbers) {
    self.name = name
    round = { time in
      Self.timed(time) { end in
        let result = Mutex(Round())
        let open = Atomic(0)
        repeat {
          while open.load(ordering: .acquiring) > inFlight - 64, .now < end { sched_yield() }
          open.add(64, ordering: .relaxed)
          let start = ContinuousClock.now
          let deadline = start.advanced(by: .seconds(1))
          let questions = (0..<64).map { _ in
            ReplayQuestion(numbers.next(), at: Self.now, window: 300, deadline: deadline)
          }
          store.insert(questions) { _, verdict in
            let latency = start.duration(to: .now) / .microseconds(1)
            result.withLock { result in
              result.latencies.append(latency)
              if verdict != .fresh { result.notFresh += 1 }
            }
            open.subtract(1, ordering: .releasing)
          }
        } while .now < end
        while open.load(ordering: .acquiring) > 0 { sched_yield() }
        return result.withLock { $0 }
      }
    }
  }

  private static var now: UnixTime { UnixTime(secondsSinceEpoch: Int64(time(nil))) }

  private static func timed(_ time: Duration, _ body: (ContinuousClock.Instant) -> Round) -> Round {
    let start = ContinuousClock.now
    var result = body(start.advanced(by: time))
    result.seconds = start.duration(to: .now) / .seconds(1)
    return result
  }

  /// Measures one more round.
  mutating func run(for time: Duration) { rounds.append(round(time)) }

  /// A row of a Markdown table: the median of the rounds' rates, and quantiles of all answers.
  var row: String {
    let rates = rounds.map { Double($0.latencies.count) / $0.seconds }.sorted()
    let all = rounds.flatMap(\.latencies).sorted()
    func quantile(_ share: Double) -> String {
      String(Int(all[min(all.count - 1, Int(share * Double(all.count)))].rounded()))
    }
    let notFresh = rounds.reduce(0) { $0 + $1.notFresh }
    return "| \(name) | \(Int(rates[rates.count / 2])) | \(quantile(0.5)) | \(quantile(0.99)) | \(notFresh) |"
  }
}

/// Identifiers of new transactions, which no other run repeats.
final class Numbers: Sendable {
  private let run = UInt64.random(in: 0...UInt64.max)
  private let count = Atomic<UInt64>(0)

  func next() -> Bytes32 {
    var number = count.add(1, ordering: .relaxed).newValue
    var bytes = [UInt8](repeating: 0, count: 32)
    for index in 0..<8 {
      bytes[index] = UInt8(truncatingIfNeeded: number)
      bytes[8 + index] = UInt8(truncatingIfNeeded: run >> UInt64(8 * index))
      number >>= 8
    }
    guard let id = Bytes32(bytes) else { preconditionFailure("32 bytes") }
    return id
  }
}
