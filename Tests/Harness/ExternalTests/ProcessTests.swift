import Differential
import Foundation
import TestCases
import TestSupport
import Testing

/// How programs are started, limited and killed.
@Suite(.blocking, .enabled(if: Script.canRun), .timeLimit(.minutes(15)))
struct ProcessTests {
  private static let reject = #"say({"id": message["id"], "accepted": False, "code": "malformedJSON"})"#
  /// A child that keeps all streams open and prints its process ID.
  private static let child = """
    child = subprocess.Popen(["sleep", "3600"])
    open(os.path.join(os.path.dirname(sys.argv[0]), "child"), "w").write(str(child.pid))
    """

  @Test func `a program that ignores the end of its input is killed, with a remark`() throws {
    let script = try Script(Self.reject, atEnd: "time.sleep(3600)")
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.endMilliseconds = 300
    let score = try Minted.run(program, tests: 2).score
    #expect(score.tally.kinds == [.refusedSound: 1] && score.remarks.count == 1)
    #expect(score.remarks[0].contains("did not end"))
  }

  @Test func `a failure at the end gives a remark`() throws {
    let score = try Minted.run(try Script(Self.reject, atEnd: "sys.exit(9)"), tests: 2).score
    #expect(score.remarks == ["ended with exit code 9 when its input was closed"])
  }

  @Test func `a normal end gives no remark`() throws {
    #expect(try Minted.run(try Script(Self.reject), tests: 2).score.remarks.isEmpty)
  }

  @Test func `a child that outlives a crash is killed, and the crash is detected at once`() throws {
    let script = try Script(Self.child + "\nos._exit(4)")
    let start = Date()
    let (report, _) = try Minted.run(script, tests: 1)
    // The time limit of an answer is 30 s.
    #expect(Date().timeIntervalSince(start) < 24)
    #expect(report.findings[0].decision == .failed(.ended(.exited(code: 4), afterPart: false)))
    #expect(try isGone(script))
  }

  @Test func `a child that outlives the end of the input is killed`() throws {
    let script = try Script(
      "if number == 1:\n    \(Self.child.split(separator: "\n").joined(separator: "\n    "))\n" + Self.reject)
    let score = try Minted.run(script, tests: 2).score
    #expect(score.tally.kinds == [.refusedSound: 1])
    #expect(try isGone(script))
  }

  @Test(arguments: ["pass", "os.fork() and os._exit(0)"])
  func `a child in a session of its own is killed, also when its parent has ended`(_ orphaning: String) throws {
    // With the second argument, the child's parent ends at once.
    let child = """
      if os.fork() == 0:
          os.setsid()
          \(orphaning)
          open(os.path.join(os.path.dirname(sys.argv[0]), "child"), "w").write(str(os.getpid()))
          os.closerange(0, 100)
          time.sleep(3600)
      while not os.path.exists(os.path.join(os.path.dirname(sys.argv[0]), "child")): time.sleep(0.01)
      time.sleep(0.1)
      """
    let body = child.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    let script = try Script("if number == 1:\n\(body)\n" + Self.reject)
    let score = try Minted.run(script, tests: 2).score
    #expect(score.tally.kinds == [.refusedSound: 1])
    #expect(try isGone(script))
  }

  /// Zombies would fill the process table in a long run.
  @Test(arguments: ["pass", "os.setsid()", "os.setpgid(0, 0)"])
  func `a child that is killed or outlives its parent leaves no zombie`(_ leaving: String) throws {
    let script = try Script(
      """
      child = os.fork()
      if child == 0:
          \(leaving)
          orphan = os.fork()
          if orphan != 0: open(os.path.join(os.path.dirname(sys.argv[0]), "child"), "a").write("%d %d " % (os.getpid(), orphan))
          time.sleep(3600)
      while not os.path.exists(os.path.join(os.path.dirname(sys.argv[0]), "child")): time.sleep(0.01)
      time.sleep(0.1)
      """ + "\n" + Self.reject)
    #expect(try Minted.run(script, tests: 1).score.tally.findings == 1)
    let children = try FileText.text(script.path("child")).split(separator: " ")
    #expect(children.count == 2)
    for child in children { #expect(try stat(of: #require(pid_t(child))) == nil) }
    #expect(stat(of: getpid()) != nil)
  }

  @Test func `an orphan that ends while its program runs leaves no zombie`() throws {
    // Each orphan is started by a shell that ends at once.
    let script = try Script(
      """
      subprocess.call(["sh", "-c", "sleep 0 & echo $! >> " + os.path.join(os.path.dirname(sys.argv[0]), "child")])
      path = "/proc/%s/stat" % open(os.path.join(os.path.dirname(sys.argv[0]), "child")).read().split()[-1]
      while os.path.exists(path) and not open(path).read().split(") ")[1].startswith("Z"): time.sleep(0.01)
      zombies = sum(open("/proc/%s/stat" % n).read().split(") ")[1].startswith("Z")
                    for n in open(os.path.join(os.path.dirname(sys.argv[0]), "child")).read().split()[:-1]
                    if os.path.exists("/proc/" + n))
      say({"id": message["id"], "error": "%d of %d" % (zombies, number - 1)})
      """)
    let report = try Minted.run(script, tests: 5).report
    // Findings stand in the order of their severity.
    #expect(report.findings.map(\.decision.description).sorted() == (0..<5).map { "error: 0 of \($0)" })
  }

  // A build with a sanitizer sets no limit of address space, under which a child of the same build could not start.
  @Test(.disabled(if: Sanitizer.isPresent)) func `memory and core dumps are limited in the child`() throws {
    let script = try Script(
      """
      if True: import resource
      core, space = resource.getrlimit(resource.RLIMIT_CORE), resource.getrlimit(resource.RLIMIT_AS)
      say({"id": message["id"], "error": "%d %d %d" % (core[1], space[1], os.getpgid(0) == os.getpid())})
      """)
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.addressSpaceLimit = 1 << 30
    let (report, _) = try Minted.run(program, tests: 1)
    #expect(report.findings[0].decision == .error("0 \(1 << 30) 1"))
  }

  /// In a process of its own, where no other external runs.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
  func `after the last external, orphans of other processes are not adopted`() async {
    await #expect(processExitsWith: .success) {
      let script = try Script(#"say({"id": message["id"], "error": "none"})"#)
      for runsExternal in [false, true] {
        if runsExternal { #expect(try Minted.run(script, tests: 1).report.findings.count == 1) }
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "sleep 60 & echo $!"]
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let line = output.fileHandleForReading.availableData
        let orphan = try #require(Int32(String(decoding: line, as: UTF8.self).filter(\.isNumber)))
        defer { kill(orphan, SIGKILL) }
        // The shell is the orphan's parent until the shell ends.
        var parent: Int32?
        for _ in 0..<1_000_000 where parent == nil || parent == shell.processIdentifier {
          let status = try FileText.text("/proc/\(orphan)/stat")
          parent = status.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
        }
        #expect(parent != nil && parent != shell.processIdentifier && parent != getpid())
      }
    }
  }

  /// In a process of its own: descriptors that other tests open without FD_CLOEXEC would reach the child as well.
  @Test func `the child inherits no descriptors except the three streams`() async {
    await #expect(processExitsWith: .success) {
      let script = try Script(
        #"say({"id": message["id"], "error": str(sorted(int(n) for n in os.listdir("/dev/fd") if os.path.exists("/dev/fd/" + n)))})"#
      )
      for descriptor in 3..<1_024 as Range<Int32> { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      let found = try Minted.run(script, tests: 1).report.findings.map(\.decision)
      #expect(found == [.error("[0, 1, 2]")], "\(found)")
      // A descriptor that exec leaves open reaches the child.
      #expect(dup2(0, 700) == 700)
      let planted = try Minted.run(script, tests: 1).report.findings.map(\.decision)
      #expect(planted == [.error("[0, 1, 2, 700]")], "\(planted)")
    }
  }

  @Test func `a key of which only the merchant ID is known is sent with a certificate that names it`() throws {
    let script = try Script("pass")
    let merchant = try Minted.minter.get().merchants[0]
    func setting(_ certificate: String?, of identifier: String) -> TestSetting {
      let key = TestKey(
        privateKeyPem: merchant.keys[0].pkcs8PEM, certificatePem: certificate, merchantId: identifier)
      return TestSetting(keys: [key], rootsPem: [], hasTestKeys: true)
    }
    let external = ExternalContender(ExternalProgram(command: "head -n 1 >'\(script.path("hello"))'; exit 3"))
    _ = TestRun(engines: [], externals: [external], strictness: .accept)
      .run([TestGroup(setting: setting(nil, of: merchant.identifier), cases: try Minted.tests(1))])
    let hello = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: script.path("hello"))))
    let keys = try #require((hello as? [String: Any])?["keys"] as? [[String: Any]])
    let certificate = try #require(keys[0]["certificatePem"] as? String)
    // The key, the certificate and the merchant ID belong together.
    _ = try setting(certificate, of: merchant.identifier).merchantKeySet()
    #expect(throws: (any Error).self) { _ = try setting(certificate, of: "merchant.another").merchantKeySet() }
  }

  @Test func `each setting has its own process`() throws {
    let script = try Script(#"say({"id": message["id"], "error": "%d %d" % (os.getpid(), number)})"#)
    defer { withExtendedLifetime(script) {} }
    let tests = try Minted.tests(2)
    let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
      .run([
        TestGroup(setting: try Minted.setting(), cases: tests),
        TestGroup(
          setting: TestSetting(keys: [], rootsPem: [], hasTestKeys: true), cases: tests),
      ])
    let answers = report.findings.map(\.decision.description).map { $0.split(separator: " ").suffix(2) }
    let numbers = Dictionary(grouping: answers, by: \.first).values.map { $0.compactMap(\.last).sorted() }
    #expect(numbers == [["1", "2"], ["1", "2"]])
  }

  @Test func `what a program does not list in supports counts as unsupported`() throws {
    let script = try Script(Self.reject, supports: #"["EC_v1"]"#)
    defer { withExtendedLifetime(script) {} }
    var tests = try Minted.tests(4)
    for index in 0..<2 {
      tests[index].input.context.policy.freshness = .window(seconds: 300, replay: .capacity(1))
    }
    let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
      .run([TestGroup(setting: try Minted.setting(), cases: tests)])
    #expect(report.scores[0].tally.unsupported == 2)
    #expect(report.scores[0].tally.passed == 1 && report.scores[0].tally.findings == 1)
  }

  private func stat(of process: pid_t) -> String? {
    try? FileText.text("/proc/\(process)/stat")
  }

  private func isGone(_ script: Script) throws -> Bool {
    let child = try #require(pid_t(try FileText.text(script.path("child"))))
    // The check detects a running process: this one.
    #expect(isRunning(getpid()))
    for _ in 0..<3_000 where isRunning(child) { Thread.block(forSeconds: 0.01) }
    return !isRunning(child)
  }

  /// Whether a process exists and is no zombie.
  private func isRunning(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 && stat(of: process)?.contains(") Z ") != true
  }
}
