import Foundation
import PaymentToken

let noon = UnixTime(secondsSinceEpoch: 1_795_000_000)

func after(_ seconds: Int64) -> UnixTime {
  UnixTime(secondsSinceEpoch: noon.secondsSinceEpoch + seconds)
}

func id(_ number: Int) -> Bytes32 {
  Bytes32((0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })!
}

/// A folder that `deinit` removes.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "sqlite-replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var database: String { url.appending(path: "replay.db").path }
}
