import CMachine
import HostIO

/// The processor time that was used on the CPUs of this process, in seconds: by all programs, by this one, and by the
/// hypervisor. Linux only.
package struct ProcessorTime: Hashable, Sendable {
  /// The time of all programs.
  package let all: Double
  /// The time of this process and its descendants.
  package let own: Double
  /// The time that the hypervisor took.
  package let stolen: Double

  /// The time so far; nil where the system does not tell.
  package static var now: ProcessorTime? {
    var (all, stolen) = (0.0, 0.0)
    for line in lines(of: "/proc/stat") {
      // A CPU: user, nice, system, idle, iowait, irq, softirq, steal in ticks (proc(5)).
      let fields = line.split(separator: " ")
      guard line.hasPrefix("cpu"), let cpu = Int32(fields[0].dropFirst(3)), assay_may_use_cpu(cpu) != 0 else {
        continue
      }
      let ticks = fields.dropFirst().compactMap { Double($0) }
      guard ticks.count >= 8 else { return nil }
      all += ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
      stolen += ticks[7]
    }
    guard let own = ownTicks else { return nil }
    return ProcessorTime(all: all / perSecond, own: own / perSecond, stolen: stolen / perSecond)
  }

  /// The time between two readings.
  package static func - (late: ProcessorTime, early: ProcessorTime) -> ProcessorTime {
    ProcessorTime(all: late.all - early.all, own: late.own - early.own, stolen: late.stolen - early.stolen)
  }

  private static let perSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

  /// The ticks of this process and its descendants. A parent's fields include its children that have ended.
  private static var ownTicks: Double? {
    guard let names = try? FolderWalk.names(in: "/proc") else { return nil }
    var processes: [Int32: (parent: Int32, ticks: Double)] = [:]
    for name in names {
      // The second field, the program's name in parentheses, may itself have parentheses and spaces.
      guard let pid = Int32(name), let line = lines(of: "/proc/\(name)/stat").first,
        let end = line.lastIndex(of: ")")
      else { continue }
      let fields = line[end...].split(separator: " ").dropFirst()
      guard fields.count > 15, let parent = Int32(fields[fields.startIndex + 1]) else { continue }
      processes[pid] = (parent, fields.dropFirst(11).prefix(4).compactMap { Double($0) }.reduce(0, +))
    }
    let own = getpid()
    func isOwn(_ pid: Int32) -> Bool { pid == own || (processes[pid].map { isOwn($0.parent) } ?? false) }
    guard processes[own] != nil else { return nil }
    return processes.reduce(0) { isOwn($1.key) ? $0 + $1.value.ticks : $0 }
  }

  /// The lines of a file; none where it does not exist.
  static func lines(of path: String) -> [Substring] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return String(decoding: Descriptor.readAll(descriptor), as: UTF8.self).split(separator: "\n")
  }
}
