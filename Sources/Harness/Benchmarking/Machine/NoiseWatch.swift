import CMachine
import HostIO
import Reports

/// Detects what makes times unreliable, such as other programs or a changing clock rate, and suggests remedies.
struct NoiseWatch {
  private let start = MonotonicClock.nanoseconds
  private let before = ProcessorTime.now

  /// The share of all CPUs' time that the hypervisor may take without a warning.
  private static let stealLimit = 0.01
  /// The share of all CPUs' time that other programs may take without a warning. `isDisturbed` uses it as the share of
  /// one CPU's time.
  private static let othersLimit = 0.25
  /// The limit for the spread of the rounds' times: their interquartile range divided by their median, for the median
  /// benchmark.
  private static let spreadLimit = 0.1
  /// The minimum number of rounds for estimating the spread.
  private static let minimumRounds = 10

  /// Whether other programs, or the hypervisor, took more than a quarter of one CPU's time. That disturbs benchmarks
  /// that need several CPUs at once.
  var isDisturbed: Bool {
    guard let before, let now = ProcessorTime.now else { return false }
    let (used, seconds) = (now - before, MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds))
    return max(used.all - used.own, used.stolen) > Self.othersLimit * seconds
  }

  /// The warnings, one sentence each.
  ///
  /// - Parameter cpu: the CPU to which the measurement was pinned; nil if it was not pinned.
  func warnings(of results: [BenchmarkResult], cpu: Int?) -> [String] {
    var warnings: [String] = []
    let cpus = Int(assay_allowed_cpu_count())
    if let before, let now = ProcessorTime.now {
      // The load average would not do: it includes this program's preparation and the build before it.
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

  /// Warns if there are too few rounds, or if their times are too far apart.
  private func roundWarnings(_ results: [BenchmarkResult]) -> [String] {
    let rounds = results.map(\.roundMedians.count).max() ?? 0
    if rounds < Self.minimumRounds {
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

  /// The frequency governor of a CPU; nil if the system does not report one.
  private static func governor(of cpu: Int) -> Substring? {
    ProcessorTime.lines(of: "/sys/devices/system/cpu/cpu\(cpu)/cpufreq/scaling_governor").first
  }
}
