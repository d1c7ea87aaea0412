import CMachine
import Foundation
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

  @Test func `features have names, and unknown ones are not there`() throws {
    var names: [String] = []
    while let name = assay_cpu_feature_name(Int32(names.count)) { names.append(String(cString: name)) }
    #expect(Set(names).isSuperset(of: ["avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512ifma", "avx512vbmi"]))
    #expect(Set(names).count == names.count)
    #expect(assay_cpu_supports("no such feature") == 0)
    #expect(assay_cpu_feature_name(-1) == nil)
  }

  #if os(Linux)
    @Test func `features agree with what the kernel lists`() throws {
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

    @Test func `the resident set is more than nothing`() {
      #expect(assay_peak_resident_bytes() > 1 << 20)
      #expect(assay_allowed_cpu_count() >= 1)
    }
  #endif
}
