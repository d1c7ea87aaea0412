import Foundation
import PaymentToken
import SQLiteReplayStore
import Testing

/// Concurrent claims: each transaction is fresh to exactly one of them.
struct ConcurrencyTests {
  @Test func `to two threads of one store`() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database, busyTimeout: .seconds(60))
    #expect(await fresh([store, store], count: 500) == 500)
  }

  @Test func `to two stores of one process`() async throws {
    let folder = try TemporaryFolder()
    let stores = try (0..<2).map { _ in try SQLiteReplayStore(path: folder.database, busyTimeout: .seconds(60)) }
    #expect(await fresh(stores, count: 500) == 500)
  }

  @Test func `to three processes`() throws {
    let folder = try TemporaryFolder()
    let count = 500
    let claims = try (0..<3).map { _ in try Claim(folder.database, count: count) }
    let fresh = try claims.map { try $0.fresh() }
    print("fresh to each of three processes: \(fresh)")
    #expect(fresh.reduce(0, +) == count)
  }

  private func fresh(_ stores: [SQLiteReplayStore], count: Int) async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for store in stores {
        group.addTask { (0..<count).count { store.insert(id($0), at: noon, window: 300) == .fresh } }
      }
      return await group.reduce(0, +)
    }
  }

  /// A running `claim`.
  private struct Claim {
    private let process = Process()
    private let output = Pipe()

    init(_ database: String, count: Int) throws {
      process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "claim")
      process.arguments = [database, String(count)]
      process.standardOutput = output
      try process.run()
    }

    func fresh() throws -> Int {
      let answer = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      return try #require(Int(String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)))
    }
  }
}
