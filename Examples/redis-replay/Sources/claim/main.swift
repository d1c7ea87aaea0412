import PaymentToken
import RedisReplayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// claim SERVER COUNT FIRST FILE: see Claiming.swift.
let arguments = try ClaimArguments()
var configuration = RedisReplayStore.Configuration(server: try RedisServer(arguments.server))
configuration.allowances = .restartWithoutLog
let store = try RedisReplayStore(configuration)
guard store.waitUntilReady(for: .seconds(10)) else { exit(2) }
try arguments.claim(store)
