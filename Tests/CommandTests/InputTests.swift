import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct InputTests {
  @Test func `unreadable and unusable files are no answer, and named`() throws {
    let minted = try MintedFolder()
    let folder = minted.folder
    let junk = try folder.write("junk", to: "junk.pem")
    let cases: [(arguments: [String], named: String)] = [
      ([folder.path("absent.json")] + minted.options, "absent.json"),
      ([folder.url.path, "--lines"] + minted.options, folder.url.lastPathComponent),
      ([minted.token, "--key", folder.path("absent.key")], "absent.key"),
      ([minted.token, "--key", junk], "junk.pem"),
      ([minted.token, "--cert", junk], "junk.pem"),
      ([minted.token, "--root", junk] + minted.options.prefix(4), "junk.pem"),
      ([minted.token, "--root", folder.path("merchant.key")] + minted.options.prefix(4), "merchant.key"),
      ([minted.token, "--revoked", folder.path("absent.txt")] + minted.options, "absent.txt"),
      ([minted.token, "--key", "/dev/zero"], "/dev/zero"),
    ]
    for (arguments, named) in cases {
      let outcome = try Program.run(["decrypt"] + arguments)
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.contains(named), "\(arguments): \(outcome.error)")
    }
  }

  /// Runs the program, and ends it after 20 seconds if it waits for input that never comes.
  private static func patiently(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["20", Program.url.path] + arguments, program: URL(filePath: "/usr/bin/timeout"))
  }

  @Test func `a FIFO that nobody writes to is refused wherever a file is taken`() throws {
    let minted = try MintedFolder()
    let fifo = minted.folder.path("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    let key = minted.folder.path("merchant.key")
    let commands: [[String]] = [
      ["decrypt", fifo] + minted.options, ["explain", fifo] + minted.options, ["decrypt", minted.token, "--key", fifo],
      ["decrypt", minted.token, "--root", fifo] + minted.options.prefix(4),
      ["decrypt", minted.token, "--revoked", fifo] + minted.options,
      ["decrypt", minted.token, "--key", key, "--password-file", fifo], ["fuzz", "replay", fifo],
      ["corpus", "add", fifo, "--corpus", minted.folder.path("corpus")],
    ]
    for command in commands {
      let outcome = try Self.patiently(command)
      #expect(outcome.status == 2, "\(command): \(outcome.error)")
      #expect(outcome.error.contains("fifo is not a regular file"), "\(command): \(outcome.error)")
    }
    let inspected = try Self.patiently(["keys", "inspect", fifo])
    #expect(inspected.status == 2 && inspected.error.contains("not a regular file"), "\(inspected.error)")
  }

  @Test(arguments: [
    "decrypt - \"$@\"", "decrypt --lines \"$@\"", "explain - \"$@\"", "keys inspect -", "decrypt \"$token\" --key -",
    "diff -",
  ])
  func `a closed standard input is no answer, and said to be closed`(command: String) throws {
    let minted = try MintedFolder()
    let outcome = try Program.shell("token=$1; shift; assay \(command) <&-", [minted.token] + minted.options)
    #expect(outcome.status == 2 && outcome.error.contains(": it is closed."), "\(outcome)")
  }

  @Test func `a FIFO in a folder of keys is left aside by its name, and so is a link to it or to a folder`() throws {
    let minted = try MintedFolder()
    let keys = minted.folder.path("keys")
    try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: minted.folder.path("merchant.key"), toPath: "\(keys)/merchant.key")
    try #require(mkfifo("\(keys)/fifo", 0o600) == 0)
    for (name, target) in [("link", "fifo"), ("other", "..")] {
      try FileManager.default.createSymbolicLink(atPath: "\(keys)/\(name)", withDestinationPath: target)
    }
    let outcome = try Self.patiently(["keys", "inspect", keys])
    let left = ["fifo", "link", "other"].map { "\(keys)/\($0) (not a regular file)" }.joined(separator: ", ")
    #expect(outcome.status == 0 && outcome.error.contains("left aside: \(left)."), "\(outcome)")
  }

  @Test(arguments: ["-", "/dev/stdin", "/dev/fd/0"])
  func `a pipe is read when it is named as a descriptor`(_ name: String) throws {
    let minted = try MintedFolder()
    let piped = try Program.shell(
      "token=$1; shift; cat \"$token\" | assay decrypt \"$@\" >/dev/null", [minted.token, name] + minted.options)
    #expect(piped.status == 0, "\(piped.error)")
  }

  @Test func `an endless input is too large, and is not read to its end`() throws {
    let outcome = try MintedFolder().decrypt(["--json"], input: URL(filePath: "/dev/zero"))
    #expect(outcome.status == 1)
    #expect((try outcome.json()["error"] as? [String: Any])?["code"] as? String == "tokenTooLarge")
  }

  @Test(arguments: [16_384, 16_385, 65_536, 65_537, 100_000])
  func `the limits of size are those of the rules`(count: Int) throws {
    let minted = try MintedFolder()
    var token = try Data(contentsOf: URL(filePath: minted.token))
    token.append(Data(repeating: UInt8(ascii: " "), count: count - token.count))
    try token.write(to: URL(filePath: minted.token))
    let outcome = try minted.decrypt(["--json"])
    #expect(outcome.status == (count <= 16_384 ? 0 : 1))
    if count > 16_384 {
      #expect((try outcome.json()["error"] as? [String: Any])?["code"] as? String == "tokenTooLarge")
    }
  }

  @Test func `an answer that cannot be written is no answer`() throws {
    let minted = try MintedFolder()
    let full = try Program.shell("assay decrypt \"$@\" >/dev/full", [minted.token] + minted.options)
    #expect(full.status == 2)
  }

  @Test func `a closed pipe is no answer, and nothing is said of it`() throws {
    let minted = try MintedFolder()
    // The message about an absent file can be read: standard error is open.
    for (token, words) in [(minted.token, false), (minted.folder.path("absent.json"), true)] {
      let (status, error) = try Program.runWithoutReader(["decrypt", token] + minted.options)
      #expect(status == 2)
      #expect(error.isEmpty != words)
    }
  }

  @Test func `an interrupt ends with 130`() throws {
    let minted = try MintedFolder()
    let input = Pipe()
    let process = try Program.start(["decrypt"] + minted.options, input: input)
    Program.blockUntilInterruptsAreHandled(by: process)
    // It waits for input that does not come.
    Thread.block(forSeconds: 0.5)
    kill(process.processIdentifier, SIGINT)
    process.blockUntilExit()
    try? input.fileHandleForWriting.close()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
  }

  @Test func `what a terminal acts upon does not reach it`() throws {
    let minted = try MintedFolder(["--cardholder", "\u{1B}[31mEve\u{202E}\u{7}"])
    let outcome = try minted.decrypt(["--reveal"])
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("[31mEve"))
    #expect(!outcome.text.contains("\u{1B}") && !outcome.text.contains("\u{7}") && !outcome.text.contains("\u{202E}"))
  }
}
