import Foundation
import RedisReplayStore
import Testing

/// A server on a Unix socket. A test writes its replies.
final class FakeServer: Sendable {
  let folder: TemporaryFolder
  private let listener: Int32

  /// - Parameter serve: called for each connection, on a thread of its own, with the connection and its number.
  init(_ serve: @escaping @Sendable (FakeConnection, Int) -> Void) throws {
    folder = try TemporaryFolder()
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.path("fake.sock")
    memcpy(&address.sun_path, path, min(path.utf8.count, MemoryLayout.size(ofValue: address.sun_path) - 1))
    let status = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0 && listen(listener, 16) == 0)
    Foundation.Thread { [listener] in
      var number = 0
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        let connection = FakeConnection(client)
        let this = number
        number += 1
        Foundation.Thread { serve(connection, this) }.start()
      }
    }.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  var address: String { "unix:\(folder.path("fake.sock"))" }
}

/// A connection of a fake server. `deinit` closes it.
final class FakeConnection: @unchecked Sendable {
  private let descriptor: Int32
  private var received: [UInt8] = []

  static let facts =
    "role:master\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\nuptime_in_seconds:9\r\nloading:0\r\ncluster_enabled:0"

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The next command; nil when the client is gone.
  func command() -> [String]? {
    guard let head = line(), head.hasPrefix("*"), let count = Int(head.dropFirst()) else { return nil }
    var words: [String] = []
    for _ in 0..<count {
      guard let head = line(), let length = Int(head.dropFirst()), let word = take(length), take(2) != nil else {
        return nil
      }
      words.append(String(decoding: word, as: UTF8.self))
    }
    return words
  }

  /// The reply to a command by which a store checks a server; nil for another command.
  static func reply(
    to command: [String], facts: String = facts, memoryAge: Int = 1_000_000, logAge: Int = 1_000_000, offset: Int = 0
  ) -> String? {
    switch (command[0], command.count > 1 ? command[1] : "") {
    case ("TIME", _): time(offset)
    case ("INFO", _): "$\(facts.utf8.count)\r\n\(facts)\r\n"
    case ("SET", "assay:memory"), ("SET", "assay:log"): "$-1\r\n"
    case ("TTL", "assay:memory"): ":\(century - memoryAge)\r\n"
    // The store deletes this key if there is no log.
    case ("TTL", "assay:log"): facts.contains("aof_enabled:1") ? ":\(century - logAge)\r\n" : ":-2\r\n"
    case ("GET", "assay:memory"): "$23\r\nwindow=300 tolerance=60\r\n"
    default: nil
    }
  }

  /// The seconds of a century, after which the key `memory` expires.
  static let century = 3_155_760_000
  /// The last two replies to a batch: the age of the server's memory, and its time.
  static func end(_ offset: Int = 0) -> String { ":\(century - 1_000_000)\r\n" + time(offset) }

  /// Answers the checks of a new connection.
  func admit(facts: String = facts, memoryAge: Int = 1_000_000, logAge: Int = 1_000_000, offset: Int = 0) {
    while let command = command() {
      let text = Self.reply(to: command, facts: facts, memoryAge: memoryAge, logAge: logAge, offset: offset)
      guard let text else { return }
      reply(text)
      if command[0] == "GET" { return }
    }
  }

  /// Reads the commands of a batch of `count` questions; false if the client is gone.
  func readBatch(of count: Int = 1) -> Bool { (0..<(count + 3)).allSatisfy { _ in command() != nil } }

  /// The time of the server's clock, as TIME replies it.
  static func time(_ offset: Int = 0) -> String {
    let seconds = String(Int(Date().timeIntervalSince1970) + offset)
    return "*2\r\n$\(seconds.count)\r\n\(seconds)\r\n$1\r\n0\r\n"
  }

  func reply(_ text: String) { reply(Array(text.utf8)) }

  func reply(_ bytes: [UInt8]) {
    _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private func line() -> String? {
    while true {
      if let end = received.firstIndex(of: 10) {
        let line = String(decoding: received[..<(end - 1)], as: UTF8.self)
        received.removeFirst(end + 1)
        return line
      }
      guard fill() else { return nil }
    }
  }

  private func take(_ count: Int) -> [UInt8]? {
    while received.count < count { guard fill() else { return nil } }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }

  private func fill() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 { received += buffer[..<count] }
    return count > 0
  }
}
