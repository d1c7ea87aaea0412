import PaymentToken
import RedisReplayStore
import SQLiteReplayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// replay-load PORT LOGGED-PORT REPLICATED-PORT DATABASE SECONDS: measures servers on this machine: one without a log,
// also as if it were a round trip of a millisecond away, one that syncs its log, and one with a replica; beside them
// stores in memory and in SQLite. All take turns in rounds.
let arguments = CommandLine.arguments
guard arguments.count == 6, let port = UInt16(arguments[1]), let logged = UInt16(arguments[2]),
  let replicated = UInt16(arguments[3]), let seconds = Int(arguments[5]), seconds > 0
else {
  print("usage: replay-load PORT LOGGED-PORT REPLICATED-PORT DATABASE SECONDS")
  exit(64)
}

func store(_ port: UInt16, waitingFor replicas: Int = 0) throws -> RedisReplayStore {
  var configuration = RedisReplayStore.Configuration(server: try RedisServer("redis://127.0.0.1:\(port)"))
  configuration.allowances = .restartWithoutLog
  configuration.acknowledgingReplicas = replicas
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
let stores = (
  near: try store(port), logged: try store(logged), far: try store(proxy.port),
  replicated: try store(replicated, waitingFor: 1)
)
var measurements = [
  Measurement("memory, one at a time", MemoryReplayStore(capacity: 1 << 23), numbers),
  Measurement("SQLite, one at a time", try SQLiteReplayStore(path: arguments[4]), numbers),
  Measurement("Redis here, one at a time", stores.near, numbers),
  Measurement("Redis here, 64 at a time", stores.near, inFlight: 64, numbers),
  Measurement("Redis here, 512 at a time", stores.near, inFlight: 512, numbers),
  Measurement("Redis here, appendfsync always, one at a time", stores.logged, numbers),
  Measurement("Redis here, appendfsync always, 512 at a time", stores.logged, inFlight: 512, numbers),
  Measurement("Redis here, WAIT 1, one at a time", stores.replicated, numbers),
  Measurement("Redis here, WAIT 1, 512 at a time", stores.replicated, inFlight: 512, numbers),
  Measurement("Redis 1 ms away, one at a time", stores.far, numbers),
  Measurement("Redis 1 ms away, 64 at a time", stores.far, inFlight: 64, numbers),
  Measurement("Redis 1 ms away, 512 at a time", stores.far, inFlight: 512, numbers),
]
for _ in 0..<5 {
  for index in measurements.indices { measurements[index].run(for: .seconds(seconds) / 5) }
}
print("| store | transactions/s | p50 µs | p99 µs | not fresh |\n|---|---:|---:|---:|---:|")
for measurement in measurements { print(measurement.row) }
