import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// Messages when the program does not start or refuses a caller, and answers to callers.
  struct CauseTests {
    @Test func `each start failure names its own cause`() throws {
      let merchant = try Merchant()
      let (folder, arguments) = (merchant.folder, merchant.arguments)
      try folder.write(String(repeating: "a", count: 40), to: "bearers")
      try #require(link(folder.path("bearers"), folder.path("linked")) == 0)
      let bearers = ["--bearer-token-file", folder.path("bearers"), "--access-log"]
      var expected: [([String], [String], String)] = [
        ([], ["--access-log", "/dev/stdout"], "it is a symbolic link; standard output is -"),
        ([], bearers + [folder.path("bearers")], "another option names it"),
        ([], bearers + [folder.path("linked")], "another option names it"),
        ([], ["--access-log", merchant.files.keys[0]], "another option names it"),
        (["sh", "-c", "exec \"$@\" >&-", "sh"], ["--access-log", "-"], "standard output is closed"),
      ]
      if Program.canBeLimited {
        expected.append(
          (
            ["prlimit", "--nofile=40:40"], ["--max-connections", "1"],
            "105 open files are needed with --max-connections 1; the limit is 40."
          ))
      }
      for (words, options, text) in expected {
        let refusal = try Program.refusal(arguments + options, through: words)
        #expect(refusal.status == 2 && refusal.text.contains(text), "\(options) \(refusal.text)")
      }
      #expect(try String(contentsOfFile: folder.path("bearers"), encoding: .utf8).count == 40)
    }

    @Test(.enabled(if: Program.withoutRights != nil && Program.canBeLimited, "setpriv or prlimit is missing"))
    func `a server that lacks a thread at its start says so, whatever the thread is for`() throws {
      let merchant = try Merchant()
      try merchant.openToAll()
      let log = "/dev/null"
      // Each thread in turn is the one that is missing.
      var causes: Set<String> = []
      for count in 1...40 {
        let words = ["prlimit", "--nproc=\(count)"] + (Program.withoutRights ?? [])
        let refusal = try Program.refusal(merchant.arguments + ["--access-log", log], through: words)
        if refusal.status == SIGKILL { break }
        causes.insert(refusal.text)
      }
      #expect(causes.allSatisfy { $0.contains("no thread left") } && !causes.isEmpty, "\(causes)")
    }

    @Test(.enabled(if: Tool.areForTLS)) func `what is wrong with a file for TLS is said of this file`() throws {
      let merchant = try Merchant()
      let (folder, authority) = (merchant.folder, try Authority("authority", in: merchant.folder))
      for name in ["server", "other"] { try authority.issue(name, use: "serverAuth") }
      let (certificate, key) = (folder.path("server.pem"), folder.path("server.key"))
      for (files, texts) in [
        ([key, key, certificate], ["--tls-cert \(key) cannot"]),
        ([certificate, certificate, certificate], ["--tls-key \(certificate) cannot"]),
        ([certificate, key, key], ["--client-ca \(key) cannot"]),
        (
          [certificate, folder.path("other.key"), certificate],
          ["--tls-cert \(certificate) with --tls-key \(folder.path("other.key")) cannot"]
        ),
      ] as [([String], [String])] {
        let options = zip(["--tls-cert", "--tls-key", "--client-ca"], files).flatMap { [$0, $1] }
        let refusal = try Program.refusal(merchant.arguments + options)
        #expect(refusal.status == 2 && texts.allSatisfy(refusal.text.contains), "\(refusal.text)")
      }
      try authority.issue("expired", use: "serverAuth", days: -1)
      let program = try Program(
        merchant.arguments + ["--tls-cert", folder.path("expired.pem"), "--tls-key", folder.path("expired.key")])
      #expect(program.count("the certificate of --tls-cert: it expired at 20") == 1, "\(program.written)")
    }
  }
}
