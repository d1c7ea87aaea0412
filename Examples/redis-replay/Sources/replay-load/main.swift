import PaymentToken
import RedisReplayStore
import SQLiteReplayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// replay-load PORT LOGGED-PORT DATABASE SECONDS: measures a server on this machine without a log and one that syncs its
// log, the first one also as if it were a round trip of a millisecond away, and stores in memory and in SQLite. All take
// turns in rounds.
let arguments = CommandLine.arguments
guard arguments.count == 5, let port = UInt16(arguments[1]), let logged = UInt16(arguments[2]),
  let seconds = Int(arguments[4]), seconds > 0
else {
  print("usage: replay-load PORT LOGGED-PORT DATABASE SECONDS")
  exit(64)
}

func store(_ port: UInt16) throws -> RedisReplayStore {
  var configuration = RedisReplayStore.Configuration(server: try RedisServer("redis://127.0.0.1:\(port)"))
  configuration.allowances = .restartWithoutLog
  let store = try RedisReplayStore(configuration)
  guard store.waitUntilReady(for: .seconds(10)) else {
    print("the server on port \(port) is not ready: \(store.metrics.status)")
    exit(2)
  }
  return store
}

// The proxy itself adds a tenth of a millisecond each way.
guard let proxy = DelayingProxy(to: port, delay: .microseconds(400)) else { exit(70) }
let numbers = Numbers()
let stores = (near: try store(port), logged: try store(logged), far: try store(proxy.port))
var measurements = [
  Measurement("memory, one at a time", MemoryReplayStore(capacity: 1 << 23), numbers),
  Measurement("SQLite, one at a time", try SQLiteReplayStore(path: arguments[3]), numbers),
  Measurement("Redis here, one at a time", stores.near, numbers),
  Measurement("Redis here, 64 at a time", stores.near, inFlight: 64, numbers),
  Measurement("Redis here, 512 at a time", stores.near, inFlight: 512, numbers),
  Measurement("Redis here, appendfsync always, one at a time", stores.logged, numbers),
  Measurement("Redis here, appendfsync always, 512 at a time", stores.logged, inFlight: 512, numbers),
  Measurement("Redis 1 ms away, one at a time", stores.far, numbers),
  Measurement("Redis 1 ms away, 64 at a time", stores.far, inFlight: 64, numbers),
  Measurement("Redis 1 ms away, 512 at a time", stores.far, inFlight: 512, numbers),
]
for _ in 0..<5 {
  for index in measurements.indices { measurements[index].run(for: .seconds(seconds) / 5) }
}
print("| store | transactions/s | p50 µs | p99 µs | not fresh |\n|---|---:|---:|---:|---:|")
for measurement in measurements { print(measurement.row) }
