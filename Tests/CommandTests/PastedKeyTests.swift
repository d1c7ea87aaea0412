import Foundation
import HostIO
import TestSupport
import Testing

/// A private key as an argument, in the notations that programs print.
@Suite(.blocking) struct PastedKeyTests {
  /// A way to write 32 bytes.
  private struct Notation: Sendable {
    let name: String
    /// Whether the loader reads the text as a private key.
    var isRead = false
    /// Whether the letters of the text are random, so that up to one text in a hundred looks like words.
    var isRandom = false
    let text: @Sendable ([UInt8]) -> String
  }

  private static func bytes(_ separator: String, _ form: String) -> @Sendable ([UInt8]) -> String {
    { key in key.map { String(format: form, $0) }.joined(separator: separator) }
  }

  private static func hexadecimal(_ key: [UInt8]) -> String { bytes("", "%02x")(key) }

  /// The text in groups of `count` characters.
  private static func grouped(_ count: Int, _ separator: String, _ text: String) -> String {
    let characters = Array(text)
    return stride(from: 0, to: characters.count, by: count)
      .map { String(characters[$0..<min($0 + count, characters.count)]) }.joined(separator: separator)
  }

  /// The digits of the number in another base, most significant first.
  private static func number(_ key: [UInt8], in digits: String) -> String {
    let digits = Array(digits)
    var (rest, text) = (key.map(Int.init), "")
    while rest.contains(where: { $0 != 0 }) {
      var carry = 0
      for index in rest.indices {
        let value = carry << 8 | rest[index]
        (rest[index], carry) = (value / digits.count, value % digits.count)
      }
      text = String(digits[carry]) + text
    }
    return text
  }

  private static func base64(_ key: [UInt8]) -> String { Data(key).base64EncodedString() }
  private static func scalar64(_ key: [UInt8]) -> String { String(base64(key).dropLast()) }
  private static func base32(_ key: [UInt8]) -> String { number(key, in: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") }

  private static let notations: [Notation] = [
    Notation(name: "hexadecimal", isRead: true, text: hexadecimal),
    Notation(name: "capitals", isRead: true, text: bytes("", "%02X")),
    Notation(name: "0x", isRead: true) { "0x" + hexadecimal($0) },
    Notation(name: "0X", isRead: true) { "0X" + hexadecimal($0) },
    Notation(name: "a sign", isRead: true) { "00" + hexadecimal($0) },
    Notation(name: "colons", isRead: true, text: bytes(":", "%02x")),
    Notation(name: "spaces", isRead: true, text: bytes(" ", "%02X")),
    Notation(name: "commas", isRead: true, text: bytes(",", "%02x")),
    Notation(name: "an array of C", isRead: true, text: bytes(", ", "0x%02x")),
    Notation(name: "escapes", isRead: true, text: bytes("", "\\x%02x")),
    Notation(name: "escapes with spaces", isRead: true, text: bytes(" ", "\\X%02x")),
    Notation(name: "words of 64 bits", isRead: true) { "0x" + grouped(16, " 0x", hexadecimal($0)) },
    Notation(name: "groups of xxd", isRead: true) { grouped(4, " ", hexadecimal($0)) },
    Notation(name: "uneven groups", isRead: true) { grouped(7, ":", hexadecimal($0)) },
    Notation(name: "a name before it") { "key=0x" + hexadecimal($0) },
    Notation(name: "a name before bytes") { "key=" + bytes(":", "%02x")($0) },
    Notation(name: "a word before it") { "k" + hexadecimal($0) },
    Notation(name: "literals of C") { "0x" + grouped(16, "ULL, 0x", hexadecimal($0)) + "ULL" },
    Notation(name: "bytes of Java", text: bytes(", ", "(byte) 0x%02x")),
    Notation(name: "bytes of an assembler", text: bytes(", ", "0%02xh")),
    Notation(name: "bytes of Rust", text: bytes(", ", "0x%02xu8")),
    Notation(name: "hyphens", text: bytes("-", "%02X")),
    Notation(name: "underscores") { grouped(8, "_", hexadecimal($0)) },
    Notation(name: "percent signs", text: bytes("", "%%%02X")),
    Notation(name: "octal escapes", text: bytes("", "\\%03o")),
    Notation(name: "without zeros", text: bytes(" ", "%x")),
    Notation(name: "decimal bytes", text: bytes(", ", "%d")),
    Notation(name: "signed bytes") { $0.map { String(Int8(bitPattern: $0)) }.joined(separator: ",") },
    Notation(name: "a decimal number") { number($0, in: "0123456789") },
    Notation(name: "base64", text: base64),
    Notation(name: "base64 without padding", isRandom: true, text: scalar64),
    Notation(name: "base64 for URLs", isRandom: true) {
      scalar64($0).replacing("+", with: "-").replacing("/", with: "_")
    },
    Notation(name: "base64 with a name", isRandom: true) { "d=\(scalar64($0))" },
    Notation(name: "base64 in groups", isRandom: true) { grouped(4, " ", scalar64($0)) },
    Notation(name: "base58", isRandom: true) {
      number($0, in: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
    },
    Notation(name: "base32", isRandom: true, text: base32),
    Notation(name: "small base32", isRandom: true) { base32($0).lowercased() },
    Notation(name: "base32 in groups", isRandom: true) { grouped(4, "-", base32($0)) },
    Notation(name: "base36", isRandom: true) { number($0, in: "0123456789abcdefghijklmnopqrstuvwxyz") },
  ]

  @Test func `a private key is recognized in each notation`() {
    var random = SplitMix64(seed: 1)
    let keys = (0..<500).map { _ in (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) } }
    for notation in Self.notations {
      let missed = keys.map(notation.text).filter { !PastedText.isContent($0) }
      #expect(missed.count <= (notation.isRandom ? 5 : 0), "\(notation.name): \(missed.prefix(3))")
      // In a message that repeats the text, it is replaced by its size.
      let text = notation.text(keys[0])
      let redacted = PastedText.redacted("not \(text), sorry", arguments: ["--at=\(text)"])
      #expect(redacted == "not (\(text.utf8.count) bytes that look like a token or a key), sorry", "\(notation.name)")
    }
  }

  @Test(arguments: [
    "sha2560123456789abcdef0123456789abcdef01234567", "Users/Max/Keys2026/Prod/EU1/MerchantKey12ab",
    "thetokensofthesecondshopinthefirstweekof2026", "2026-01-31-12-00-00/2026-01-31-12-00-01/2026-01-31-12-00-02",
    "10.0.0.1/1FC9A7E2-3B60-4D7A-9E0B-61A8A0D3B5C1-1FC9A7E2-3B60-4D7A-9E0B-61A8A0D3B5C1", "max/hull/0x1f/0x20",
  ])
  func `a name as long as a key is shown`(name: String) {
    #expect(PastedText.shown(name) == name)
    #expect(PastedText.redacted("not \(name)", arguments: [name]) == "not \(name)")
  }

  @Test func `a key before the equals sign of an argument is not repeated either`() {
    let key = "45:e6:20" + String(repeating: ":02", count: 29)
    #expect(
      PastedText.redacted("\(key) is missing.", arguments: ["\(key)=merchant.test"])
        == "(95 bytes that look like a token or a key) is missing.")
  }

  /// The pieces of 16 characters of a text that occur in the output; none would by chance.
  private static func leaks(of text: String, in output: String) -> [String] {
    let (text, length) = (Array(text), 16)
    return (0...text.count - length).map { String(text[$0..<$0 + length]) }.filter(output.contains)
  }

  @Test func `no argument repeats a key in a notation that the loader reads`() throws {
    let minted = try MintedFolder()
    let pem = try String(contentsOfFile: minted.folder.path("merchant.key"), encoding: .utf8)
    let der = try #require(
      Data(base64Encoded: pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()))
    // RFC 5958 with the ECPrivateKey of RFC 5915 from byte 29, whose scalar begins 7 bytes later.
    let scalar = Array(der[36..<68])
    let key = minted.folder.path("merchant.key")
    for notation in Self.notations {
      let text = notation.text(scalar)
      if notation.isRead {
        let file = try minted.folder.write(text, to: "pasted.txt")
        #expect(try Program.run(["keys", "inspect", file]).status == 0, "\(notation.name) is not read")
      }
      let commands = [
        ["decrypt", minted.token, "--key", text], ["decrypt", text], ["explain", minted.token, "--key", text],
        ["explain", minted.token, "--at", text], ["keys", "inspect", text],
        ["keys", "inspect", key, "--password-file", text], ["mint", "--json", "--key", text],
        ["mint", "--json", "--cert", text], ["serve", "--key", text], ["decrypt", "--\(text)"], [text],
        ["decrypt", minted.token, "--key", key, "--merchant-id", "\(text)=x"],
      ]
      for command in notation.isRead ? commands : Array(commands.prefix(2)) {
        let outcome = try Program.run(command)
        #expect(outcome.status == 2 || outcome.status == 64, "\(notation.name): \(command[0]) \(outcome.status)")
        let written = outcome.text + outcome.error
        #expect(
          written.contains("assay: ") && Self.leaks(of: text, in: written) == [], "\(notation.name): \(command[0])")
      }
    }
    let planted = Self.notations[0].text(scalar)
    #expect(Self.leaks(of: planted, in: "not \(planted.prefix(40)).").count == 25)
  }
}
