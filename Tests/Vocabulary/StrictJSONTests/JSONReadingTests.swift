import Foundation
import StrictJSON
import TestSupport
import Testing
import TokenScanning

struct JSONReadingTests {
  private func read(_ text: String, within limits: JSONLimits = .strict) -> JSON? {
    try? JSON(reading: Array(text.utf8).span, within: limits)
  }

  private func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  @Test(arguments: [
    "", "{", "[1,2", #"{"a":1}x"#, #"{"a":}"#, #"{"a" 1}"#, "\"\u{1}\"", #""\ud800""#, "tru", "nul", "-", "1e999",
    String(repeating: "[", count: 100),
  ]) func `invalid JSON is rejected`(_ text: String) {
    #expect(read(text, within: .measurements) == nil)
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "[,1]", #"{"a":1,}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, "01", "+1", ".5", "1.", "0x1", "NaN",
    "True", "nulll", "\"\\u+041\"", #""\udc00\ud800""#, "\"\u{0}\"", "1 2", "/**/1", "\u{FEFF}1", #"{"a":1,"a":2}"#,
    #"{"a":{"b":1,"\u0062":2}}"#,
  ]) func `JSON that is not strict or repeats a name is rejected`(_ text: String) {
    #expect(read(text) == nil)
  }

  @Test(arguments: [1, 15, 16, 17, 40])
  func `a repeated name is found in an object of any size`(_ count: Int) {
    let members = (0..<count).map { "\"m\($0)\":0" }
    #expect(read("{\(members.joined(separator: ","))}") != nil)
    for first in members.indices {
      #expect(read("{\((members + [members[first]]).joined(separator: ","))}") == nil, "\(first)")
      #expect(read("{\((members + ["\"\\u006d\(first)\":0"]).joined(separator: ","))}") == nil, "escaped, \(first)")
    }
  }

  // Sanitizers need more address space than the limit.
  @Test(.disabled(if: Sanitizer.isPresent))
  func `the names of an object take memory by their sizes, not by their places`() async {
    await #expect(processExitsWith: .success) {
      let text = "{\(((0..<29_000).map { "\"\($0 + 10_000)\":0" }).joined(separator: ","))}"
      var limit = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      #expect(throws: Never.self) { try JSON(reading: Array(text.utf8).span) }
    }
  }

  @Test(arguments: [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xFF], [0xC3], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
  func `invalid UTF-8 is rejected`(_ bytes: [UInt8]) {
    let text = [0x22] + bytes + [0x22]
    #expect((try? JSON(reading: text.span)) == nil)
  }

  @Test func `JSON is read as it is written`() throws {
    let text = #" {"a":[1,-2.5,true,false,null],"b":{"c":"é\"\\\n\u0041"},"d":[],"e":{}} "#
    let document = try #require(read(text, within: .measurements))
    #expect(document["a"]?.elements?.first?.number == 1)
    #expect(document["a"]?.elements?[1].number == -2.5)
    #expect(document["b"]?["c"]?.string == "é\"\\\nA")
    #expect(document["d"]?.elements?.isEmpty == true)
    #expect(document["x"] == nil)
    #expect(document == read(text))
  }

  @Test func `members keep their order, numbers and strings their content`() {
    #expect(
      read(#"{"b":1.50e+3,"a":[-0,true,null],"\u0061\u0000":"\ud83d\ude00\u0000"}"#)
        == .object([
          .init("b", .number("1.50e+3")), .init("a", .array([.number("-0"), .boolean(true), .null])),
          .init("a\0", .string("😀\0")),
        ]))
  }

  @Test func `names are compared byte for byte`() throws {
    let document = try #require(read("{\"e\u{301}\":1,\"\u{E9}\":2,\"\u{212A}\":3}"))
    #expect(document["\u{E9}"] == .number("2") && document["e\u{301}"] == .number("1"))
    #expect(document["K"] == nil && document["\u{212A}"] == .number("3"))
  }

  @Test func `values have types, and paths lead only through objects`() throws {
    let document = try #require(read(#"{"a":{"b":{"c":7}},"d":[{"e":1}],"f":18446744073709551615,"g":1.0}"#))
    #expect(document[["a", "b", "c"]]?.integer() == 7)
    #expect(document[["a", "b", "c", "d"]] == nil && document[["d", "e"]] == nil)
    #expect(document["f"]?.integer() == UInt64.max && document["f"]?.integer(Int64.self) == nil)
    #expect(document["g"]?.integer(Int.self) == nil && document["g"]?.number == 1)
    #expect(document["a"]?.members?.map(\.name) == ["b"])
    #expect(document.string == nil && document.number == nil && document.elements == nil)
    #expect(document["d"]?.members == nil && document["d"]?["e"] == nil)
  }

  @Test func `nesting is bounded`() {
    #expect(read(nested(32)) != nil && read(nested(33)) == nil)
    #expect(read(nested(64), within: .measurements) != nil && read(nested(65), within: .measurements) == nil)
    #expect(read(String(repeating: #"{"a":"#, count: 33) + "1" + String(repeating: "}", count: 33)) == nil)
  }

  @Test func `in measurements names may repeat, and the first counts`() {
    #expect(read(#"{"a":1,"a":2}"#, within: .measurements)?["a"] == .number("1"))
  }

  @Test func `the members of an object can be limited`() {
    let three = #"{"a":1,"b":{"c":2},"d":3}"#
    #expect(read(three, within: JSONLimits(members: 3)) != nil && read(three, within: JSONLimits(members: 2)) == nil)
    #expect(read(#"{"a":1,"a":2}"#, within: JSONLimits(members: 3)) == nil)
  }

  @Test func `places refer to text that was not copied`() throws {
    let text = Array(#"{"k\u0065y":["a\nb",-12]}"#.utf8)
    guard case .object(let members) = try JSONTree<JSONString>(placesIn: text.span),
      case .array(let elements) = members[0].value, case .string(let string) = elements[0],
      case .number(let number) = elements[1]
    else {
      Issue.record("it is no such object")
      return
    }
    let isKey = members[0].name.equals("key", in: text.span)
    let (content, digits) = (string.text(in: text.span), number.text(in: text.span))
    #expect(isKey && content == "a\nb" && digits == "-12")
    #expect(string.range == 14..<18)
    #expect(number.range == 20..<23)
  }
}

struct JSONPlaceTests {
  private static let document = #"{"groups":[{"tests":[{"token":"AQI=","id":3,"note":null}]}],"isSound":true}"#

  private func root() throws -> JSONPlace { try JSONPlace(reading: Array(Self.document.utf8)) }

  @Test func `values are read in their types`() throws {
    let test = try root().member("groups").elements()[0].member("tests").elements()[0]
    #expect(test.path == "groups[0].tests[0]")
    #expect(try test.member("token").base64() == [1, 2] && test.member("token").text() == "AQI=")
    #expect(try test.member("id").integer(Int.self) == 3 && root().member("isSound").boolean())
    #expect(try test.member("note").nonNull == nil && test.optional("name") == nil)
    #expect(try test.object(["token", "id", "note"]).map(\.name) == ["token", "id", "note"])
  }

  @Test func `errors name the place`() throws {
    let root = try root()
    let test = try root.member("groups").elements()[0].member("tests").elements()[0]
    func error(_ body: () throws -> Void) -> DocumentError? { #expect(throws: DocumentError.self) { try body() } }
    #expect(error { _ = try root.member("seed") } == DocumentError("has no member seed"))
    #expect(error { try root.object(["groups"]) } == DocumentError("has an unknown member isSound"))
    #expect(error { _ = try test.member("id").text() }?.path == "groups[0].tests[0].id")
    #expect(error { _ = try test.member("token").integer(Int.self) }?.reason == "is not a whole number")
    #expect(error { _ = try test.member("note").elements() }?.reason == "is not an array")
    #expect(error { _ = try test.member("note").boolean() }?.reason == "is neither true nor false")
    #expect(error { _ = try test.member("note").member("x") }?.reason == "is not an object")
    #expect(error { _ = try root.member("groups").texts() }?.path == "groups[0]")
  }

  @Test func `a name that is only canonically equivalent is another`() throws {
    let place = try JSONPlace(reading: Array("{\"\u{212A}\":1}".utf8))
    #expect(throws: DocumentError("has an unknown member \u{212A}")) { try place.object(["K"]) }
    #expect(try place.optional("K") == nil)
  }
}
