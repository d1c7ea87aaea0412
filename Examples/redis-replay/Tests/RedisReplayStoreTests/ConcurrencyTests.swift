import Foundation
import RedisReplayStore
import Testing

/// Many at once: each transaction is fresh to exactly one.
@Suite(.serialized, .enabled(if: RedisProcess.isInstalled, RedisProcess.comment)) struct ConcurrencyTests {
  /// Both ask about all: from the same one on, so that they compete for each, or the second from another one on, so
  /// that each is the first to ask about some.
  @Test(arguments: [0, 3]) func `to two processes`(eighths: Int) throws {
    let server = try RedisProcess()
    let count = isDeep ? 1_000_000 : 50_000
    let start = ContinuousClock.now
    let claims = try [0, count / 8 * eighths].map { try Claim(server, count: count, first: $0) }
    let fresh = try claims.map { try $0.fresh() }
    let counts = fresh.map { $0.reduce(0) { $0 + Int($1) } }
    print("fresh to each of two processes, of \(count): \(counts) in \(start.duration(to: .now))")
    #expect(zip(fresh[0], fresh[1]).allSatisfy { $0 + $1 == 1 })
    #expect(eighths == 0 || counts.allSatisfy { $0 > 0 })
    // One of them is the key of settings.
    #expect(try server.cli("DBSIZE") == String(count + 1))
  }

  /// A running `claim`.
  private struct Claim {
    private let process = Process()
    private let file: String

    init(_ server: RedisProcess, count: Int, first: Int) throws {
      file = server.folder.path("fresh-\(UUID().uuidString)")
      process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "claim")
      process.arguments = [server.address, String(count), String(first), file]
      try process.run()
    }

    /// A byte for each transaction.
    func fresh() throws -> [UInt8] {
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      return Array(try Data(contentsOf: URL(filePath: file)))
    }
  }
}
