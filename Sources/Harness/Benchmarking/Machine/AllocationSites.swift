import CMachine
import HostIO
import Reports
import StrictJSON

/// A call stack with which a benchmark allocates.
public struct AllocationSite: Hashable, Sendable {
  /// A frame of its stack: a function, which may be inlined, and the place in it.
  public struct Frame: Hashable, Sendable {
    /// The demangled name; `??` if unknown.
    public let function: String
    /// The file and the line, `Engine.swift:12`; empty without debug information.
    public let place: String
    /// The file name of the program or the library.
    public let library: String
  }

  /// The benchmark's name.
  public let benchmark: String
  /// Whether libcrypto's allocator was called.
  public let isLibcrypto: Bool
  /// Calls per operation.
  public let calls: Double
  /// Bytes per operation.
  public let bytes: Double
  /// The stack from the allocation outwards, without the allocator.
  public let frames: [Frame]

  /// Identifies the site in other builds: it has the names of functions, but not their lines, which move.
  package var identity: [String] { [benchmark, isLibcrypto ? "libcrypto" : ""] + frames.map(\.function) }
}

/// Finds where benchmarks allocate: the counter records the stacks of the allocations of a number of operations, and
/// `llvm-symbolizer` or `addr2line` names their functions and lines.
public enum AllocationSites {
  /// The sites of about 64 operations, or fewer slow ones, after as many for warm-up. The site with the most calls is
  /// the first. Empty if allocations cannot be counted.
  ///
  /// - Throws: `BenchmarkFailure` if an operation gives a wrong answer.
  public static func find(in benchmark: Benchmark) throws(BenchmarkFailure) -> [AllocationSite] {
    guard AllocationCounting.state == .available, benchmark.program == nil else { return [] }
    let count = try AllocationCounting.operations(of: benchmark, wanted: 64, nanoseconds: 500_000_000)
    try benchmark.run(count)
    assay_counter_record(1)
    assay_counter_begin()
    let result = Result { () throws(BenchmarkFailure) in try benchmark.run(count) }
    _ = assay_counter_end()
    assay_counter_record(0)
    try result.get()
    var sites: [assay_allocation_site] = []
    var site = assay_allocation_site()
    while assay_counter_site(sites.count, &site) != 0 { sites.append(site) }
    let stacks = sites.map(addresses)
    let known = Symbols(of: Set(stacks.joined()))
    return zip(sites, stacks).map { site, stack in
      AllocationSite(
        benchmark: benchmark.name, isLibcrypto: site.is_libcrypto != 0, calls: Double(site.calls) / Double(count),
        bytes: Double(site.bytes) / Double(count),
        frames: stack.flatMap { known.frames[$0] ?? [] }.filter { !$0.library.hasPrefix("libAllocationCounter") })
    }.sorted { ($0.calls, $0.bytes) > ($1.calls, $1.bytes) }
  }

  /// The return addresses of a stack minus one, which lie within the call instructions.
  private static func addresses(_ site: assay_allocation_site) -> [UInt] {
    withUnsafeBytes(of: site.frames) { bytes in
      bytes.bindMemory(to: UInt.self).prefix(Int(site.depth)).map { $0 - 1 }
    }
  }
}

/// The functions at addresses of this process.
private struct Symbols {
  private(set) var frames: [UInt: [AllocationSite.Frame]] = [:]

  init(of addresses: Set<UInt>) {
    var byFile: [String: [(address: UInt, offset: UInt)]] = [:]
    for address in addresses.sorted() {
      var offset: UInt = 0
      let file = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer -> String? in
        guard let start = buffer.baseAddress, assay_code_place(address, start, buffer.count, &offset) == 0 else {
          return nil
        }
        return String(cString: start)
      }
      if let file { byFile[file, default: []].append((address, offset)) }
    }
    for (file, places) in byFile {
      let names = Self.resolve(places.map(\.offset), in: file)
      let library = file.split(separator: "/").last.map(String.init) ?? file
      for (place, found) in zip(places, names) {
        let known = found.isEmpty ? [("??", "")] : found
        frames[place.address] = known.map {
          .init(function: Self.demangled($0.0), place: Self.shortened($0.1), library: library)
        }
      }
    }
  }

  /// The functions and places at each offset, innermost first. Both tools answer in the same form: the address, then
  /// two lines for each function.
  private static func resolve(_ offsets: [UInt], in file: String) -> [[(String, String)]] {
    let words = ["-a", "-f", "-i", "-e", file] + offsets.map { "0x" + String($0, radix: 16) }
    let options = words.map(ShellWord.quoted).joined(separator: " ")
    let command = "{ llvm-symbolizer --output-style=GNU \(options) || addr2line \(options); } 2>/dev/null"
    var answers: [[(String, String)]] = []
    var function: String?
    for line in String(decoding: Descriptor.output(ofCommand: command), as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("0x"), function == nil {
        answers.append([])
      } else if let name = function {
        if !answers.isEmpty { answers[answers.count - 1].append((name, String(line))) }
        function = nil
      } else {
        function = String(line)
      }
    }
    return answers.count == offsets.count ? answers : offsets.map { _ in [] }
  }

  private static func demangled(_ name: String) -> String {
    guard let text = assay_demangled(name) else { return Text.harmless(name) }
    defer { free(text) }
    return Text.harmless(String(cString: text))
  }

  /// `Engine.swift:12` for `/a/b/Engine.swift:12 (discriminator 3)`; empty for `??:0` and `<compiler-generated>:0`.
  private static func shortened(_ place: String) -> String {
    // Folders may have spaces in their names.
    let name = place.split(separator: "/").last?.split(separator: " ").first ?? ""
    guard !name.hasPrefix("?"), !name.hasPrefix("<") else { return "" }
    return Text.harmless(String(name))
  }
}

/// Sites as text and JSON.
package enum AllocationSiteText {
  /// A line for each site and its callers.
  package static func lines(_ sites: [AllocationSite]) -> [String] {
    sites.flatMap { site in
      ["\(site.benchmark): \(site.calls.fixed(3)) calls, \(site.bytes.fixed(0)) bytes an operation, \(whose(site))"]
        + site.frames.prefix(shownFrames).map { "  " + line($0) }
    }
  }

  /// A site as one sentence.
  package static func sentence(_ site: AllocationSite) -> String {
    "\(site.benchmark) allocates \(site.calls.fixed(3)) times an operation (\(whose(site))) at "
      + site.frames.drop { $0.library.hasPrefix("libswift") }.prefix(3).map(line).joined(separator: ", called by ")
      + "."
  }

  private static let shownFrames = 8

  private static func whose(_ site: AllocationSite) -> String { site.isLibcrypto ? "libcrypto's" : "ours" }

  private static func line(_ frame: AllocationSite.Frame) -> String {
    FunctionName.short(frame.function) + (frame.place.isEmpty ? " in \(frame.library)" : " at \(frame.place)")
  }

  package static func json(_ site: AllocationSite) -> JSON {
    [
      "benchmark": site.benchmark, "libcrypto": JSON.boolean(site.isLibcrypto), "calls": JSON.thousandths(site.calls),
      "bytes": JSON.thousandths(site.bytes),
      "frames": site.frames.map { JSON(["function": $0.function, "place": $0.place, "library": $0.library]) },
    ]
  }

  /// The sites of a document of `bench run --allocation-sites --json`; nil if it has none.
  package static func sites(of text: [UInt8]) -> [AllocationSite]? {
    guard let document = try? JSON(reading: text.span, within: .measurements),
      let entries = document["allocation_sites"]?.elements
    else { return nil }
    return entries.compactMap { entry in
      guard let benchmark = entry["benchmark"]?.string, let frames = entry["frames"]?.elements else { return nil }
      return AllocationSite(
        benchmark: benchmark, isLibcrypto: entry["libcrypto"] == .boolean(true), calls: entry["calls"]?.number ?? 0,
        bytes: entry["bytes"]?.number ?? 0,
        frames: frames.map {
          .init(
            function: $0["function"]?.string ?? "??", place: $0["place"]?.string ?? "",
            library: $0["library"]?.string ?? "")
        })
    }
  }

  /// The sites with more calls in the head than in the base, of benchmarks that allocate more often than in the base. A
  /// change of inlining alone also moves allocations to other stacks.
  package static func new(in head: [AllocationSite], since base: [AllocationSite]) -> [AllocationSite] {
    func calls(_ sites: [AllocationSite], _ key: (AllocationSite) -> [String]) -> [[String]: Double] {
      Dictionary(grouping: sites, by: key).mapValues { $0.reduce(0) { $0 + $1.calls } }
    }
    let kind = { (site: AllocationSite) in [site.benchmark, site.isLibcrypto ? "libcrypto" : ""] }
    let (before, beforeInAll) = (calls(base, \.identity), calls(base, kind))
    let (after, afterInAll) = (calls(head, \.identity), calls(head, kind))
    var seen: Set<[String]> = []
    return head.filter { site in
      let isMore = (after[site.identity] ?? 0) > (before[site.identity] ?? 0) + tolerance
      let isMoreInAll = (afterInAll[kind(site)] ?? 0) > (beforeInAll[kind(site)] ?? 0) + tolerance
      return isMore && isMoreInAll && seen.insert(site.identity).inserted
    }
  }

  /// Half a unit of the last digit that reports show.
  private static let tolerance = 0.0005
}
