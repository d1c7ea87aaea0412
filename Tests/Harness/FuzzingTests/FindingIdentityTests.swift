import Differential
import Foundation
import Fuzzing
import HostIO
import StrictJSON
import TestSupport
import Testing

/// When two findings are the same one, and which findings fail a run.
@Suite struct FindingIdentityTests {
  private static func crash(signal: Int32 = 0, code: Int32 = 0, _ words: String) -> CrashReport {
    CrashReport((signal, code), words: Array(words.utf8)) { _ in "function" }
  }

  @Test func `one crash has one identity, whatever its exit code, addresses, lines and folders are`() {
    let message = "/home/a/Module/File.swift:12: Fatal error: Index out of range\n"
    let first = Self.crash(code: 3, message).violation
    #expect(first == Violation(.crash, "exit code, Fatal error: Index out of range", ""))
    let again = "noise: 0x7ffd\nModule/File.swift:470: Fatal error: Index out of range\n"
    #expect(Self.crash(code: 134, again).violation.findingID == first.findingID)
    #expect(Self.crash(signal: 4, message).violation.findingID != first.findingID)
    #expect(Self.crash(code: 3, "==4711==ERROR: at 0x1234 (File+0x12)").violation.first == "exit code, at")
  }

  @Test func `crashes at different functions are different findings, and specializations of one function are not`() {
    func id(_ function: String) -> String {
      CrashReport((4, 0), words: Array("\nassay-crash 00000000000000ff\n".utf8)) { $0 == 255 ? function : nil }
        .violation.findingID
    }
    #expect(id("$s4Fast4readyyF") != id("$s4Fast5writeyyF"))
    #expect(id("$s4Fast4readyyF") == id("$s4Fast4readyyFTf4nnd_n"))
    #expect(Self.crash(signal: 11, "assay-crash zz").violation == Violation(.crash, "signal 11", ""))
  }

  /// An ELF file with the functions `read` at 256 and `write` at 512, of 16 bytes each.
  private static let program: [UInt8] = {
    var file = [UInt8](repeating: 0, count: 240) + Array("\0read\0write\0".utf8)
    file.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    // The type of the file, then the offset, size and number of the section headers.
    (file[16], file[40], file[58], file[60]) = (3, 64, 64, 2)
    // The symbol table, whose names are in the next section.
    (file[68], file[88], file[96], file[104], file[152]) = (2, 192, 48, 1, 240)
    (file[192], file[196], file[201], file[208]) = (1, 2, 1, 16)
    (file[216], file[220], file[225], file[232]) = (6, 2, 2, 16)
    return file
  }()

  @Test func `a function is found by its offset in the program, and none where there is no symbol`() {
    func name(_ offset: UInt64) -> String? { ProgramSymbols.function(at: offset, in: Self.program) }
    #expect(name(256) == "read" && name(271) == "read" && name(512) == "write" && name(527) == "write")
    #expect([0, 255, 272, 511, 528, .max].allSatisfy { name($0) == nil })
    // Nothing beyond the end of a damaged file is read.
    for count in 0..<240 {
      #expect(ProgramSymbols.function(at: 512, in: Array(Self.program.prefix(count))) == nil, "\(count)")
    }
  }

  @Test func `libFuzzer's reports are known by the error and the first function that is no runtime's`() {
    let lines = [
      "    #0 0x55d05f6 in __sanitizer_print_stack_trace (/x/fuzz-cms+0x9)", "    #1 0x1 in $ss10_fatalError (/x)",
      "    #2 0x2 in $s13TokenScanning3DERyyF /a/b.swift:3:4", "    #3 0x3 in main /a/c.swift:1:1",
    ]
    func violation(_ reason: String, _ lines: [String], _ path: String = "/crash-1") -> Violation {
      LibFuzzerCampaign.report(reason, lines, path).violation
    }
    let deadly = violation("SUMMARY: libFuzzer: deadly signal", lines)
    #expect(deadly == Violation(.crash, "SUMMARY: libFuzzer: deadly signal", "$s13TokenScanning3DERyyF"))
    let overflow = violation("SUMMARY: AddressSanitizer: heap-buffer-overflow /a/scan.c:12:3 in scan16", lines)
    #expect(overflow == Violation(.crash, "SUMMARY: AddressSanitizer: heap-buffer-overflow in", "scan16"))
    #expect(violation("", [], "/timeout-1") == Violation(.hang, "not reproducible", ""))
    #expect(violation("assay-fuzz\treaders\tjson read\t", []) == Violation(.readers, "json read", ""))
  }

  @Test func `only a hang, slowness, memory or an external kill that no replay shows may be a fault of the machine`() {
    for kind in Violation.Kind.allCases {
      var finding = FuzzFinding(Violation(kind, "signal 11", ""), [UInt8]())
      #expect(finding.mayBeMachineFault == [.hang, .slow, .memory].contains(kind), "\(kind)")
      finding.wasKilledExternally = true
      #expect(finding.mayBeMachineFault == [.hang, .slow, .memory, .crash].contains(kind), "\(kind)")
      finding.replays = 1
      #expect(!finding.mayBeMachineFault, "\(kind)")
    }
    // Signals 9 and 15 come from outside, such as for lack of memory; the others are faults of the program.
    #expect(Self.crash(signal: 9, "").wasKilledExternally && Self.crash(signal: 15, "").wasKilledExternally)
    for signal in [4, 5, 6, 7, 8, 11] as [Int32] { #expect(!Self.crash(signal: signal, "").wasKilledExternally) }
    #expect(!Self.crash(code: 1, "").wasKilledExternally)
  }

  @Test func `what depends on the exact bytes is not shrunk, nor what takes the time limit in each attempt`() {
    #expect(Violation.Kind.allCases.filter { !$0.isShrunk } == [.verdict, .rewriting, .hang, .secret])
  }

  @Test func `a session fails by its own findings that are not waived`() throws {
    var state = RunReportTests.state(executions: 3_000)
    state.planned = 60
    let (old, new) = (Violation(.forgery, "accepted", "old"), Violation(.forgery, "accepted", "new"))
    let areNew = [old, old].map { state.count($0, mayBeMachineFault: false) }
    let isNewHang = state.count(Violation(.hang, "late", ""), mayBeMachineFault: true)
    #expect(areNew == [true, false] && isNewHang)
    #expect(state.failingFindings == [old.findingID])
    // The next session.
    var next = FuzzState(target: .token, driver: .loop, jobs: 2, seed: 7)
    next.planned = 60
    next.restore(state.document)
    #expect(next.failingFindings == [] && next.openFindings == [old.findingID])
    #expect(
      FuzzText.status(next, [], folder: "run").contains(" 1 forgery (1 only in earlier sessions), 1 unreproducible\n"))
    let isNew = next.count(new, mayBeMachineFault: false)
    #expect(isNew)
    #expect(next.failingFindings == [new.findingID] && next.openFindings.count == 2)
    next.waivers = try Waiver.read("\(new.findingID) issue 1", file: "waivers")
    #expect(next.failingFindings == [] && next.openFindings == [old.findingID])
    let session = try #require(next.document["session"])
    #expect(session["waived"]?.elements?.compactMap(\.string) == [new.findingID])
    #expect(session["findings"]?.elements?.isEmpty == true && session["unreproducible"]?.elements?.isEmpty == true)
  }

  @Test func `a page lists what fails, what is waived and what is unreproducible apart`() throws {
    var state = RunReportTests.state(executions: 1_200)
    state.waivers = try Waiver.read("waived-* <script>", file: "waivers")
    func finding(_ id: String, isUnreproducible: Bool = false) -> FuzzFindingSummary {
      FuzzFindingSummary(
        id: id, ["kind": "hang", "first": id, "second": "", "sample_bytes": 1], isUnreproducible: isUnreproducible)
    }
    let all = [finding("open-1"), finding("waived-1"), finding("late-1", isUnreproducible: true)]
    let page = FuzzPage(state: state, findings: all).document
    #expect(page.contains("1 finding.") && page.contains(">Waived<") && page.contains(">Unreproducible<"))
    #expect(page.contains("unreproducible/late-1") && page.contains("findings/open-1") && !page.contains("<script"))
    let none = FuzzPage(state: state, findings: Array(all.dropFirst())).document
    #expect(none.contains("No findings."))
  }
}

@Suite struct FindingFilesTests {
  @Test func `more than 99 inputs before a finding are read in their order`() throws {
    let folder = try TemporaryFolder()
    let numbers = (1...101).map(String.init)
    for number in numbers { _ = try folder.write(number, to: "before-" + (number.count == 1 ? "0" : "") + number) }
    _ = try folder.write("sample", to: "sample")
    _ = try folder.write("{\"kind\": \"batch\"}", to: "finding.json")
    let bench = try FuzzingBench()
    let files = try FindingFiles(folder.url.path, defaults: bench.sampleSigner.defaultContext)
    #expect(files.before.map { String(decoding: $0.request, as: UTF8.self) } == numbers)
  }
}

@Suite struct SessionHistoryTests {
  @Test func `a session adds a row to history, and the rows of others stay`() {
    let first = SessionHistory("").text(adding: "2026-11-01T02:17:00Z,146f8c31,loop")
    #expect(first == SessionHistory.header + "\n2026-11-01T02:17:00Z,146f8c31,loop\n")
    #expect(SessionHistory(first).text(adding: "2026-11-02") == first + "2026-11-02\n")
    // A loss of power has cut off the last line.
    #expect(SessionHistory(first + "2026").text(adding: "2026-11-02") == first + "2026\n2026-11-02\n")
  }
}
