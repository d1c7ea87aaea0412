import ReferenceDecryption
import Testing

private func isJSON(_ bytes: [UInt8]) -> Bool { (try? JSONDocument(WipedBytes(bytes.span))) != nil }
private func isJSON(_ text: String) -> Bool { isJSON(Array(text.utf8)) }
/// A document with these bytes inside a string.
private func isString(_ bytes: [UInt8]) -> Bool { isJSON(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)) }
private func unescaped(_ text: String) throws -> [UInt8]? {
  try JSONDocument(WipedBytes(Array("{\"a\":\"\(text)\"}".utf8).span)).members.value(of: "a")?.string.map(Array.init)
}

struct JSONReaderTests {
  @Test(arguments: [
    "{}", " \t\r\n{ \n} \t\r\n", #"{"":null}"#, #"{"a":[]}"#, #"{"a":[1,[2],{}],"b":true,"c":false}"#,
    #"{"a" : 1 , "b":2}"#,
  ])
  func `one object with white space around it`(text: String) { #expect(isJSON(text)) }

  @Test(arguments: [
    "", " ", "[]", "1", "null", "\"a\"", "{}{}", "{},", "{} x", "\u{FEFF}{}", "{", "}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#,
    #"{,"a":1}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":1 "b":2}"#, #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":[1 2]}"#,
    #"{"a":tru}"#,
    #"{"a":True}"#, #"{"a":nul}"#, #"{"a":NaN}"#, #"{"a":1}/**/"#, "{\u{0B}}", "{\u{00A0}}", "{\u{0C}}", #"{"a":[}"#,
    #"{"a":{]}"#, "{\"a\":1}\0", "\0{}", #"{"a""#, #"{"a":"b"#, #"{"a":[1"#, #"{1:1}"#, #"{"a"::1}"#,
    #"{"a":truefalse}"#,
  ])
  func `anything else is not a document`(text: String) { #expect(!isJSON(text)) }

  @Test(arguments: [
    "0", "-0", "1", "-1", "10", "1.0", "0.10", "1e1", "1E1", "1e+1", "1e-1", "0e0", "1.5e007",
    "123456789012345678901234567890",
  ])
  func `numbers of the grammar`(text: String) throws {
    let value = try JSONDocument(WipedBytes(Array("{\"a\": \(text) }".utf8).span)).members.value(of: "a")
    #expect(value.map { Array($0.text) } == Array(text.utf8))
  }

  @Test(arguments: [
    "01", "+1", "1.", ".1", "1e", "1e+", "--1", "-", "0x1", "1_0", "1.e1", "00", "-01", "Infinity", "1.2.3", "1e1.0",
  ])
  func `numbers beyond the grammar`(text: String) { #expect(!isJSON("{\"a\":\(text)}")) }

  @Test func `escapes stand for their characters`() throws {
    #expect(try unescaped(#"\"\\\/\b\f\n\r\t"#) == [0x22, 0x5C, 0x2F, 0x08, 0x0C, 0x0A, 0x0D, 0x09])
    #expect(try unescaped(#"\u0000\u00e9\u20AC\ud83D\uDe00"#) == [0x00] + Array("\u{E9}\u{20AC}\u{1F600}".utf8))
    #expect(try unescaped(#"\uD800\uDC00\uDBFF\uDFFF"#) == Array("\u{10000}\u{10FFFF}".utf8))
    #expect(try unescaped(#"\uFFFF\uD7FF\uE000"#) == Array("\u{FFFF}\u{D7FF}\u{E000}".utf8))
  }

  @Test(arguments: [
    #"\a"#, #"\'"#, #"\U0041"#, #"\u"#, #"\u004"#, #"\u004G"#, #"\u+041"#, #"\ud83d"#, #"\ude00"#, #"\ud83dx"#,
    #"\ud83d\n"#, #"\ud83d\u0041"#, #"\ud83d\ud83d"#, #"\ude00\ud83d"#, #"\x41"#, #"\ "#, #"\ud83d \ude00"#, "\\",
  ])
  func `other escapes are errors`(text: String) { #expect(!isString(Array(text.utf8))) }

  @Test func `control characters are escaped or refused`() {
    for byte in UInt8(0)..<0x20 { #expect(!isString([byte])) }
    #expect(isString([0x7F]))
  }

  @Test func `well-formed UTF-8 alone`() {
    let good: [[UInt8]] = [
      [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF],
      [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xEF, 0xBB, 0xBF],
    ]
    for bytes in good { #expect(isString(bytes), "\(bytes)") }
    let bad: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE1, 0x80], [0xE1, 0x80, 0xC0], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
      [0xFE], [0xFF], [0xF1, 0x80, 0x80], [0xF1, 0x80, 0x80, 0x22],
    ]
    for bytes in bad { #expect(!isString(bytes), "\(bytes)") }
    #expect(!isJSON([0x7B, 0x22, 0xC3, 0x22, 0x3A, 0x31, 0x7D]), "names too")
    #expect(!isJSON([0x7B, 0x22, 0x61, 0x22, 0x3A, 0x22, 0xF1, 0x80]), "cut at the end")
  }

  @Test func `nesting of 32 and no more, objects and arrays alike`() {
    func arrays(_ depth: Int) -> String {
      #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
    }
    func objects(_ depth: Int) -> String {
      String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    }
    #expect(isJSON(arrays(32)) && isJSON(objects(32)))
    #expect(!isJSON(arrays(33)) && !isJSON(objects(33)))
    #expect(!isJSON(#"{"a":"# + String(repeating: "[", count: 60_000)))
  }

  @Test func `values keep their text as written`() throws {
    let document = try JSONDocument(WipedBytes(Array(#"{"a": {"b" : [1, "\u0041"]} }"#.utf8).span))
    #expect(document.members.value(of: "a")?.text.isText(#"{"b" : [1, "\u0041"]}"#) == true)
  }
}
