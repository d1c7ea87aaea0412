import StrictJSON
import Testing

struct JSONWritingTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `members keep their order, text is escaped`() {
    let document = JSON.object([
      .init("b", .string("a\"\\\n\u{1}\u{9B}é😀")), .init("a", .array([.null, .boolean(true), .integer(-7)])),
    ])
    #expect(document.text == #"{"b":"a\"\\\n\u0001\u009bé😀","a":[null,true,-7]}"#)
  }

  @Test func `a literal reads as what it writes, nil as null`() {
    let (name, count): (String?, UInt64?) = (nil, .max)
    let document: JSON = [
      "b": "x\u{9B}", "a": [1, 2], "name": name, "count": count, "inner": JSON(["c": true, "d": JSON.tenth]),
      "raw": JSONValue.raw("[ ]"), "short": JSONObject(["e": name, "f": -1]), "texts": [name, "y"],
    ]
    let end: JSON = ["last": JSON.null]
    #expect(
      document.with(end).text
        == #"{"b":"x\u009b","a":[1,2],"name":null,"count":18446744073709551615,"inner":{"c":true,"d":0.1},"#
        + #""raw":[ ],"short":{"f":-1},"texts":[null,"y"],"last":null}"#)
  }

  @Test func `nil omits members of a JSONObject`() {
    let (name, flag): (String?, Bool?) = (nil, false)
    let inner: JSONObject = ["name": name]
    let document: JSONValue = [
      "inner": inner.nonEmpty, "empty": inner, "flag": flag, "text": "\u{9B}\n", "raw": JSONValue.raw("null"),
      "list": ["a", nil], "null": JSON.null,
    ]
    #expect(
      text(document.text())
        == #"{"empty":{},"flag":false,"text":"\#u{9B}\u000a","raw":null,"list":["a",null]}"#)
  }

  @Test func `written documents read back unchanged`() throws {
    let document = JSON.object([
      .init("é\"\u{7F}", .array([.number("1.50"), .string("\u{0}\r\t\u{80}"), .object([]), .array([])])),
      .init("", .verbatim(#"{"a":[1]}"#)),
    ])
    #expect(document.text == #"{"é\"\u007f":[1.50,"\u0000\r\t\u0080",{},[]],"":{"a":[1]}}"#)
    let read = try JSON(reading: Array(document.text.utf8).span)
    #expect(read.text == document.text)
  }

  @Test(
    arguments: [
      (.fewest, #""\u000a\u000d\u0009\u0008\"\\/é"# + "\u{7F}\u{9F}\u{202E}\u{A0}\""),
      (.lineFeeds, #""\n\u000d\u0009\u0008\"\\/é"# + "\u{7F}\u{9F}\u{202E}\u{A0}\""),
      (.lineBreaks, #""\n\r\t\u0008\"\\/é"# + "\u{7F}\u{9F}\u{202E}\u{A0}\""),
      (.controls, #""\n\r\t\u0008\"\\/é\u007f\u009f\u202e"# + "\u{A0}\""),
    ] as [(JSONEscapes, String)])
  func `only the chosen characters are escaped`(escapes: JSONEscapes, quoted: String) {
    let content = "\n\r\t\u{8}\"\\/é\u{7F}\u{9F}\u{202E}\u{A0}"
    #expect(text(JSONText.quoted(content, escapes)) == quoted)
    #expect(JSONText.quoted(bytes: Array(content.utf8), escapes) == JSONText.quoted(content, escapes))
  }

  @Test func `invalid UTF-8 is written unchanged`() {
    #expect(JSONText.quoted(bytes: [0xC2, 0xFF, 0x80]) == [0x22, 0xC2, 0xFF, 0x80, 0x22])
  }

  @Test(
    arguments: [
      (.compact, #"{"a":{"b":1,"c":[2,3]},"d":{}}"#),
      (.pretty, "{\n  \"a\": {\n    \"b\": 1,\n    \"c\": [2,3]\n  },\n  \"d\": {}\n}"),
      (
        .wild,
        "{\r\n\t \"a\" \t:\r\n {\r\n\t \"b\" \t:\r\n 1,\r\n\t \"c\" \t:\r\n [2,3]\r\n\t },\r\n\t \"d\" \t:\r\n {}\r\n\t }"
      ),
    ] as [(JSONSpacing, String)])
  func `white space follows the spacing`(spacing: JSONSpacing, expected: String) {
    let inner = JSONObject([.init("b", .raw("1")), .init("c", .array([.raw("2"), .raw("3")]))])
    let document = JSONValue.object(JSONObject([.init("a", .object(inner)), .init("d", .object(JSONObject()))]))
    #expect(text(document.text(spacing)) == expected)
  }
}

extension JSON {
  fileprivate static let tenth = JSON.number("0.1")
}
