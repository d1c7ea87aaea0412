import PaymentToken
import PostgreSQLReplayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// claim SERVER COUNT FIRST FILE: see Claiming.swift.
let arguments = try ClaimArguments()
var configuration = PostgreSQLReplayStore.Configuration(connection: arguments.server)
configuration.timeLimit = .seconds(10)
let store = try PostgreSQLReplayStore(configuration)
guard store.waitUntilReady(for: .seconds(10)) else { exit(2) }
try arguments.claim(store)
