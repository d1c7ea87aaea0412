import RedisReplayStore

extension RedisReplayStore: TestedStore {}

/// Short times, for tests.
func configuration(_ server: String) throws -> RedisReplayStore.Configuration {
  var configuration = RedisReplayStore.Configuration(server: try RedisServer(server))
  configuration.allowances = .restartWithoutLog
  configuration.shortestBackoff = .milliseconds(5)
  configuration.longestBackoff = .milliseconds(50)
  configuration.seed = 25
  return configuration
}
