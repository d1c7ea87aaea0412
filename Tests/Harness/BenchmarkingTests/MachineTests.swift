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
      let flags = try #require(listed)
      let kernelNames = ["sha": "sha_ni", "avx512vbmi2": "avx512_vbmi2"]
      var index: Int32 = 0
      while let name = assay_cpu_feature_name(index) {
        let feature = String(cString: name)
        #expect(
          (assay_cpu_supports(feature) == 1) == flags.contains(kernelNames[feature] ?? feature), "\(feature)")
        index += 1
      }
    }

    @Test func `the resident set is positive`() {
      #expect(assay_peak_resident_bytes() > 1 << 20)
      #expect(assay_allowed_cpu_count() >= 1)
    }
  #endif
}

struct SliceClockTests {
  @Test func `the clock of slices and the monotonic clock agree`() {
    let clock = SliceClock.current
    guard clock.counterFrequency != nil else { return }
    let start = SliceClock.simultaneousReadings()
    while MonotonicClock.nanoseconds - start.time < 20_000_000 {}
    let end = SliceClock.simultaneousReadings()
    let monotonic = Double(end.time - start.time)
    let counted = clock.nanoseconds(from: start.ticks, to: end.ticks)
    #expect(abs(counted / monotonic - 1) < 0.005)
  }

  @Test func `a slice takes at least as long as its work`() throws {
    let report = try Measurement(settings: MeasurementSettings(seconds: 0.2, seed: 1, rounds: 4)).run([
      Benchmark(name: "wait") { count in
        for _ in 0..<count {
          let end = MonotonicClock.nanoseconds + 1_000_000
          while MonotonicClock.nanoseconds < end {}
        }
      }
    ])
    #expect(try #require(report.results.first).p50 > 995_000)
  }
}
