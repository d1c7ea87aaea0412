import PaymentToken
import Testing
import TokenScanning

/// Envelopes that no gateway has: the reader does not depend on particular ones.
@Suite struct GeneralEnvelopeTests {
  @Test func `hundreds of routes, parts and fields are read in one pass`() throws {
    let routes = (0..<300).map { Envelope.Route(["r\($0)", "token"], .object) }
    let fields = (0..<300).map { Envelope.Field(["f", "f\($0)"], .number("\($0)")) }
    let parts = (0..<300).map { Envelope.Part("p\($0)", .data) } + [Envelope.Part("s", .signature)]
    let envelope = Envelope(
      name: "wide", routes: routes + [Envelope.Route(["parts"], .parts(parts), fields: fields)], marks: [])
    #expect(try found("{\"r0\":{},\"r299\":{\"token\":{}}}", envelope) == .object("{}"))
    #expect(fault("{\"r0\":{\"token\":1},\"r299\":{\"token\":{}}}", envelope) == malformed)
    let members = (0..<300).map { "\"f\($0)\":\($0)" }.joined(separator: ",")
    let request = "{\"parts\":{\"p299\":\"\",\"s\":\"\"},\"f\":{\(members)}}"
    #expect(try found(request, envelope) == .parts(isSigned: true))
    #expect(fault(request.replacing(":299}", with: ":300}"), envelope) == TokenFault(.envelopeFieldMismatch))
    #expect(fault(request.replacing(":299}", with: ":299,\"f7\":7}"), envelope) == malformed)
    #expect(fault(request.replacing("\"p299\"", with: "\"p3\":1,\"p3\":1,\"p299\""), envelope) == malformed)
  }

  @Test func `a route may pass through the end of another, and a field through the token`() throws {
    let envelope = Envelope(
      name: "nested",
      routes: [
        Envelope.Route(["a", "b"], .object, fields: [Envelope.Field(["a", "b", "c"], .text("x"))]),
        Envelope.Route(["a", "b", "d"], .text),
      ], marks: [])
    #expect(try found("{\"a\":{\"b\":{\"c\":\"x\"}}}", envelope) == .object("{\"c\":\"x\"}"))
    #expect(fault("{\"a\":{\"b\":{\"c\":\"y\"}}}", envelope) == TokenFault(.envelopeFieldMismatch))
    #expect(fault("{\"a\":{\"b\":{\"d\":1}}}", envelope) == malformed)
    #expect(fault("{\"a\":{\"b\":{\"e\":1,\"e\":1}}}", envelope) == nil)
    #expect(fault("{\"a\":{\"b\":{\"d\":1,\"d\":1}}}", envelope) == malformed)
  }

  @Test func `names are compared byte for byte, not by canonical equivalence`() {
    func envelope(_ name: String) -> Envelope {
      Envelope(name: "unicode", routes: [Envelope.Route([name], .object)], marks: [])
    }
    let (composed, decomposed) = (envelope("\u{E9}"), envelope("e\u{301}"))
    for request in ["{\"\u{E9}\":{}}", "{\"\\u00E9\":{}}"] {
      #expect(fault(request, composed) == nil)
      #expect(fault(request, decomposed) == malformed)
    }
    #expect(fault("{\"\u{E9}\":{},\"e\\u0301\":{}}", composed) == nil)
    #expect(EnvelopeReader(.named(composed)).reads(.named(composed)))
    #expect(!EnvelopeReader(.named(composed)).reads(.named(decomposed)))
    #expect(!EnvelopeReader(.named(composed)).reads(.automatic([composed])))
  }

  @Test func `names may be empty, long or contain NUL`() {
    for name in ["", "\0", String(repeating: "n", count: 20_000)] {
      let envelope = Envelope(name: "odd", routes: [Envelope.Route([name, name], .object)], marks: [])
      let written = name == "\0" ? "\\u0000" : name
      #expect(fault("{\"\(written)\":{\"\(written)\":{}}}", envelope) == nil)
      #expect(fault("{\"\(written)x\":{\"\(written)\":{}}}", envelope) == malformed)
      #expect(fault("{\"\(written)\":{\"\(written)\":{},\"\(written)\":{}}}", envelope) == malformed)
    }
  }

  @Test func `long unknown names take time linear in their length`() {
    let envelope = Envelope(name: "plain", routes: [Envelope.Route(["token"], .object)], marks: [])
    let names = (0..<100).map { "\"tok\(String(repeating: "\\u0065", count: 100))\($0)\":0" }.joined(separator: ",")
    #expect(fault("{\(names),\"token\":{}}", envelope) == nil)
    for (count, expected) in [(2_047, nil), (2_048, malformed)] {
      let many = [String](repeating: "\"a\":0", count: count).joined(separator: ",")
      #expect(fault("{\(many),\"token\":{}}", envelope) == expected, "\(count)")
    }
  }

  @Test func `several transaction identifiers must agree`() throws {
    let paths = [["a"], ["b"]]
    let envelope = Envelope(
      name: "two",
      routes: [Envelope.Route(["token"], .object, fields: paths.map { Envelope.Field($0, .transactionId) })], marks: [])
    let (one, two) = (String(repeating: "1", count: 64), String(repeating: "2", count: 64))
    func identifier(_ members: String) throws -> TransactionIdentifier {
      try Reading.of(Array("{\"token\":{}\(members)}".utf8), by: .named(envelope)).get().identifier
    }
    let bytes = try #require(Bytes32(hex: one))
    #expect(try identifier("") == .absent)
    #expect(try identifier(",\"a\":\"\(one)\"") == .bytes(bytes))
    #expect(try identifier(",\"b\":\"\(one)\"") == .bytes(bytes))
    #expect(try identifier(",\"a\":\"\(one)\",\"b\":\"\(one)\"") == .bytes(bytes))
    #expect(try identifier(",\"a\":\"\(one)\",\"b\":\"\(two)\"") == .unreadable)
    #expect(try identifier(",\"a\":1,\"b\":\"\(two)\"") == .unreadable)
  }

  @Test func `an envelope without routes is a bare token, one without marks fits by its routes`() {
    let bare = Envelope(name: "bare", routes: [], marks: [])
    #expect(Reading.of(Array("{}".utf8), by: .automatic([bare])).map(\.envelope) == .success("bare"))
    #expect(Reading.of(Array("x".utf8), by: .automatic([bare])).map(\.envelope) == .success("apple"))
  }

  @Test func `a request does not affect the next one of a reader`() throws {
    var reader = EnvelopeReader(.named(Envelope(name: "p", routes: [Envelope.Route(["t"], .object)], marks: [])))
    let requests: [(String, Bool)] = [
      ("{\"t\":{}}", true), ("{}", false), ("{\"t\":{},\"t\":{}}", false), ("{\"t\":{}}", true), ("x", false),
      ("{\"t\":{}}", true),
    ]
    for (request, isFound) in requests {
      let reading = Reading.of(Array(request.utf8), by: &reader)
      #expect(((try? reading.get()) != nil) == isFound, "\(request)")
    }
  }
  @Test func `one contradicting field suffices, whichever it is`() {
    let fields = [
      Envelope.Field(["a"], .text("x")), Envelope.Field(["b"], .number("1")), Envelope.Field(["c"], .text("y")),
    ]
    let envelope = Envelope(name: "three", routes: [Envelope.Route(["token"], .object, fields: fields)], marks: [])
    for (members, agrees) in [
      (#""a":"x","b":1,"c":"y""#, true), (#""b":1"#, true), (#""a":"X","b":1,"c":"y""#, false),
      (#""a":"x","b":2,"c":"y""#, false), (#""a":"x","b":1,"c":"Y""#, false), (#""a":"X""#, false), (#""b":2"#, false),
    ] {
      let expected = agrees ? nil : TokenFault(.envelopeFieldMismatch)
      #expect(fault("{\(members),\"token\":{}}", envelope) == expected, "\(members)")
    }
  }

  @Test func `a path may be as deep as JSON may nest, and no deeper`() {
    for (length, isFound) in [(31, true), (32, false)] {
      let path = (0..<length).map { "n\($0)" }
      let envelope = Envelope(name: "deep", routes: [Envelope.Route(path, .object)], marks: [])
      let request = path.map { "{\"\($0)\":" }.joined() + "{}" + String(repeating: "}", count: length)
      #expect(fault(request, envelope) == (isFound ? nil : malformed), "\(length)")
    }
  }

  @Test func `a bare token has no fields to contradict it`() throws {
    try ExtractedToken(bare: "apple").checkFields()
  }

  @Test func `names of any characters are found in every spelling, and no others are`() {
    let scalars: [UInt32] = [
      0, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1F, 0x22, 0x2F, 0x41, 0x5C, 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0x1234, 0xD7FF,
      0xE000, 0xFFFF, 0x10000, 0x1F512, 0xFFFFF, 0x100000, 0x10FFFF,
    ]
    let names = scalars.compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
    let short: [String: String] = [
      "\u{8}": #"\b"#, "\t": #"\t"#, "\n": #"\n"#, "\u{C}": #"\f"#, "\r": #"\r"#, "\"": #"\""#, "/": #"\/"#,
      "\\": #"\\"#,
    ]
    for name in names {
      let envelope = Envelope(name: "any", routes: [Envelope.Route(["<\(name)>"], .object)], marks: [])
      for other in names {
        let digits = other.utf16.map { "\\u" + String(0x1_0000 + Int($0), radix: 16).dropFirst() }.joined()
        for written in [digits, digits.uppercased().replacing("\\U", with: "\\u")] + [short[other]].compactMap({ $0 }) {
          let expected = name == other ? nil : malformed
          #expect(fault("{\"<\(written)>\":{}}", envelope) == expected, "\(written) for \(name.unicodeScalars)")
        }
      }
    }
  }
}
