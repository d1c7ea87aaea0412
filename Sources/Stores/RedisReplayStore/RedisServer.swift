#if Redis

/// The address of a server: `redis://host:port/database`, `rediss://…` with TLS, or `unix:/path`.
public struct RedisServer: Hashable, Sendable {
  enum Endpoint: Hashable, Sendable {
    case tcp(host: String, port: String)
    case unix(path: String)
  }

  let endpoint: Endpoint
  let usesTLS: Bool
  /// The number of the database that is selected.
  public let database: Int
  /// The user in the address, if any.
  public let user: String?

  /// Reads an address.
  ///
  /// - Throws: `ConfigurationError` for a text that is not an address, and for an address with a password, which the
  ///   list of processes would show.
  public init(_ text: String) throws(RedisReplayStore.ConfigurationError) {
    if let path = Self.rest(of: text, after: "unix:") {
      let path = path.hasPrefix("//") ? String(path.dropFirst(2)) : String(path)
      guard path.hasPrefix("/"), path.utf8.count <= 100 else {
        throw .init("The path of a server's socket begins with / and has at most 100 bytes.")
      }
      self.init(.unix(path: path), usesTLS: false, database: 0, user: nil)
      return
    }
    let secured = Self.rest(of: text, after: "rediss://")
    guard let rest = secured ?? Self.rest(of: text, after: "redis://") else {
      throw .init("A server's address begins with redis://, rediss:// or unix:/.")
    }
    let (authority, database) = try Self.split(rest)
    let (user, place) = try Self.split(authority: authority)
    self.init(try Self.endpoint(place), usesTLS: secured != nil, database: database, user: user)
  }

  private init(_ endpoint: Endpoint, usesTLS: Bool, database: Int, user: String?) {
    (self.endpoint, self.usesTLS, self.database, self.user) = (endpoint, usesTLS, database, user)
  }

  private static func rest(of text: String, after scheme: String) -> Substring? {
    text.hasPrefix(scheme) ? text.dropFirst(scheme.count) : nil
  }

  private static func split(
    _ rest: Substring
  ) throws(RedisReplayStore.ConfigurationError) -> (authority: Substring, database: Int) {
    // A password may contain a slash, so it is looked for first.
    if let at = rest.lastIndex(of: "@"), rest[..<at].contains(":") {
      throw .init("A server's address contains no password: write the password to a file, and name the file.")
    }
    guard !rest.contains(where: { "%?#".contains($0) }) else {
      throw .init("A server's address contains no %, ? or #.")
    }
    guard let slash = rest.firstIndex(of: "/") else { return (rest, 0) }
    let number = rest[rest.index(after: slash)...]
    if number.isEmpty { return (rest[..<slash], 0) }
    guard let database = UInt16(number) else {
      throw .init("The path of a server's address is the number of a database.")
    }
    return (rest[..<slash], Int(database))
  }

  private static func split(
    authority: Substring
  ) throws(RedisReplayStore.ConfigurationError) -> (user: String?, place: Substring) {
    guard let at = authority.lastIndex(of: "@") else { return (nil, authority) }
    let user = authority[..<at]
    guard !user.isEmpty else { throw .init("The user of a server's address is empty.") }
    return (String(user), authority[authority.index(after: at)...])
  }

  private static func endpoint(_ place: Substring) throws(RedisReplayStore.ConfigurationError) -> Endpoint {
    var (host, port): (Substring, Substring) = (place, "6379")
    if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
      host = place[place.index(after: place.startIndex)..<end]
      let rest = place[place.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw .init("A port follows a colon.") }
      if !rest.isEmpty { port = rest.dropFirst() }
    } else if let colon = place.firstIndex(of: ":") {
      (host, port) = (place[..<colon], place[place.index(after: colon)...])
    }
    guard !host.isEmpty, let number = UInt16(port), number > 0 else {
      throw .init("A server's address has a host, and a port from 1 to 65535; IPv6 addresses are in brackets.")
    }
    return .tcp(host: String(host), port: String(number))
  }
}

#endif
