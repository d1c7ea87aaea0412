import Foundation
import PaymentToken
import Testing

/// A store that connects to a server.
protocol TestedStore: AsynchronousReplayStore {
  func waitUntilReady(for time: Duration) -> Bool
}

func id(_ number: Int) -> Bytes32 {
  Bytes32((0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })!
}

/// The present time, which stores compare with the server's.
var now: UnixTime { UnixTime(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)) }

/// Whether `ASSAY_TESTS=deep` asks for tests with large numbers.
let isDeep = ProcessInfo.processInfo.environment["ASSAY_TESTS"] == "deep"

/// A folder that `deinit` removes.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    // Short: the path of a socket has at most 100 bytes.
    url = URL(filePath: "/tmp").appending(path: "replay-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}

/// A value under a lock that ThreadSanitizer sees.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}

/// Runs a program to its end. Returns its output.
@discardableResult
func run(_ program: String, _ arguments: [String], mayFail: Bool = false) throws -> String {
  let (process, output) = (Process(), Pipe())
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  let text = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  if !mayFail { try #require(process.terminationStatus == 0, "\(program) \(arguments)") }
  return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

func isInstalled(_ program: String) -> Bool {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
}

/// A port of the loopback that nobody listens on now.
func freePort() throws -> Int {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let port = withUnsafeTemporaryAllocation(of: sockaddr_in.self, capacity: 1) { room -> UInt16? in
    room.initialize(repeating: address)
    let status = room.withMemoryRebound(to: sockaddr.self) { raw in
      bind(descriptor, raw.baseAddress, size) == 0 && getsockname(descriptor, raw.baseAddress, &size) == 0
    }
    return status ? room[0].sin_port : nil
  }
  return Int(UInt16(bigEndian: try #require(port)))
}

/// Whether `condition` becomes true within `seconds`.
func becomesTrue(within seconds: Double = 10, _ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now.advanced(by: .seconds(seconds))
  while ContinuousClock.now < end {
    if try condition() { return true }
    usleep(2_000)
  }
  return try condition()
}

/// Asks about many transactions in one call, and waits for all answers.
func ask(
  _ store: any AsynchronousReplayStore, _ numbers: some Collection<Int>, for time: Duration = .seconds(30)
) -> [ReplayVerdict] {
  let (count, done) = (numbers.count, DispatchSemaphore(value: 0))
  let answers = Locked<(verdicts: [ReplayVerdict?], left: Int)>((Array(repeating: nil, count: count), count))
  let deadline = ContinuousClock.now.advanced(by: time)
  let questions = numbers.map { ReplayQuestion(id($0), at: now, window: 300, deadline: deadline) }
  store.insert(questions) { index, verdict in
    let left = answers.withLock { answers in
      if answers.verdicts[index] != nil { Issue.record("answered a second time") }
      answers.verdicts[index] = verdict
      answers.left -= 1
      return answers.left
    }
    if left == 0 { done.signal() }
  }
  if count > 0, done.wait(timeout: .now() + 60) == .timedOut { Issue.record("a question has no answer") }
  return answers.withLock { $0.verdicts.map { $0 ?? .unavailable } }
}
