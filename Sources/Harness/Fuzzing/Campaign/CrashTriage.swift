import Differential
import TestCases

/// Replays and shrinks what ends processes, each try in a process of its own.
struct CrashTriage {
  let engines: FuzzEngines
  /// Seconds.
  let timeout: Int

  /// The finding; shrunk when a replay shows it again.
  func record(of violation: Violation, _ octets: [UInt8]) -> WorkerMessage.FindingRecord {
    let usual = engines.workshop.usual
    var sample = TestInput(file: octets, usual: usual)
    let replays = (0..<3).reduce(0) { count, _ in count + (ends(sample) ? 1 : 0) }
    // A process that does not come back costs the whole time at every try.
    if replays == 3, violation.kind == .crash {
      let request = Shrinker(tries: 150, milliseconds: 15_000).shrink(sample.request) { request in
        ends(TestInput(request, sample.context))
      }
      sample.request = request
    }
    return WorkerMessage.FindingRecord(
      kind: violation.kind, first: violation.first, second: violation.second, replays: replays,
      sample: sample.file(usual: usual), original: octets)
  }

  /// Whether a process that decides about it ends otherwise than well, or not in time.
  private func ends(_ sample: TestInput) -> Bool {
    let end = IsolatedTask.run(seconds: Double(timeout)) {
      var examiner = Examiner(workshop: engines.workshop, engines: engines.pair)
      _ = examiner.examine(sample)
    }
    return end != .well
  }
}
