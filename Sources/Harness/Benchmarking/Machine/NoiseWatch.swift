import CMachine
import HostIO
import Reports

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Detects conditions that make times unreliable, and suggests remedies.
struct NoiseWatch {
  /// The load average when the measurement began, before our own load.
  private let load: Double
  private let steal = Self.stolenTicks()
  private let start = MonotonicClock.nanoseconds

  /// Starts watching.
  init() {
    var averages = [0.0]
    load = getloadavg(&averages, 1) == 1 ? averages[0] : 0
  }

  private static let stealLimit = 0.01
  private static let spreadLimit = 0.1
  private static let fewestRounds = 10

  /// The warnings, one sentence each.
  ///
  /// - Parameter cpu: the CPU of the measurement; nil if it was not pinned.
  func warnings(of results: [BenchmarkResult], cpu: Int?) -> [String] {
    var warnings: [String] = []
    let cpus = Int(assay_allowed_cpu_count())
    if load > 0.25 * Double(cpus) {
      warnings.append(
        "Other programs kept \(load.fixed(1)) of \(cpus) CPUs busy: stop them, or trust only ratios and bench compare.")
    }
    if let share = stolenShare(cpus), share > Self.stealLimit {
      warnings.append(
        "The hypervisor took \((100 * share).fixed(0))% of the time: measure on a dedicated machine, or with bench "
          + "compare --base-binary.")
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

  // MARK: Linux

  /// The stolen time in clock ticks of 10 ms (proc(5)).
  private static func stolenTicks() -> Double? {
    guard let line = firstLine(of: "/proc/stat") else { return nil }
    let fields = line.split(separator: " ")
    return fields.count > 8 && fields[0] == "cpu" ? Double(fields[8]) : nil
  }

  private func stolenShare(_ cpus: Int) -> Double? {
    guard let steal, let now = Self.stolenTicks() else { return nil }
    let seconds = MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds)
    return seconds > 0 ? (now - steal) / 100 / seconds / Double(cpus) : nil
  }

  private static func governor(of cpu: Int) -> String? {
    firstLine(of: "/sys/devices/system/cpu/cpu\(cpu)/cpufreq/scaling_governor")
  }

  private static func firstLine(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 512)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
