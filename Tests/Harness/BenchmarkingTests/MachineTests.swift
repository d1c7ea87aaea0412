import Benchmarking
import CMachine
import Foundation
import HostIO
import Testing

struct MachineTests {
  @Test func `the clock never goes back`() {
    var before = assay_monotonic_nanoseconds()
    for _ in 0..<1_000 {
      let now = assay_monotonic_nanoseconds()
      #expect(now >= before)
      before = now
    }
  }

  @Test func `processor features have names, and unknown ones are absent`() throws {
    var names: [String] = []
    while let name = assay_cpu_feature_name(Int32(names.count)) { names.append(String(cString: name)) }
    #expect(Set(names).isSuperset(of: ["avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512ifma", "avx512vbmi"]))
    #expect(Set(names).count == names.count)
    #expect(assay_cpu_supports("no such feature") == 0)
    #expect(assay_cpu_feature_name(-1) == nil)
  }

  #if os(Linux)
    @Test func `processor features agree with the operating system`() throws {
      let listed = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        .split(separator: "\n").first { $0.hasPrefix("flags") }.map { Set($0.split(separator: " ").map(String.init)) }
      #if arch(x86_64)
        let flags = try #require(listed)
      #else
        // Only x86 has this line, and the features.
        let flags = listed ?? []
      #endif
      let kernelNames = ["sha": "sha_ni", "avx512vbmi2": "avx512_vbmi2"]
      var index: Int32 = 0
      while let name = assay_cpu_feature_name(index) {
        let feature = String(cString: name)
        #expect(
          (assay_cpu_supports(feature) == 1) == flags.contains(kernelNames[feature] ?? feature), "\(feature)")
        index += 1
      }
    }

    @Test func `peak memory and CPU count are plausible`() {
      #expect(assay_peak_resident_bytes() > 1 << 20)
      #expect(assay_allowed_cpu_count() >= 1)
    }
  #endif
}

#if os(Linux)
  /// Attributes CPU time to this process tree or to others.
  @Suite(.blocking, .serialized) struct ProcessorTimeTests {
    /// Busy until it is killed, or for ten seconds of CPU time.
    private static let busy = "ulimit -t 10; while :; do :; done"

    /// Runs a busy command and returns the CPU time used when `isEnough` holds, or after 10 s.
    ///
    /// - Parameter command: starts a busy program and prints its process ID.
    private func used(_ command: String, until isEnough: (ProcessorTime) -> Bool) throws -> ProcessorTime {
      let before = try #require(ProcessorTime.now)
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", command]
      process.standardOutput = output
      try process.run()
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n").first
      let busy = try #require(line.flatMap { pid_t($0) })
      var used = before - before
      for _ in 0..<100 where !isEnough(used) {
        Thread.block(forSeconds: 0.1)
        used = try #require(ProcessorTime.now) - before
      }
      // SIGKILL, because the child inherits a mask that blocks other signals.
      kill(busy, SIGKILL)
      process.blockUntilExit()
      return used
    }

    @Test func `CPU time of this process and of its children is counted as own`() throws {
      let (before, start) = (try #require(ProcessorTime.now), MonotonicClock.nanoseconds)
      let limit: UInt64 = 10_000_000_000
      while try #require(ProcessorTime.now).own - before.own < 0.3, MonotonicClock.nanoseconds - start < limit {}
      #expect(try #require(ProcessorTime.now).own - before.own >= 0.3)
      // /proc counts in ticks of 10 ms.
      let used = try used("echo $$; \(Self.busy)") { $0.own >= 0.5 }
      #expect(used.own >= 0.5 && used.all >= used.own - 0.1)
    }

    @Test func `CPU time of an unrelated process is not counted as own`() throws {
      // Its parent ends at once.
      let used = try used("(\(Self.busy)) >/dev/null & echo $!") { $0.all - $0.own >= 0.5 }
      #expect(used.all - used.own >= 0.5)
    }
  }
#endif
