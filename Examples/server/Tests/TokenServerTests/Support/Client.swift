import Foundation
import Testing
import TokenServer

#if canImport(Glibc)
  import Glibc
#endif

/// An answer as it came.
struct Response {
  let status: Int
  /// Names in lower case.
  let headers: [String: String]
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  func json() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
  }

  /// The code of a refusal or a problem.
  var code: String? { ((try? json())?["error"] as? [String: Any])?["code"] as? String }
}

struct ConnectionRefused: Error {}

/// A client that sends exactly the bytes that a test gives it.
final class Client {
  private let socket: Int32
  private var rest: [UInt8] = []

  init(_ address: String) throws {
    let parts = address.split(separator: ":")
    let port = try #require(UInt16(parts[1]))
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(socket >= 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    inet_pton(AF_INET, String(parts[0]), &name.sin_addr)
    let connected = withUnsafePointer(to: name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // All properties are set, so `deinit` closes the socket if this throws.
    guard connected == 0 else { throw ConnectionRefused() }
    var now: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &now, socklen_t(MemoryLayout<Int32>.size))
  }

  private var isClosed = false

  deinit { close() }

  func close() {
    if !isClosed { Glibc.close(socket) }
    isClosed = true
  }

  /// Closes the connection with a reset (RST) instead of a FIN.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Makes sending fail after this time without progress.
  func limitSending(milliseconds: Int) {
    var time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
    #expect(setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size)) == 0)
  }

  func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// False if the other side has gone, or sending takes too long.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// A request with a body of known length.
  @discardableResult
  func post(_ path: String, _ body: [UInt8], headers: String = "") -> Bool {
    send(Array("POST \(path) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
  }

  /// The next answer; nil when the other side closes, or says nothing for `seconds`.
  func receive(seconds: Int32 = 60, isHead: Bool = false) -> Response? {
    while true {
      if let response = parse(isHead: isHead) { return response }
      guard readSome(seconds: seconds) else { return nil }
    }
  }

  /// Whether the other side closes the connection before it is silent for `seconds`.
  func isEnded(seconds: Int32 = 10) -> Bool {
    var query = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&query, 1, seconds * 1_000) == 1 {
      if !readSome(seconds: 0) { return true }
    }
    return false
  }

  private func readSome(seconds: Int32) -> Bool {
    var query = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&query, 1, seconds * 1_000) == 1 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    rest += buffer[..<count]
    return true
  }

  private func parse(isHead: Bool) -> Response? {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = rest.firstRange(of: mark) else { return nil }
    let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers[line[..<colon].lowercased()] = value
    }
    let length = isHead || status < 200 ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
    guard rest.count >= end.upperBound + length else { return nil }
    let body = Array(rest[end.upperBound..<(end.upperBound + length)])
    rest.removeFirst(end.upperBound + length)
    return Response(status: status, headers: headers, body: body)
  }
}

/// One request on a connection of its own.
func request(_ server: Server, _ method: String, _ path: String, _ body: [UInt8] = []) throws -> Response {
  try request(server.address, method, path, body)
}

func request(
  _ address: String, _ method: String, _ path: String, _ body: [UInt8] = [], headers: String = ""
) throws -> Response {
  let client = try Client(address)
  let head = "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: \(body.count)\r\n\r\n"
  client.send(Array(head.utf8) + body)
  return try #require(client.receive(isHead: method == "HEAD"))
}
