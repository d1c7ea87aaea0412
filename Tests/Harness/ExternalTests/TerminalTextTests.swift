import Reports
import Testing

struct TerminalTextTests {
  private static let header = ["name", "tokens/s", "p50 µs", "95% interval", "allocations"]
  private static let rows = [
    ["decrypt/fast/ec_v1/threads2/batch64", "30000", "33.3", "33.1 to 33.7", "0"],
    ["decrypt/reference/ec_v1", "9000", "111.1", "110.2 to 113.0", "37"],
  ]

  private static func table(_ width: Int?) -> [String] {
    lines(width) { Text.table(header: header, rows: rows, dropping: ["allocations", "95% interval", "p50 µs"]) }
  }

  private static func lines(_ width: Int?, _ lines: () -> [String]) -> [String] {
    guard let width else { return lines() }
    return Text.fitted(to: width) { lines().joined(separator: "\n") }.split(separator: "\n").map(String.init)
  }

  @Test func `a table is whole in a pipe and where it fits`() {
    let whole = [
      "name                                 tokens/s  p50 µs    95% interval  allocations",
      "decrypt/fast/ec_v1/threads2/batch64     30000    33.3    33.1 to 33.7            0",
      "decrypt/reference/ec_v1                  9000   111.1  110.2 to 113.0           37",
    ]
    #expect(Self.table(nil) == whole)
    #expect(Self.table(200) == whole)
    #expect(Self.table(82) == whole && Self.table(81) != whole)
  }

  @Test func `a narrow terminal lacks the least important columns, and says so`() {
    #expect(
      Self.table(80) == [
        "name                                 tokens/s  p50 µs    95% interval",
        "decrypt/fast/ec_v1/threads2/batch64     30000    33.3    33.1 to 33.7",
        "decrypt/reference/ec_v1                  9000   111.1  110.2 to 113.0",
        "Left out: allocations. A wider terminal, a pipe or --json shows all.",
      ])
  }

  @Test func `long names stand above their figures where these have no room beside them`() {
    #expect(
      Self.table(40) == [
        "name",
        "  tokens/s  p50 µs    95% interval",
        "decrypt/fast/ec_v1/threads2/batch64",
        "     30000    33.3    33.1 to 33.7",
        "decrypt/reference/ec_v1",
        "      9000   111.1  110.2 to 113.0",
        "Left out: allocations. A wider terminal,",
        "a pipe or --json shows all.",
      ])
  }

  @Test(.timeLimit(.minutes(1))) func `foreign text with many gaps is broken at one indent, in the time of its length`()
  {
    let words = (0..<50_000).map { "w\($0)" }
    let lines = Self.lines(40) { ["name  " + words.joined(separator: "  ")] }
    #expect(lines.allSatisfy { $0.count <= 40 })
    #expect(lines.flatMap { $0.split(separator: " ") } == (["name"] + words).map { $0[...] })
    #expect(Set(lines.dropFirst(2).map { $0.prefix { $0 == " " }.count }) == [2])
  }

  @Test func `a noncharacter in foreign text is replaced`() throws {
    let foreign = String(try #require(Unicode.Scalar(0xFDD0 as UInt32)))
    #expect(Text.harmless("a\(foreign)b") == "a\u{FFFD}b")
    #expect(Self.lines(80) { [Text.unbroken("a b")] } == ["a b"])
  }

  private static let gateways = [
    ["one", "the first of them", "object.token, an object, or object.other, a string"],
    ["three", "the third", "none"],
  ]

  @Test func `texts in cells are broken between words before a column is left out`() {
    func columns(_ width: Int?) -> [String] {
      Self.lines(width) {
        Text.columns(Self.gateways, names: ["name", "gateway", "token"], indent: 2, dropping: ["gateway"])
      }
    }
    let whole = [
      "  one    the first of them  object.token, an object, or object.other, a string",
      "  three  the third          none",
    ]
    #expect(columns(nil) == whole && columns(200) == whole && columns(80) == whole)
    #expect(
      columns(60) == [
        "  one    the first of them  object.token, an object, or",
        "                            object.other, a string",
        "  three  the third          none",
      ])
    #expect(
      columns(34) == [
        "  one    object.token, an object,",
        "         or object.other, a string",
        "  three  none",
        "  Left out: gateway. A wider",
        "    terminal, a pipe or --json",
        "    shows all.",
      ])
  }

  @Test func `values are broken under their first word, and what is copied nowhere`() {
    let command = "assay decrypt token.json --key merchant.key --cert merchant.pem"
    let hash = String(repeating: "0123456789abcdef", count: 4)
    func pairs(_ width: Int?) -> [String] {
      Self.lines(width) {
        Text.pairs([
          ("advice", "reject the token, or trust its root with --root"), ("command", Text.unbroken(command)),
          ("hash", hash), ("state", Text.coloured("rejected, as it must be", code: 31, if: true)),
        ])
      }
    }
    let whole = [
      "advice   reject the token, or trust its root with --root", "command  \(command)", "hash     \(hash)",
      "state    \u{1B}[31mrejected, as it must be\u{1B}[0m",
    ]
    #expect(pairs(nil) == whole && pairs(80) == whole)
    #expect(
      pairs(32) == [
        "advice   reject the token, or", "         trust its root with", "         --root", whole[1], whole[2],
        whole[3],
      ])
    // Escape sequences of colours do not count as width. An unbroken command is moved to the next line as a whole.
    #expect(pairs(31).suffix(2) == ["state    \u{1B}[31mrejected, as it must", "         be\u{1B}[0m"])
    #expect(Self.lines(20) { ["read by: " + Text.unbroken("head -n 1 a | wc")] } == ["read by:", "head -n 1 a | wc"])
  }

  @Test func `no command in a message is broken, and the words around it are`() {
    let message =
      "assay: a.json lacks b: measure with assay bench run --json =b, or convert it with `head -n 1 a` first."
    #expect(
      Self.lines(30) { [Text.unbrokenCommands(message, keeping: ["lacks b: measure", "no"])] } == [
        "assay: a.json lacks b: measure", "with", "assay bench run --json =b, or", "convert it with `head -n 1 a`",
        "first.",
      ])
    #expect(Text.unbrokenCommands(message, keeping: []) == message)
  }

  @Test func `a column in the right half begins a line where it has no room`() {
    let check = " 1  size            \u{1B}[32mok         \u{1B}[0m  size: 3509 bytes"
    #expect(
      Self.lines(40) { [check] } == [" 1  size            \u{1B}[32mok         \u{1B}[0m", "   size: 3509 bytes"])
    #expect(Self.lines(49) { [check] } == [check])
    let name = "  " + Text.padded("one-name-that-is-copied", to: 60) + "  3.3   conflictingMembers"
    #expect(Self.lines(40) { [name] } == ["  one-name-that-is-copied", "    3.3   conflictingMembers"])
  }

  @Test func `the colours of reports reach a terminal, and no other control character does`() {
    for code in [31, 32, 33, 90] {
      let text = Text.coloured("not reached", code: code, if: true)
      #expect(Text.harmlessLines(text) == text)
    }
    #expect(Text.harmlessLines("\u{1B}[2J\u{1B}[5m") == "\u{FFFD}[2J\u{FFFD}[5m")
  }

  @Test func `what is indented beyond the middle begins further to the left`() {
    let line = String(repeating: " ", count: 30) + "signature: 2047 bytes"
    #expect(Self.lines(40) { [line] } == ["    signature: 2047 bytes"])
    #expect(Self.lines(60) { [line] } == [line])
  }

  @Test(arguments: 1...60) func `no width loses a word of what a table keeps`(width: Int) {
    func words(_ lines: [String]) -> [Substring] {
      lines.joined(separator: " ").split(separator: " ").sorted()
    }
    func lines(_ width: Int?) -> [String] {
      Self.lines(width) { Text.table(header: Self.header, rows: Self.rows) + Text.columns(Self.gateways) }
    }
    #expect(words(lines(width)) == words(lines(nil)) && lines(width) != lines(nil))
  }
}
