import Explanation
import Foundation
import PaymentToken

/// Tokens as languages, libraries and databases print them.
extension Wrapping {
  static let printers: [Wrapping] = whole + inOtherText + bytes + converted + lost + shortened

  /// The members of a token, with the header's apart.
  private struct Parts {
    let token: [(name: String, value: String)]
    let header: [(name: String, value: String)]

    init(_ text: String) throws {
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
      func strings(_ members: [String: Any]) -> [(name: String, value: String)] {
        members.compactMap { name, value in (value as? String).map { (name, $0) } }.sorted { $0.name < $1.name }
      }
      token = strings(object)
      header = strings(object["header"] as? [String: Any] ?? [:])
    }

    /// The members, each as `member` writes it, and the header's members as `enclose` encloses them.
    func written(
      separator: String = ", ", member: (String, String) -> String, header enclose: (String) -> String
    ) -> String {
      let inside = header.map { member($0.name, $0.value) }.joined(separator: separator)
      return (token.map { member($0.name, $0.value) } + [enclose(inside)]).joined(separator: separator)
    }
  }

  private static func object(
    _ text: String, separator: String = ", ", _ member: (String, String) -> String, header: (String) -> String
  ) throws -> String {
    try Parts(text).written(separator: separator, member: member, header: header)
  }

  private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  private static func snakeCase(_ name: String) -> String { name.replacing(/[A-Z]/) { "_\($0.0.lowercased())" } }

  // MARK: Whole objects

  private static let whole = [
    Wrapping(.printedObject, "Kotlin's toString") {
      "OrderPayment.ApplePayToken(\(try object($0, { "\($0)=\($1)" }, header: { "header=Header(\($0))" })))"
    },
    Wrapping(.printedObject, "Kotlin's toString of a payment around it") {
      let token = try object($0, { "\($0)=\($1)" }, header: { "header=Header(\($0))" })
      return "Payment(id=5, paymentData=PaymentData(\(token)), transactionIdentifier=ABC)"
    },
    Wrapping(.printedObject, "a record of Java") {
      "Token[\(try object($0, { "\($0)=\($1)" }, header: { "header=Header[\($0)]" }))]"
    },
    Wrapping(.printedObject, "java.util.Map") {
      "{\(try object($0, { "\($0)=\($1)" }, header: { "header={\($0)}" }))}"
    },
    Wrapping(.printedObject, "a record of Haskell") {
      "Token {\(try object($0, { "\($0) = \"\($1)\"" }, header: { "header = Header {\($0)}" }))}"
    },
    Wrapping(.printedObject, "TOML") {
      try object($0, separator: "\n", { "\($0) = \"\($1)\"" }, header: { "[header]\n\($0)" })
    },
    Wrapping(.printedObject, "a map of Terraform") {
      try "token = {\n"
        + object($0, separator: "\n", { "  \"\($0)\" = \"\($1)\"" }, header: { "  \"header\" = {\n\($0)\n}" })
        + "\n}"
    },
    Wrapping(.printedObject, "a table of Lua") {
      try "{\n" + object($0, separator: ",\n", { "  \($0) = \"\($1)\"" }, header: { "  header = {\n\($0)\n}" }) + "\n}"
    },
    Wrapping(.printedObject, "a properties file of Java") {
      try object($0, separator: "\n", { "\($0)=\($1)" }, header: { $0.replacing("\n", with: "\nheader.") })
    },
    Wrapping(.printedObject, "a Map as Node.js inspects it") {
      let inside = try object($0, { "'\($0)' => '\($1)'" }, header: { "'header' => Map(3) { \($0) }" })
      return "Map(4) { \(inside) }"
    },
    Wrapping(.printedObject, "a record of C#") {
      "ApplePayToken { \(try object($0, { "\(capitalized($0)) = \($1)" }, header: { "Header = Header { \($0) }" })) }"
    },
    Wrapping(.printedObject, "a map of Go") {
      "map[\(try object($0, separator: " ", { "\($0):\($1)" }, header: { "header:map[\($0)]" }))]"
    },
    Wrapping(.printedObject, "a pointer to a struct of Go") {
      "&{\(try object($0, separator: " ", { "\(capitalized($0)):\($1)" }, header: { "Header:{\($0)}" }))}"
    },
    Wrapping(.printedObject, "a map of Go in its own syntax") {
      "map[string]interface {}{"
        + (try object($0, { "\"\($0)\":\"\($1)\"" }, header: { "\"header\":map[string]interface {}{\($0)}" })) + "}"
    },
    Wrapping(.printedObject, "a struct of Go in its own syntax") {
      "main.Token{\(try object($0, { "\(capitalized($0)):\"\($1)\"" }, header: { "Header:main.Header{\($0)}" }))}"
    },
    Wrapping(.printedObject, "NSDictionary") {
      let members = try object(
        $0, separator: "\n", { "    \($0) = \"\($1)\";" }, header: { "header =     {\n\($0)\n};" })
      return "{\n\(members)\n}\n"
    },
    Wrapping(.printedObject, "Dictionary of Swift") {
      "[\(try object($0, { "\"\($0)\": \"\($1)\"" }, header: { "\"header\": [\($0)]" }))]"
    },
    Wrapping(.printedObject, "a struct of Swift") {
      "ApplePayToken(\(try object($0, { "\($0): \"\($1)\"" }, header: { "header: App.Header(\($0))" })))"
    },
    Wrapping(.printedObject, "Debug of Rust") {
      "Token { \(try object($0, { "\(snakeCase($0)): \"\($1)\"" }, header: { "header: Header { \($0) }" })) }"
    },
    Wrapping(.printedObject, "serde_json::Value of Rust") {
      "Object {\(try object($0, { "\"\($0)\": String(\"\($1)\")" }, header: { "\"header\": Object {\($0)}" }))}"
    },
    Wrapping(.printedObject, "Map of Scala") {
      "Map(\(try object($0, { "\($0) -> \($1)" }, header: { "header -> Map(\($0))" })))"
    },
    Wrapping(.printedObject, "a map of Elixir") {
      "%{\(try object($0, { "\"\($0)\" => \"\($1)\"" }, header: { "\"header\" => %{\($0)}" }))}"
    },
    Wrapping(.printedObject, "a map of Erlang") {
      let members = try object(
        $0, separator: ",", { "<<\"\($0)\">> => <<\"\($1)\">>" }, header: { "<<\"header\">> => #{\($0)}" })
      return "#{\(members)}"
    },
    Wrapping(.printedObject, "a map of Clojure") {
      "{\(try object($0, { ":\($0) \"\($1)\"" }, header: { ":header {\($0)}" }))}"
    },
    Wrapping(.printedObject, "Map of Dart") {
      "{\(try object($0, { "\($0): \($1)" }, header: { "header: {\($0)}" }))}"
    },
    Wrapping(.printedObject, "a hash table of PowerShell") {
      "@{\(try object($0, separator: "; ", { "\($0)=\($1)" }, header: { "header=@{\($0)}" }))}"
    },
    Wrapping(.printedObject, "Data::Dumper of Perl") {
      "$VAR1 = {\n"
        + (try object($0, separator: ",\n", { "  '\($0)' => '\($1)'" }, header: { "'header' => {\n\($0)\n}" }))
        + "\n};\n"
    },
    Wrapping(.printedObject, "an object of Ruby") {
      "#<Token:0x0000 \(try object($0, { "@\($0)=\"\($1)\"" }, header: { "@header=#<Header:0x0001 \($0)>" }))>"
    },
    Wrapping(.printedObject, "a dataclass of Python") {
      "Token(\(try object($0, { "\($0)='\($1)'" }, header: { "header=Header(\($0))" })))"
    },
    Wrapping(.printedObject, "YAML") {
      try object($0, separator: "\n", { "\($0): \($1)" }, header: { "header:\n\($0)" }) + "\n"
    },
    Wrapping(.printedObject, "hstore of PostgreSQL") { try object($0, { "\"\($0)\"=>\"\($1)\"" }, header: { $0 }) },
    Wrapping(.objectLiteral, "a class as Node.js inspects it") {
      "ApplePayToken {\n" + (try object($0, { "\($0): '\($1)'" }, header: { "header: {\n\($0)\n}" })) + "\n}"
    },
    Wrapping(.pythonDict, "OrderedDict of Python") {
      "OrderedDict([\(try object($0, { "('\($0)', '\($1)')" }, header: { "('header', OrderedDict([\($0)]))" }))])"
    },
    Wrapping(.phpPrintR, "print_r with the header") {
      "Array\n(\n"
        + (try object($0, separator: "\n", { "    [\($0)] => \($1)" }, header: { "[header] => Array\n(\n\($0)\n)" }))
        + "\n)\n"
    },
    Wrapping(.phpVarDump, "var_dump with the header") {
      let members = try object(
        $0, separator: "\n", { "  [\"\($0)\"]=>\n  string(\($1.utf8.count)) \"\($1)\"" },
        header: { "  [\"header\"]=>\n  array(3) {\n\($0)\n  }" })
      return "array(4) {\n\(members)\n}\n"
    },
    Wrapping(.phpVarDump, "var_export") {
      "array (\n" + (try object($0, { "  '\($0)' => '\($1)'" }, header: { "'header' => \n  array (\n\($0)\n  )" }))
        + ",\n)"
    },
  ]

  // MARK: Within other text

  private static let inOtherText = [
    Wrapping(.pythonDict, "a Python dict in a log line") {
      "2026-03-01 12:00:00,123 INFO payments payload=\($0.replacing("\"", with: "'")) user=5\n"
    },
    Wrapping(.pythonDict, "a Python dict in a dict") {
      "INFO:root:{'id': 5, 'token': \($0.replacing("\"", with: "'"))}"
    },
    Wrapping(.pythonDict, "a Python dict with JSON whose slashes are escaped") {
      "{'token': '\($0.replacing("/", with: "\\\\/"))'}"
    },
    Wrapping(.printedObject, "java.util.Map in a log line") {
      "12:00 [main] INFO c.s.Pay - token: {\(try object($0, { "\($0)=\($1)" }, header: { "header={\($0)}" }))}\n"
    },
    Wrapping(.printedObject, "pairs of a log line") {
      "level=info " + (try object($0, separator: " ", { "\($0)=\($1)" }, header: { $0 })) + " status=ok\n"
    },
    Wrapping(.phpPrintR, "print_r in a log") {
      "[2026-03-01] token: Array\n(\n"
        + (try object($0, separator: "\n", { "    [\($0)] => \($1)" }, header: { "[header] => Array\n(\n\($0)\n)" }))
        + "\n)\n"
    },
    Wrapping(.printedObject, "Kotlin's toString in a log line of JSON") {
      let token = try object($0, { "\($0)=\($1)" }, header: { "header=Header(\($0))" })
      return #"{"level":"info","msg":\#(quote("got Token(\(token))"))}"#
    },
    Wrapping(.surroundedByText, "a row of psql") {
      "  id | token\n----+-----\n  5 | \\x\(Hex.encode($0.utf8))\n(1 row)\n"
    },
    Wrapping(.surroundedByText, "NSData in a log line") { "App[1:2] paymentData: <\(groups($0))>\n" },
    Wrapping(.surroundedByText, "a file of CSV") { "id,token\n5,\"\($0.replacing("\"", with: "\"\""))\"\n" },
    Wrapping(.surroundedByText, "a statement of SQL") { "INSERT INTO tokens VALUES (5, '\($0)');\n" },
    Wrapping(.htmlEscapedToken, "a hidden field of a page") {
      "<input type=\"hidden\" name=\"token\" value=\"\($0.replacing("\"", with: "&quot;"))\">"
    },
  ]

  // MARK: Bytes

  /// Hexadecimal in groups of four bytes, as NSData printed it.
  private static func groups(_ text: String) -> String {
    lines(of: Hex.encode(text.utf8), count: 8).replacing("\n", with: " ")
  }

  private static func bytes(_ text: String, separator: String, _ write: (UInt8) -> String) -> String {
    text.utf8.map(write).joined(separator: separator)
  }

  /// Lines of 16 bytes: the offset, the bytes in groups, and their characters.
  private static func dump(
    _ text: String, _ behindOffset: String, groupSize: Int, _ line: (String, String) -> String
  ) -> String {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: 16).map { start in
      let row = Array(bytes[start..<min(start + 16, bytes.count)])
      var columns = ""
      for (index, byte) in row.enumerated() {
        // `hexdump -C` has a second space in the middle.
        columns += (index > 0 && index % groupSize == 0 ? index == 8 && groupSize == 1 ? "  " : " " : "")
        columns += Hex.encode([byte])
      }
      columns = columns.padding(toLength: groupSize == 1 ? 48 : 39, withPad: " ", startingAt: 0)
      return String(format: "%08x", start) + behindOffset + line(columns, String(decoding: row, as: UTF8.self)) + "\n"
    }.joined()
  }

  private static let bytes = [
    Wrapping(.hexEncodedToken, "NSData") { "<\(groups($0))>" },
    Wrapping(.hexEncodedToken, "bytea of PostgreSQL") { "\\x\(Hex.encode($0.utf8))\n" },
    Wrapping(.hexEncodedToken, "a literal of SQL") { "X'\(Hex.encode($0.utf8).uppercased())'" },
    Wrapping(.hexEncodedToken, "BitConverter of .NET") { bytes($0, separator: "-") { Hex.encode([$0]).uppercased() } },
    Wrapping(.hexEncodedToken, "hexadecimal with colons") { bytes($0, separator: ":") { Hex.encode([$0]) } },
    Wrapping(.hexEncodedToken, "a Buffer as Node.js inspects it") {
      "<Buffer \(bytes($0, separator: " ") { Hex.encode([$0]) })>"
    },
    Wrapping(.hexEncodedToken, "xxd") { dump($0, ": ", groupSize: 2) { "\($0)  \($1)" } },
    Wrapping(.hexEncodedToken, "hexdump -C") {
      dump($0, "  ", groupSize: 1) { "\($0)  |\($1)|" } + String(format: "%08x\n", $0.utf8.count)
    },
    Wrapping(.hexEncodedToken, "escaped bytes") { bytes($0, separator: "") { "\\x\(Hex.encode([$0]))" } },
    Wrapping(.hexEncodedToken, "an array of C") { "{ \(bytes($0, separator: ", ") { "0x\(Hex.encode([$0]))" }) };" },
    Wrapping(.byteArray, "[]byte of Go") { "[\(bytes($0, separator: " ") { "\($0)" })]" },
    Wrapping(.byteArray, "Uint8Array as Node.js inspects it") {
      "Uint8Array(\($0.utf8.count)) [\n  \(bytes($0, separator: ",\n  ") { "\($0)" })\n]"
    },
    Wrapping(.byteArray, "a binary of Elixir") { "<<\(bytes($0, separator: ", ") { "\($0)" })>>" },
    Wrapping(.byteArray, "Uint8Array as JSON.stringify writes it") {
      "{" + $0.utf8.enumerated().map { "\"\($0.offset)\":\($0.element)" }.joined(separator: ",") + "}"
    },
    Wrapping(.byteArray, "Uint8Array in a payment") {
      "{\"paymentData\":{" + $0.utf8.enumerated().map { "\"\($0.offset)\":\($0.element)" }.joined(separator: ",") + "}}"
    },
  ]

  // MARK: Converted

  /// gzip that stores its data as it is.
  static func gzip(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    func number(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let sum = bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    let count = UInt32(bytes.count)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + number(count, 2) + number(~count, 2) + bytes + number(~sum, 4)
      + number(count, 4)
  }

  /// Values of a database, each in an object that names its type.
  private static func typed(_ text: String, _ string: String, _ map: (String) -> String) throws -> String {
    map(
      try object(text, separator: ",", { "\"\($0)\":{\"\(string)\":\"\($1)\"}" }, header: { "\"header\":\(map($0))" }))
  }

  private static let converted = [
    Wrapping(.compressedToken, "base64 of gzip") { Base64.encode(gzip($0)) },
    Wrapping(.compressedToken, "hexadecimal of gzip") { Hex.encode(gzip($0)) },
    Wrapping(.htmlEscapedToken, "HTML's character references") { $0.replacing("\"", with: "&quot;") },
    Wrapping(.htmlEscapedToken, "HTML's character references, twice") { $0.replacing("\"", with: "&amp;quot;") },
    Wrapping(.htmlEscapedToken, "HTML's numeric character references") {
      $0.replacing("+", with: "&#43;").replacing("\"", with: "&#x22;")
    },
    Wrapping(.typedJSON, "DynamoDB") { try typed($0, "S") { "{\"M\":{\($0)}}" } },
    Wrapping(.typedJSON, "an item of DynamoDB") {
      #"{"Item":{"id":{"S":"5"},"token":\#(try typed($0, "S") { "{\"M\":{\($0)}}" })}}"#
    },
    Wrapping(.typedJSON, "a document of Firestore") {
      let token = try typed($0, "stringValue") { "{\"mapValue\":{\"fields\":{\($0)}}}" }
      return #"{"name":"tokens/5","fields":{"token":\#(token),"paid":{"booleanValue":false}}}"#
    },
    Wrapping(.wrappedInEnvelope, "Extended JSON of MongoDB") {
      #"{"token":{"$binary":{"base64":"\#(base64($0))","subType":"00"}}}"#
    },
    Wrapping(.wrappedInEnvelope, "a document with spaces for plus signs in the token") {
      #"{"a":{"b":\#($0.replacing("+", with: " "))}}"#
    },
    Wrapping(.alteredBase64, "members in the URL alphabet") { text in
      try Parts(text).token.filter { $0.name != "version" }.reduce(text) { text, member in
        let altered = member.value.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return text.replacing(member.value, with: altered)
      }
    },
    Wrapping(.tokenInArray, "an array of a token with its signature in lines") { text in
      let signature = try member("signature", of: text)
      return "[\(text.replacing(signature, with: lines(of: signature, count: 76).replacing("\n", with: "\\r\\n")))]"
    },
  ]

  // MARK: Without all bytes

  private static let lost: [Wrapping] =
    [
      "3505 bytes", "paymentData: Optional(3505 bytes)",
      "{length = 3505, bytes = 0x7b226461 7461223a ... 5f763122 7d }", "<Buffer 7b 22 64 61 ... 3455 more bytes>",
      "Uint8Array(3505) [\n  123, 34, 100, 97,\n  ... 3405 more items\n]", "[object Object]", "\"[object Object]\"",
      "{ payment: { token: [Object] } }", #"{"paymentData":"[object Object]"}"#, "[B@1b6d3586", "token=[B@1b6d3586",
      "com.shop.ApplePayToken@1b6d3586", "System.Byte[]",
      "System.Collections.Generic.Dictionary`2[System.String,System.Object]", "<memory at 0x7f3a2c00>",
      "<payments.Token object at 0x7f3a2c1b>", "HASH(0x55d0c8a3)", "#<ApplePayToken:0x000055d0c8a3>",
      "<PKPaymentToken: 0x600000>", "<<123, 34, 100, 97, ...>>",
    ].map { text in
      Wrapping(.printedTextLostBytes, text.replacing("\n", with: " "), hasCommand: false) { _ in text }
    }

  private static let shortened = [
    Wrapping(.printedTextLostBytes, "Kotlin's toString with shortened values", hasCommand: false) {
      "Token(\(try object($0, { "\($0)=\($1.prefix(60))..." }, header: { "header=Header(\($0))" })))"
    },
    Wrapping(.printedTextLostBytes, "java.util.Map without the header", hasCommand: false) {
      let members = try Parts($0).token.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
      return "{\(members), header={}}"
    },
    Wrapping(.unknownText, "a sentence with the names of members", hasCommand: false) { _ in
      "the version of the data and the header of the signature"
    },
  ]
}
