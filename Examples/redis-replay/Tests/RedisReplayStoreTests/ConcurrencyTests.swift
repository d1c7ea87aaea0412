import Foundation
import RedisReplayStore
import Testing

/// Concurrent claims: each transaction is fresh to exactly one process.
@Suite(.serialized, .enabled(if: RedisProcess.isInstalled, RedisProcess.comment)) struct ConcurrencyTests {
  /// Both processes claim every transaction. They begin with the same one and compete for all, or the second begins
  /// with another one, so that each process is the first to claim some.
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
    // One key holds the settings.
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
