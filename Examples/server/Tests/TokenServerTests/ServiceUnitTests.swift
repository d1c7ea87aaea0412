import Foundation
import Testing

extension ServerTests {
  /// The unit for systemd allows the system calls of the server.
  struct ServiceUnitTests {
    private let unit: String

    init() throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      unit = try String(contentsOf: folder.appending(path: "assay-token-server.service"), encoding: .utf8)
    }

    /// The system calls of a group such as `@system-service`; nil without systemd.
    private func calls(of group: String) throws -> Set<String>? {
      guard let tool = try Tool(["systemd-analyze", "syscall-filter", group]), tool.status == 0 else { return nil }
      let lines = tool.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      return try lines.reduce(into: []) { all, name in
        if name == group || name.hasPrefix("#") { return }
        if name.hasPrefix("@") { all.formUnion(try calls(of: name) ?? []) } else { all.insert(name) }
      }
    }

    /// The system calls that the unit's lines allow; nil without systemd.
    private func allowed(by unit: String) throws -> Set<String>? {
      try unit.matches(of: /(?m)^SystemCallFilter=(~?)(.*)$/).reduce(Set<String>?([])) { allowed, line in
        try line.2.split(separator: " ").reduce(allowed) { allowed, group in
          guard let calls = try calls(of: String(group)) else { return nil }
          return line.1.isEmpty ? allowed?.union(calls) : allowed?.subtracting(calls)
        }
      }
    }

    @Test func `every system call of a start, a request and a stop is allowed`() throws {
      guard let calls = try allowed(by: unit) else {
        print("skipped: systemd-analyze is not installed (Debian: apt-get install systemd)")
        return
      }
      let merchant = try Merchant()
      let trace = merchant.folder.path("trace")
      guard Program.canBeTraced else {
        print("skipped: strace is not installed, or may not trace (Debian: apt-get install strace)")
        return
      }
      let program = try Program(merchant.arguments + ["--cpus", "0"], trace: trace)
      #expect(try request(program.address, "POST", "/decrypt", try merchant.token(1)).status == 200)
      program.signal(SIGHUP)
      #expect(program.wait(for: "keys read again") != nil)
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
      let text = try String(contentsOfFile: trace, encoding: .utf8)
      let called = Set(text.matches(of: /(?m)^(?:\d+ +)?([a-z0-9_]+)\(/).map { String($0.1) })
      #expect(called.subtracting(calls).isEmpty)
      // Threads are pinned and get a low priority: a unit that forbids @resources as well does not allow that.
      let planted = try allowed(by: unit.replacing("~@privileged", with: "~@privileged @resources")) ?? []
      #expect(called.subtracting(planted) == ["sched_setaffinity", "setpriority"])
    }
  }
}
