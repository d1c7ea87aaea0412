import Foundation
import StrictJSON
import TestSupport
import Testing

/// Minted tokens of one merchant as lines and as files, decrypted together.
struct BulkFolder {
  let minted: MintedFolder
  /// Tokens that are accepted, each with its own transaction, or requests around them.
  let tokens: [String]

  init(_ count: Int = 3, _ options: [String] = []) throws {
    let minted = try MintedFolder(["--count", "\(count)"] + options)
    self.minted = minted
    let name = options.contains("--envelope") ? "request" : "token"
    tokens = try (1...count).map { number in
      try FileText.text(minted.folder.path(count == 1 ? "\(name).json" : "\(name)-\(number).json"))
    }
  }

  func write(_ lines: [String], end: String = "\n") throws -> String {
    try minted.folder.write(lines.joined(separator: "\n") + end, to: "lines.jsonl")
  }

  /// Decrypts what is in a file or a folder.
  func decrypt(_ path: String, _ more: [String] = [], input: URL? = nil) throws -> BulkOutcome {
    BulkOutcome(try Program.run(["decrypt", path] + minted.options + more, input: input))
  }

  func decrypt(lines: [String], _ more: [String] = []) throws -> BulkOutcome {
    try decrypt(write(lines), ["--lines"] + more)
  }
}

/// The results of many requests.
struct BulkOutcome {
  let status: Int32
  let text: String
  let error: String

  init(_ outcome: Program.Outcome) {
    status = outcome.status
    text = outcome.text
    error = outcome.error
  }

  /// The lines. The last one must end with a newline as well.
  var lines: [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.last == "")
    return lines.dropLast()
  }

  /// The documents, each of which must follow its schema.
  func documents() throws -> [JSON] {
    try lines.map { line in
      JSONSchema.check(Data(line.utf8))
      return try JSON(data: Data(line.utf8))
    }
  }

  /// The code of each result; nil for an accepted token.
  func codes() throws -> [String?] { try documents().map { $0["error"]?["code"]?.string } }

  /// The counts of the table on standard error: code, stage, count.
  var counts: [[String]] {
    error.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }.filter {
      $0.count == 3 && Int($0[1]) != nil && Int($0[2]) != nil
    }
  }
}
