import Foundation
import Testing
import TokenServer

let lineType = "Content-Type: application/x-ndjson\r\n"

/// Some bodies as lines, each with a line feed.
func lines(_ bodies: [[UInt8]]) -> [UInt8] { bodies.flatMap { $0 + [UInt8(ascii: "\n")] } }

extension Client {
  /// The head of a request in lines, and nothing of its body.
  @discardableResult
  func beginLines(_ path: String = "/decrypt", length: Int, headers: String = "") -> Bool {
    send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(lineType)\(headers)Content-Length: \(length)\r\n\r\n")
  }
}

extension Response {
  /// The documents of an answer in lines.
  func documents() throws -> [[String: Any]] {
    #expect(body.isEmpty || body.last == UInt8(ascii: "\n"))
    return try text.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// The line number of each document, and the code of its refusal, or `accepted`.
  func outcomes() throws -> [Outcome] {
    try documents().map { document in
      let code = (document["error"] as? [String: Any])?["code"] as? String
      #expect((code == nil) == (document["accepted"] as? Bool == true))
      return Outcome(try #require(document["line"] as? Int), code ?? "accepted")
    }
  }
}

struct Outcome: Equatable {
  let line: Int
  let code: String

  init(_ line: Int, _ code: String) { (self.line, self.code) = (line, code) }
}

/// A request in lines on a connection of its own.
func linesRequest(
  _ address: String, _ body: [UInt8], to path: String = "/decrypt", headers: String = lineType
) throws -> Response {
  try request(address, "POST", path, body, headers: headers)
}
