import Gateways
import Minting
import PaymentToken
import TestCases

/// A hostile input of the maximum size. The size multiplies the cost of a byte: an attacker can make an engine repeat
/// the work for a byte 16,384 times in a token, and 65,536 times in a request.
struct FullSizeInput {
  let name: String
  /// The envelope to read it as.
  let envelope: Envelope
  let bytes: [UInt8]
}

extension FullSizeInput {
  /// JSON text that is made by repeating a unit, to fill an input with what is slow to read.
  private struct Filler {
    let name: String
    var opening = ""
    let unit: String
    /// More units. They are mixed with `unit` in random order, so that the processor's branch prediction fails.
    var others: [String] = []
    var separator = ""
    var closing = ""

    /// Text of about `size` bytes. If the units come near the limit of values in a document (rule 2.4) before that, a
    /// string of characters and short escapes, which is slow to read, fills the rest.
    func text(_ size: Int) -> String {
      let units = [unit] + others
      let longest = units.reduce(0) { max($0, $1.utf8.count) }
      var generator = SeededGenerator(seed: 1)
      var (text, values) = (opening, 0)
      while text.utf8.count + 2 * longest + closing.utf8.count < size {
        let next = units.count == 1 ? unit : units[Int(generator.next() % UInt64(units.count))]
        values += separator.isEmpty ? 0 : 1 + next.count { "[{".contains($0) }
        guard values < RuleLimits.values - 64 else { return text + slowString(size - text.utf8.count) + closing }
        text += next + separator
      }
      return text + unit + closing
    }

    private func slowString(_ size: Int) -> String {
      let name = opening == "{" ? "\"\":" : ""
      let unit = "\u{E9}\\/"
      let count = (size - closing.utf8.count - name.utf8.count - 2) / unit.utf8.count
      return name + "\"" + String(repeating: unit, count: max(count, 0)) + "\""
    }
  }

  /// Fillers of each kind of text for which a JSON reader may have separate code.
  private static let fillers: [Filler] =
    [
      ("text", "a"), ("2-byte-characters", "\u{E9}"), ("3-byte-characters", "\u{20AC}"),
      ("4-byte-characters", "\u{1F600}"),
      ("mixed-characters", "a\u{E9}"), ("characters-and-short-escapes", "\u{E9}\\/"),
      ("characters-and-long-escapes", "\u{E9}\\u0041"), ("short-escapes", "\\n"),
      ("text-and-short-escapes", "aaaaaaa\\n"),
      ("long-escapes", "\\u0041"), ("long-escapes-of-2-bytes", "\\u00e9"), ("long-and-short-escapes", "\\u0041\\n"),
      ("surrogate-escapes", "\\ud83d\\ude00"),
    ]
    .map { Filler(name: "string-of-\($0)", opening: "\"", unit: $1, closing: "\"") }
    + [
      ("zeros", "0"), ("numbers", "12"), ("fractions", "1.0"), ("numbers-with-everything", "-0.1e+1"),
      ("empty-strings", "\"\""),
      ("short-strings", "\"a\""), ("strings-of-an-escape", "\"\\n\""), ("strings-of-a-character", "\"\u{E9}\""),
      ("empty-arrays", "[]"), ("empty-objects", "{}"), ("objects", "{\"\":0}"),
      ("literals", "true"),
      ("spaced-zeros", " 0 "),
    ]
    .map { Filler(name: "array-of-\($0)", opening: "[", unit: $1, separator: ",", closing: "]") }
    + [
      Filler(
        name: "array-of-nests", opening: "[",
        unit: String(repeating: "[", count: 28) + String(repeating: "]", count: 28),
        separator: ",", closing: "]"),
      Filler(name: "object-of-members", opening: "{", unit: "\"\":0", separator: ",", closing: "}"),
      Filler(name: "number-of-digits", unit: "1"),
      Filler(name: "spaces", unit: " ", closing: "0"),
      Filler(name: "white-space", unit: "\r\n\t ", closing: "0"),
    ]
    + [
      ("characters", "a", ["\u{E9}", "\u{20AC}", "\u{1F600}"]),
      ("characters-and-escapes", "a", ["\u{E9}", "\\n", "\\u0041"]),
    ]
    .map { Filler(name: "string-of-random-\($0)", opening: "\"", unit: $1, others: $2, closing: "\"") }

  /// Arrays of small values in random order, so that the processor cannot predict where the next value ends.
  private static let unpredictable: [Filler] = [
    ("integers", "0", ["12", "123"]),
    ("numbers", "0", ["12", "-1", "1.0", "1e1", "-0.1e+1"]),
    ("white-space", "0", [" 0", "0 ", "  0", "0  ", " 0 ", "   0  "]),
    (
      "values", "0",
      [
        "\"\"", "[]", "{}", "true", "null", "12", "1.0", "-1", "\"a\"", "\"\u{E9}\"", "\"\\n\"", " 0", "[0]",
        "{\"\":0}",
      ]
    ),
  ]
  .map { Filler(name: "array-of-random-\($0)", opening: "[", unit: $1, others: $2, separator: ",", closing: "]") }

  /// Inserts an unknown member in front of the others of a JSON object, and fills it so that the text has about `size`
  /// bytes.
  private static func filled(_ text: [UInt8], _ filler: Filler, to size: Int) -> [UInt8] {
    let opening = Array("{\"x\":".utf8)
    let value = Array(filler.text(size - text.count - opening.count).utf8)
    return opening + value + [UInt8(ascii: ",")] + text.dropFirst()
  }

  // MARK: Tokens

  /// Tokens of about 16 KiB.
  ///
  /// - Parameter forged: a token in which only the signature value is wrong, so that an engine reads most of it before
  ///   it refuses it.
  static func tokens(around forged: TokenLayers) throws(MintingError) -> [FullSizeInput] {
    var inputs = fillers.map { ("member-that-is-a-\($0.name)", filled(forged.token, $0, to: RuleLimits.token)) }
    inputs += longNames(forged.token)
    inputs += strings(of: forged)
    inputs += try signatures(around: forged)
    return inputs.map { FullSizeInput(name: "full-size-\($0.0)", envelope: .apple, bytes: $0.1) }
  }

  /// Tokens with nearly the maximum number of members (64, rule 2.5), whose names are as long as possible and differ
  /// only in their last two characters.
  private static func longNames(_ token: [UInt8]) -> [(String, [UInt8])] {
    [("plain", "a"), ("escaped", "\\u0061")].map { name, unit in
      let count = 59
      // Around its long name each member has seven characters: two quotes, two digits, colon, 0 and comma.
      let room = (RuleLimits.token - token.count) / count - 7
      let long = String(repeating: unit, count: room / unit.utf8.count)
      let members = (0..<count).map { "\"\(long)\($0 + 10)\":0," }.joined()
      return ("names-\(name)", Array("{".utf8) + Array(members.utf8) + token.dropFirst())
    }
  }

  /// Tokens in which one string is as long as possible: plain or escaped, and valid or invalid only at its end.
  private static func strings(of layers: TokenLayers) -> [(String, [UInt8])] {
    let members = ["data", "signature", "ephemeralPublicKey", "publicKeyHash", "transactionId", "applicationData"]
    return members.flatMap { member in
      [("", "A"), ("-escaped", "\\u0041"), ("-of-solidi", "\\/")].flatMap { form, unit in
        ["", "-invalid-at-its-end"].map { end in
          (member + form + end, token(layers, filling: member, with: unit, end: end.isEmpty ? "" : "----"))
        }
      }
    }
  }

  /// The token with one member, of its object or of its header, that brings it to the maximum size.
  private static func token(
    _ layers: TokenLayers, filling member: String, with unit: String, end: String
  ) -> [UInt8] {
    var object = layers.object
    func set(_ text: String) {
      let value = JSONValue.raw("\"\(text)\"")
      guard member != "data", member != "signature" else {
        object[member] = value
        return
      }
      guard case .object(var header) = object["header"] else { return }
      header[member] = value
      object["header"] = .object(header)
    }
    set("")
    // Four characters are a whole group of base64 and two whole bytes in hexadecimal.
    let group = String(repeating: unit, count: 4)
    let room = RuleLimits.token - JSONValue.object(object).text().count - end.utf8.count
    set(String(repeating: group, count: room / group.utf8.count) + end)
    return JSONValue.object(object).text()
  }

  /// Tokens with large `data` or large signed attributes. They are well-formed, so that an engine reads and hashes the
  /// large part before it refuses the token.
  private static func signatures(around forged: TokenLayers) throws(MintingError) -> [(String, [UInt8])] {
    // Base64 writes three bytes as four characters; 64 bytes are left for the DER headers around the content.
    let room = (RuleLimits.token - forged.token.count) / 4 * 3 - 64
    var inputs: [(String, [UInt8])] = []
    var large = forged
    large.data = [UInt8](repeating: 0x5A, count: room)
    inputs.append(("data-of-another-signature", large.token))
    try large.sign()
    inputs.append(("data-with-a-forged-signature", large.token))
    let attributes: [(String, [UInt8])] = [
      ("a-value", ASN1Node.octetString([UInt8](repeating: 0x5A, count: room - 8)).encoded),
      ("nulls", repeated([0x05, 0x00], room)),
      ("integers", repeated([0x02, 0x01, 0x01], room)),
      ("sequences", repeated([0x30, 0x02, 0x30, 0x00], room)),
      ("identifiers", repeated([0x06, 0x01, 0x2A], room)),
      (
        "a-long-identifier",
        ASN1Node.raw(
          [0x06, 0x82, UInt8((room - 8) >> 8), UInt8((room - 8) & 0xFF)]
            + [UInt8](repeating: 0x2A, count: room - 8)
        ).encoded
      ),
    ]
    for (name, values) in attributes {
      var token = forged
      token.signatureRecipe.editAttributes = { list in
        list.append(.sequence([.raw([0x06, 0x01, 0x2A]), .set([.raw(values)])]))
      }
      try token.sign()
      inputs.append(("attribute-of-\(name)", token.token))
    }
    var token = forged
    let empty = repeated([0x30, 0x05, 0x06, 0x01, 0x2A, 0x31, 0x00], room)
    token.signatureRecipe.editAttributes = { $0.append(.raw(empty)) }
    try token.sign()
    inputs.append(("attributes", token.token))
    return inputs
  }

  private static func repeated(_ unit: [UInt8], _ size: Int) -> [UInt8] {
    Array(repeatElement(unit, count: size / unit.count).joined())
  }

  // MARK: Requests

  /// Requests of about 64 KiB: for two envelopes that contain the token in a string, requests whose string has that
  /// size; for each gateway with a signed form, requests with a forged token and a filler.
  ///
  /// - Parameter token: a forged token.
  static func requests(around token: [UInt8]) -> [FullSizeInput] {
    let bambora = { (text: String) in
      "{\"payment_method\":\"apple_pay\",\"apple_pay\":{\"payment_token\":\"\(text)\"}}"
    }
    let mpgs = { (text: String) in
      "{\"order\":{\"walletProvider\":\"APPLE_PAY\"},\"sourceOfFunds\":{\"provided\":{\"card\":"
        + "{\"devicePayment\":{\"paymentToken\":\"\(text)\"}}}}}"
    }
    var inputs: [FullSizeInput] = []
    for (envelope, request) in [(Envelope.bambora, bambora), (.mpgs, mpgs)] {
      for (name, unit) in [
        ("", "A"), ("-escaped", "\\u0041"), ("-of-solidi", "\\/"), ("-half-escaped", "A\\u0041"), ("-invalid", "A-"),
        ("-not-ASCII", "\\u00e9"),
      ] {
        let group = String(repeating: unit, count: 4)
        let text = request(String(repeating: group, count: (RuleLimits.request - 120) / group.utf8.count))
        inputs.append(
          FullSizeInput(
            name: "full-size-\(envelope.name)-string\(name)", envelope: envelope, bytes: Array(text.utf8)))
      }
    }
    for (name, unit) in [
      ("empty-names", "\"\":0"), ("short-names", #""a":0"#), ("escaped-names", #""\n":0"#),
      ("long-escapes", #""\u0061":0"#),
      ("names-of-a-character", "\"\u{E9}\":0"), ("names-as-long-as-token", #""other":0"#),
      ("names-of-an-order", #""order":0"#), ("escaped-names-of-an-order", #""o\u0072der":0"#),
    ] {
      let members = Filler(name: name, opening: "{", unit: unit, separator: ",", closing: ",")
      inputs += signedRequests(around: token).map { gateway, request in
        let bytes = Array(members.text(RuleLimits.request - request.count).utf8) + request.dropFirst()
        return FullSizeInput(name: "full-size-\(gateway.name)-after-\(name)", envelope: gateway.envelope, bytes: bytes)
      }
    }
    return inputs + fillers.flatMap { requests(around: token, "", filledWith: $0) }
  }

  /// Requests of about 64 KiB around tokens of about 16 KiB, so that slow parts of the request and of the token add up.
  static func requests(around tokens: [FullSizeInput]) -> [FullSizeInput] {
    fillers.filter { slowFillers.contains($0.name) }.flatMap { filler in
      tokens.flatMap { requests(around: $0.bytes, "-around-\($0.name)", filledWith: filler) }
    }
  }

  /// Requests of about 64 KiB with small values in random order, both in the token and around it.
  static func unpredictable(around token: [UInt8]) -> [FullSizeInput] {
    unpredictable.flatMap { filler in
      let large = filled(token, filler, to: RuleLimits.token)
      return requests(around: large, "-inside-and-outside", filledWith: filler)
    }
  }

  /// The fillers that take longest in a request; the note of `load/forged-request-costliest/fast` names the slowest.
  private static let slowFillers = ["array-of-zeros", "array-of-fractions", "array-of-literals"]

  /// A filled request for each gateway with a signed form.
  private static func requests(around token: [UInt8], _ name: String, filledWith filler: Filler) -> [FullSizeInput] {
    signedRequests(around: token).map { gateway, request in
      FullSizeInput(
        name: "full-size-\(gateway.name)-with-a-\(filler.name)\(name)", envelope: gateway.envelope,
        bytes: filled(request, filler, to: RuleLimits.request))
    }
  }

  /// A request around the token in the first signed form of each gateway that has one.
  private static func signedRequests(around token: [UInt8]) -> [(gateway: Gateway, bytes: [UInt8])] {
    var generator = SeededGenerator(seed: 1)
    return Gateway.all.compactMap { gateway in
      gateway.forms.first(where: \.isSigned).map {
        (gateway, $0.request(around: token, in: .plain, using: &generator))
      }
    }
  }
}
