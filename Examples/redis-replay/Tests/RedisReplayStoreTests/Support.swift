import RedisReplayStore

extension RedisReplayStore: TestedStore {
  /// Whether it waits because its server may have forgotten transactions.
  var isWaitingForMemory: Bool {
    if case .failed(.mayHaveForgotten(1...722)) = metrics.status { true } else { false }
  }
}

/// Short times, for tests.
func configuration(_ server: String) throws -> RedisReplayStore.Configuration {
  var configuration = RedisReplayStore.Configuration(server: try RedisServer(server))
  configuration.allowances = .restartWithoutLog
  configuration.initialBackoff = .milliseconds(5)
  configuration.maximumBackoff = .milliseconds(50)
  return configuration
}
