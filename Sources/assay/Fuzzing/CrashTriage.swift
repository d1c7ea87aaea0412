import Benchmarking
import CExternals
import Differential
import Fuzzing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Replays and shrinks what ends processes, each try in a process of its own.
struct CrashTriage {
  let engines: FuzzEngines
  /// Seconds.
  let timeout: Int

  /// The finding; shrunk when a replay shows it again.
  func record(of violation: Violation, _ octets: [UInt8]) -> WorkerMessage.FindingRecord {
    let usual = engines.workshop.usual
    var sample = SampleText.sample(octets, usual: usual)
    let replays = (0..<3).reduce(0) { count, _ in count + (ends(sample) ? 1 : 0) }
    // A process that does not come back costs the whole time at every try.
    if replays == 3, violation.kind == .crash {
      let request = Shrinker(tries: 150, milliseconds: 15_000).shrink(sample.request) { request in
        ends(Sample(request, sample.circumstances))
      }
      sample.request = request
    }
    return WorkerMessage.FindingRecord(
      kind: violation.kind, first: violation.first, second: violation.second, replays: replays,
      sample: SampleText.octets(of: sample, usual: usual), original: octets)
  }

  /// Whether a process that decides about it ends otherwise than well, or not in time.
  private func ends(_ sample: Sample) -> Bool {
    var process = assay_worker()
    switch assay_worker_fork(&process, 8 << 30) {
    case 0:
      var examiner = Examiner(workshop: engines.workshop, engines: engines.pair)
      _ = examiner.examine(sample)
      _exit(0)
    case 1: break
    default: return false
    }
    defer {
      close(process.output)
      close(process.error)
    }
    let start = MonotonicClock.nanoseconds
    var signal: Int32 = 0
    var code: Int32 = 0
    while assay_worker_has_ended(process.pid, &signal, &code) == 0 {
      guard MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds) < Double(timeout) else {
        assay_worker_kill(process.pid)
        return true
      }
      usleep(500)
    }
    return signal != 0 || code != 0
  }
}
