import Benchmarking
import CMachine
import HostIO
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// When the machine itself stood still: intervals in which a CPU ran nothing that this process asked for.
///
/// A loop that spins on a worker's CPU would take it from the worker. So each CPU has a reference thread of the highest
/// priority that sleeps for `period` again and again: it takes 3% of the CPU, precedes the pool's threads, and is late
/// only if a hypervisor, an interrupt or another program of such priority has the CPU. A delay of `shortest` or more is
/// a stall. What the pool's own threads take from each other is none.
struct MachineStalls: Sendable {
  /// In order, and apart from each other.
  let intervals: [Range<UInt64>]

  /// Nanoseconds that the reference sleeps.
  static let period: UInt64 = 100_000
  /// Nanoseconds between two readings of the clock that make a stall.
  static let shortest: UInt64 = 300_000

  /// Joins the stalls of several CPUs. Each lasts twice as long here: at half of the capacity, the requests that came
  /// meanwhile take as long again.
  init(_ stalls: [Range<UInt64>]) {
    var joined: [Range<UInt64>] = []
    for stall in stalls.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let end = stall.upperBound + (stall.upperBound - stall.lowerBound)
      if let last = joined.last, stall.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        joined.append(stall.lowerBound..<end)
      }
    }
    intervals = joined
  }

  /// Whether a stall, or what it left to do, overlaps the time from `start` to `end`.
  func overlap(_ start: UInt64, _ end: UInt64) -> Bool {
    var (low, high) = (0, intervals.count)
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].upperBound <= start { low = middle + 1 } else { high = middle }
    }
    return low < intervals.count && intervals[low].lowerBound <= end
  }
}

/// Reference threads on some CPUs, from the last one down.
final class StallReference {
  /// What the threads share.
  private final class Log: Sendable {
    let stalls = Mutex<[Range<UInt64>]>([])
    let isOver = Atomic(false)

    func watch() {
      _ = assay_raise_priority()
      var last = MonotonicClock.nanoseconds
      while !isOver.load(ordering: .relaxed) {
        usleep(UInt32(MachineStalls.period / 1_000))
        let now = MonotonicClock.nanoseconds
        if now - last >= MachineStalls.shortest { stalls.withLock { $0.append(last..<now) } }
        last = now
      }
    }
  }

  private let log = Log()
  private var team: ThreadTeam?

  /// - Throws: `BenchmarkFailure` if a thread cannot be created.
  init(cpus: Int) throws(BenchmarkFailure) {
    let log = log
    // The threads watch while they are prepared, and do nothing else.
    team = try ThreadTeam(count: min(cpus, ThreadTeam.availableCPUs)) { _ in
      log.watch()
      return nil
    }
  }

  deinit { log.isOver.store(true, ordering: .relaxed) }

  /// Ends the threads, and returns what they saw.
  func stop() -> MachineStalls {
    log.isOver.store(true, ordering: .relaxed)
    team = nil
    return MachineStalls(log.stalls.withLock { $0 })
  }
}
