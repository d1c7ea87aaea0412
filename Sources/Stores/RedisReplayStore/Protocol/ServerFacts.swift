#if Redis

/// The fields of a server's `INFO` that decide whether questions may be sent to it.
struct ServerFacts {
  private var values: [Substring: Substring] = [:]

  /// - Parameter text: the reply to INFO: lines of `name:value`, and headings.
  init(_ text: [UInt8]) {
    for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
  }

  var hasLog: Bool { values["aof_enabled"] == "1" }
  var uptime: UInt64 { values["uptime_in_seconds"].flatMap { UInt64($0) } ?? 0 }

  /// Why questions must not be sent to the server, however old its memory is; nil if they may be.
  func failure(for configuration: RedisReplayStore.Configuration) -> RedisReplayStore.Failure? {
    guard let role = values["role"], let policy = values["maxmemory_policy"], values["aof_enabled"] != nil,
      values["uptime_in_seconds"] != nil
    else { return .unknownServer }
    if values["loading"] != "0" { return .loading }
    if role != "master" { return .notPrimary }
    if values["cluster_enabled"] == "1" { return .clusterMode }
    if policy != "noeviction", !configuration.allowances.contains(.evictingPolicy) { return .evictingPolicy }
    return nil
  }
}

#endif
