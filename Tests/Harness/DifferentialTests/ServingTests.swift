import Foundation
import HostIO
import PaymentToken
import ReferenceDecryption
import Serving
import Testing

/// The answering side of the line protocol, without a process.
@Suite struct ServingTests {
  private static func session() -> ServingSession {
    ServingSession(version: "1.2.3") { (keys, anchors) throws(EngineError) in
      try ReferenceDecryptor(keys: keys, anchors: anchors)
    }
  }

  private static func text(_ answer: Answer) -> String { String(decoding: answer.bytes, as: UTF8.self) }

  @Test func `every line is answered, whatever it holds`() {
    var session = Self.session()
    func answer(_ line: String) -> String { Self.text(session.answer(Array(line.utf8).span)) }
    #expect(answer(#"{"id":"a"}"#) == #"{"id":"a","error":"hello must come first"}"# + "\n")
    #expect(answer("[").hasPrefix(#"{"hello":1,"error":""#))
    #expect(
      answer(#"{"hello":1,"keys":[],"rootsPem":[]}"#) == #"{"hello":1,"error":"windowSeconds is missing"}"# + "\n")
    #expect(Self.text(session.answerToOverlongLine()).contains("the line is longer than 4194304 bytes"))
  }

  @Test func `lines are lent one at a time, and one that is too long is passed over`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let written = Array("one\n12345678\n\nlast".utf8)
    #expect(write(ends[1], written, written.count) == written.count)
    close(ends[1])
    defer { close(ends[0]) }
    var reader = LineReader(ends[0], limit: 4)
    var lines: [String] = []
    var isOver = false
    while !isOver {
      switch try reader.next() {
      case .complete:
        lines.append(String(decoding: reader.withLine { $0.withUnsafeBufferPointer { Array($0) } }, as: UTF8.self))
      case .tooLong: lines.append("too long")
      case .end: isOver = true
      }
    }
    #expect(lines == ["one", "too long", "", "last"])
  }
}
