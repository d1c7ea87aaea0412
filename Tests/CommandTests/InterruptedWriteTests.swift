import Foundation
import HostIO
import TestSupport
import Testing

/// Programs that are ended while they write files.
@Suite(.blocking, .serialized) struct InterruptedWriteTests {
  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `a signal that the caller has blocked stops nothing`(number: Int32) throws {
    let folder = try TemporaryFolder()
    let files = ["one", "two"].map { FileWriter.Content([1], to: folder.path($0), visibility: .ownerOnly) }
    // The signal must not end the tests.
    let action = signal(number) { _ in }
    defer { signal(number, action) }
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, number)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try #require(pthread_kill(pthread_self(), number) == 0)
    try FileWriter.write(files, replacing: false)
    // The signal is taken: the thread may have blocked it before, and would keep it pending for the next test.
    var taken: Int32 = 0
    sigwait(&blocked, &taken)
    #expect(taken == number)
    #expect(try Set(names(in: folder)) == ["one", "two"])
  }

  @Test func `what a killed process with the same number left is not in the way`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("left", to: "one.\(getpid()).partial")
    try FileWriter.write([1], to: folder.path("one"), visibility: .ownerOnly, replacing: false)
    #expect(try Set(names(in: folder)) == ["one", "one.\(getpid()).partial"])
    #expect(try FileText.text(folder.path("one.\(getpid()).partial")) == "left")
  }

  @Test func `a signal that is ignored stops nothing`() throws {
    let folder = try TemporaryFolder()
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let action = signal(SIGHUP, SIG_IGN)
    defer { signal(SIGHUP, action) }
    // The blocked signal stays pending until the handler is set to SIG_IGN again, which discards it.
    try #require(pthread_kill(pthread_self(), SIGHUP) == 0)
    defer { signal(SIGHUP, SIG_IGN) }
    try FileWriter.write([.init([1], to: folder.path("one"), visibility: .ownerOnly)], replacing: false)
    #expect(try names(in: folder) == ["one"])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `minting that is ended leaves all files or none`(number: Int32) throws {
    let folder = try TemporaryFolder()
    let process = try Program.start(["mint", "--out", folder.url.path, "--count", "2000", "--seed", "3"])
    while process.isRunning, try names(in: folder).isEmpty { Thread.block(forSeconds: 0.001) }
    kill(process.processIdentifier, number)
    process.blockUntilExit()
    // Either the signal or the last file came first.
    let names = try names(in: folder)
    #expect(names.filter(FileWriter.isTemporary) == [])
    #expect([0, 2003].contains(names.count))
    if process.terminationReason == .exit, process.terminationStatus == 0 { #expect(names.count == 2003) }
  }

  @Test func `the unfinished files of a killed program are no keys of a folder`() throws {
    let minted = try MintedFolder()
    let keys = minted.folder.path("keys")
    for (name, target) in [
      ("merchant.key", "merchant.key"), ("merchant.pem", "merchant.pem"), ("root.pem", "other.key.4711.partial"),
    ] {
      try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: minted.folder.path(name), toPath: "\(keys)/\(target)")
    }
    let outcome = try Program.run(
      ["decrypt", minted.token, "--key", keys, "--root", minted.folder.path("root.pem"), "--at", MintedFolder.time])
    #expect(outcome.status == 0 && outcome.error.contains("other.key.4711.partial (unfinished)"), "\(outcome.error)")
  }
}
