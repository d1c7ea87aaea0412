import CMachine
import HostIO
import Reports

/// Detects conditions that make times unreliable, and suggests remedies.
struct NoiseWatch {
  private let start = MonotonicClock.nanoseconds
  private let before = ProcessorTime.now

  private static let stealLimit = 0.01
  private static let othersLimit = 0.25
  private static let spreadLimit = 0.1
  private static let fewestRounds = 10

  /// Whether other programs, or the hypervisor, took a part of the CPUs that matters.
  var isDisturbed: Bool {
    guard let before, let now = ProcessorTime.now else { return false }
    let (used, seconds) = (now - before, MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds))
    return max(used.all - used.own, used.stolen) > Self.othersLimit * seconds
  }

  /// The warnings, one sentence each.
  ///
  /// - Parameter cpu: the CPU of the measurement; nil if it was not pinned.
  func warnings(of results: [BenchmarkResult], cpu: Int?) -> [String] {
    var warnings: [String] = []
    let cpus = Int(assay_allowed_cpu_count())
    if let before, let now = ProcessorTime.now {
      // Not a load average, which counts this program's preparation and the build before it.
      let (used, seconds) = (now - before, MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds))
      let (others, stolen) = ((used.all - used.own) / seconds, used.stolen / seconds / Double(cpus))
      if others > Self.othersLimit * Double(cpus) {
        warnings.append(
          "Other programs kept \(others.fixed(1)) of \(cpus) CPUs busy: stop them, or trust only ratios and bench compare."
        )
      }
      if stolen > Self.stealLimit {
        warnings.append(
          "The hypervisor took \((100 * stolen).fixed(0))% of the time: measure on a dedicated machine, or with bench "
            + "compare --base-binary.")
      }
    }
    if cpu == nil { warnings.append("This system cannot pin threads: stop other programs, and measure longer.") }
    if let cpu, let governor = Self.governor(of: cpu), governor != "performance" {
      warnings.append(
        "CPU \(cpu) changes its clock (governor \(governor)): cpupower frequency-set -g performance fixes it.")
    }
    return warnings + roundWarnings(results)
  }

  private func roundWarnings(_ results: [BenchmarkResult]) -> [String] {
    let rounds = results.map(\.roundMedians.count).max() ?? 0
    if rounds < Self.fewestRounds {
      return [
        "There \(rounds == 1 ? "was" : "were") only \(Text.counted(rounds, "round")): give more --seconds, or measure fewer names at once."
      ]
    }
    let spreads = results.map { result in
      let sorted = result.roundMedians.sorted()
      let middle = OrderStatistics.percentile(50, ofSorted: sorted)
      return middle > 0
        ? (OrderStatistics.percentile(75, ofSorted: sorted) - OrderStatistics.percentile(25, ofSorted: sorted)) / middle
        : 0
    }
    let spread = OrderStatistics.median(spreads)
    guard spread > Self.spreadLimit else { return [] }
    return [
      "Half of the rounds differ by more than \((100 * spread).fixed(0))%: the machine's speed drifts. Ratios "
        + "are still valid; for times give more --seconds or wait for a quiet moment."
    ]
  }

  private static func governor(of cpu: Int) -> Substring? {
    ProcessorTime.lines(of: "/sys/devices/system/cpu/cpu\(cpu)/cpufreq/scaling_governor").first
  }
}
