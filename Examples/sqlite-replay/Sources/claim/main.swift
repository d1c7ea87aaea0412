import PaymentToken
import SQLiteReplayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// claim DATABASE COUNT: asks about the transactions 0..<COUNT, and prints how many of them were fresh to this process.
// Several at once show that no transaction is fresh to two of them.
let arguments = CommandLine.arguments
guard arguments.count == 3, let count = UInt64(arguments[2]) else {
  print("usage: claim DATABASE COUNT")
  exit(64)
}
let store = try SQLiteReplayStore(path: arguments[1], busyTimeout: .seconds(60))
let now = UnixTime(secondsSinceEpoch: 1_795_000_000)
var fresh = 0
for number in 0..<count {
  let bytes = (0..<32).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * ($0 % 8))) }
  guard let id = Bytes32(bytes) else { continue }
  switch store.insert(id, at: now, window: 300) {
  case .fresh: fresh += 1
  case .replayed: break
  case .full, .unavailable: exit(2)
  }
}
print(fresh)
