import Foundation
import PaymentToken
import PostgreSQLReplayStore
import Testing

/// Concurrent claims: each transaction is fresh to exactly one process.
@Suite(.serialized, .enabled(if: PostgreSQLProcess.isInstalled, PostgreSQLProcess.comment)) struct ConcurrencyTests {
  private let count = isDeep ? 1_000_000 : 50_000

  /// Both processes claim every transaction. They begin with the same one and compete for all, or the second begins
  /// with another one, so that each process is the first to claim some.
  @Test(arguments: [0, 3]) func `to two processes`(eighths: Int) throws {
    let server = try PostgreSQLProcess()
    _ = try ready(configuration(server.address))
    let start = ContinuousClock.now
    let claims = try [0, count / 8 * eighths].map { try Claim(server, count: count, first: $0) }
    let fresh = try claims.map { try $0.fresh() }
    let counts = fresh.map { $0.reduce(0) { $0 + Int($1) } }
    print("fresh to each of two processes, of \(count): \(counts) in \(start.duration(to: .now))")
    #expect(zip(fresh[0], fresh[1]).allSatisfy { $0 + $1 == 1 })
    #expect(eighths == 0 || counts.allSatisfy { $0 > 0 })
    #expect(try server.query("SELECT count(DISTINCT id) FROM assay_replay") == String(count))
  }

  @Test func `to the survivor of two processes, unless the killed one had it`() throws {
    let server = try PostgreSQLProcess()
    _ = try ready(configuration(server.address))
    let killed = try Claim(server, count: count, first: 0)
    let survivor = try Claim(server, count: count, first: 0)
    #expect(try becomesTrue { try Int(server.query("SELECT count(*) FROM assay_replay")) ?? 0 > count / 10 })
    killed.kill()
    let before = try killed.fresh()
    let after = try survivor.fresh()
    let counts = [before, after].map { $0.reduce(0) { $0 + Int($1) } }
    print(
      "fault: client killed: transactions \(count), accepted by it \(counts[0]), by the other \(counts[1]), "
        + "accepted twice \(zip(before, after).count { $0 + $1 > 1 })")
    #expect(zip(before, after).allSatisfy { $0 + $1 <= 1 })
    #expect(counts.allSatisfy { $0 > 0 })
  }

  /// A running `claim`.
  private struct Claim {
    private let process = Process()
    private let file: String

    init(_ server: PostgreSQLProcess, count: Int, first: Int) throws {
      file = server.folder.path("fresh-\(UUID().uuidString)")
      process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "claim")
      process.arguments = [server.address, String(count), String(first), file]
      try process.run()
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// A byte for each transaction.
    func fresh() throws -> [UInt8] {
      process.waitUntilExit()
      try #require(process.terminationReason == .uncaughtSignal || process.terminationStatus == 0)
      return Array(try Data(contentsOf: URL(filePath: file)))
    }
  }
}
