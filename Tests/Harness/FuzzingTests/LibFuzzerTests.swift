import Differential
import FuzzTargets
import Fuzzing
import ReferenceDecryption
import TestSupport
import Testing

/// The parts of libFuzzer's driver and targets, without libFuzzer.
@Suite(.blocking) struct LibFuzzerTests {
  @Test func `all lines of both streams of a command are read, and how it ended`() throws {
    let many = try ChildCommand("seq 1 50000; echo last >&2; exit 3").finish(keeping: .max)
    #expect(many.lines.count == 50_001 && many.lines.last == "last" && many.end == .exited(code: 3))
    let killed = try ChildCommand("echo one; echo two; kill -9 $$").finish(keeping: 1)
    #expect(killed.lines == ["two"] && killed.end == .killed(signal: 9))
    #expect(try ChildCommand("exit 0").finish(keeping: 1).end == .exited(code: 0))
  }

  /// Whether the fast engine's scanner finds the same in one text as the reference's reader in another.
  private static func areSame(_ text: String, _ other: String) throws -> Bool {
    let text = Array(text.utf8)
    let found = JSONReaders.scanned(text.span)
    let members = try #require(found)
    let document = try JSONDocument(WipedBytes(Array(other.utf8).span))
    defer { document.wipe() }
    return JSONReaders.areSame(members, document.members, in: text.span)
  }

  @Test func `what both readers find is compared in structure, names, strings and numbers`() throws {
    let text = #"{"a":[1,{"b":"\u0063"}],"d":true,"e":null}"#
    #expect(try Self.areSame(text, text))
    #expect(try Self.areSame(text, #" { "\u0061" : [ 1 , { "b" : "c" } ] , "d" : false , "e" : null } "#))
    let others = [
      #"{"A":[1,{"b":"c"}],"d":true,"e":null}"#, #"{"a":[1.0,{"b":"c"}],"d":true,"e":null}"#,
      #"{"a":[1,{"b":"C"}],"d":true,"e":null}"#, #"{"a":[1,{"b":"c"},0],"d":true,"e":null}"#,
      #"{"a":[1,["c"]],"d":true,"e":null}"#, #"{"a":[1,{"b":"c"}],"d":null,"e":null}"#,
      #"{"a":[1,{"b":"c"}],"d":true}"#, #"{"a":["1",{"b":"c"}],"d":true,"e":null}"#, "{}",
    ]
    for other in others { #expect(try !Self.areSame(text, other), "\(other)") }
  }

  @Test(arguments: ["", "[]", "{", "{\"a\":01}", "{\"a\":\"\u{1}\"}", "{} 0"])
  func `what is no document is none for the scanner`(_ text: String) {
    let found = JSONReaders.scanned(Array(text.utf8).span)
    #expect(found == nil)
  }
}
