import Differential
import Explanation
import Foundation
import HostIO
import Reports
import TestSupport
import Testing

/// The work of the search for a token in other text is proportional to the text, however many layers it has.
@Suite(.timeLimit(.minutes(1)))
struct SearchTests {
  private func diagnosis(of text: String) throws -> Diagnosis {
    var scenario = try Scenario(ScenarioTests.minter.get())
    scenario.send(text, from: .automatic)
    return try scenario.explain().diagnosis
  }

  /// Each quotation mark may begin a string that is searched in turn.
  @Test(arguments: [(3, 60), (4, 32), (6, 64), (8, 60), (10, 8), (12, 1)])
  func `text in strings in text, layer under layer, is unknown text`(_ layers: Int, _ marks: Int) throws {
    var text = Array(repeating: "\"", count: marks).joined(separator: "z") + String(repeating: "z", count: 80)
    for _ in 0..<layers {
      text = "y \"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    #expect(try diagnosis(of: text) == .unknownText)
  }

  /// Each has two readings, with and without plus signs for spaces.
  @Test func `fields of a form in a field, again and again, are unknown text`() throws {
    #expect(try diagnosis(of: String(repeating: "a=", count: 8_000)) == .unknownText)
  }

  /// The input itself may have 4,096 bytes, a text that is found within it only 256.
  @Test(arguments: [10, 1_000, 4_000, 4_100])
  func `what a program printed in place of bytes is named in a text of up to 4,096 bytes`(_ count: Int) throws {
    let text = String(repeating: "-", count: count) + " payment: [object Object]"
    #expect(try diagnosis(of: text) == (text.utf8.count <= 4_096 ? .printedTextLostBytes : .unknownText))
  }

  @Test(arguments: [
    #"{"to":"Bob@facade.com"}"#, #"{"to":"Ann@decade-5.de"}"#, #"{"note":"an upload of 120 bytes"}"#,
  ]) func `a mail address or a size is not an object that lost its bytes`(_ text: String) throws {
    #expect(try diagnosis(of: text) == .otherJSON)
  }

  /// An object whose name has combining marks, in runs that underscores keep short.
  private static func marks(_ size: Int) -> String {
    "{\"\(String(repeating: String(repeating: "\u{301}\u{316}", count: 14) + "_", count: size / 57))\":1}"
  }

  /// Names are compared without underscores. Then this name is one run of marks, which would take seconds to hash.
  @Test func `a name of combining marks is compared with a token's names in little time`() throws {
    let start = ThreadTime.nanoseconds
    #expect(try diagnosis(of: Self.marks(60_000)) == .tokenTooLarge)
    #expect(ThreadTime.nanoseconds - start < 1_000_000_000)
  }

  /// Inputs made to be searched again and again, of about `size` bytes.
  private static let worst: [(name: String, text: @Sendable (_ size: Int) -> String)] = [
    ("fields of a form", { String(repeating: "a=", count: $0 / 2) }),
    ("open objects", { String(repeating: "{", count: $0) }),
    ("open arrays in text", { "y " + String(repeating: "[\"", count: $0 / 2) }),
    ("quotation marks", { "y " + String(repeating: "\"z", count: $0 / 2) }),
    ("escaped quotation marks", { "y \"" + String(repeating: "\\\"z", count: $0 / 3) + "\"" }),
    ("strings of JSON", { "[" + String(repeating: "\"{}\",", count: $0 / 5) + "0]" }),
    ("strings of base64", { "[" + String(repeating: "\"eyJhIjoxfQ==\",", count: $0 / 15) + "0]" }),
    ("numbers of bytes", { "[" + String(repeating: "123,", count: $0 / 4) + "34]" }),
    ("percent signs", { String(repeating: "%7B", count: $0 / 3) }),
    ("hexadecimal digits", { String(repeating: "7b22", count: $0 / 4) }),
    ("armour", { String(repeating: "-----BEGIN X-----\n", count: $0 / 18) }),
    ("entities", { String(repeating: "&quot;{", count: $0 / 7) }),
    ("short runs of hexadecimal", { String(repeating: String(repeating: "7b ", count: 63) + "zz ", count: $0 / 192) }),
    ("long strings", { "[" + String(repeating: "\"\(String(repeating: "{", count: 64))\",", count: $0 / 67) + "0]" }),
    ("numbered members", { "{" + (0..<($0 / 9)).map { "\"\($0)\":123" }.joined(separator: ",") + "}" }),
    ("combining marks in a name", { marks($0) }),
    (
      "open arrays around strings",
      { String(repeating: "[", count: 100) + String(repeating: "\"%7B\",", count: $0 / 6) }
    ),
    (
      "arrays in arrays",
      { size in
        (1...64).reduce("\"\(String(repeating: "7b", count: 32))\"") { inner, _ in
          inner.utf8.count * 2 < size ? "[\(inner),\(inner)]" : inner
        }
      }
    ),
  ]

  /// Costs are bytes read, not time: four times the input costs at most about five times as much, and an input at most
  /// sixteen times its size plus 16,384 bytes.
  @Test(arguments: worst.indices) func `a search costs a multiple of its input`(_ index: Int) throws {
    let (name, text) = Self.worst[index]
    let costs = (Ring.isDeep ? [16_384, 65_536] : [1_024, 4_096]).map { size in
      let input = Array(text(size).utf8)
      let cost = SearchBudget.spent(on: input)
      #expect(cost >= input.count, "\(name): nothing was searched")
      #expect(cost <= 16 * input.count + 16_384, "\(name)")
      return cost
    }
    #expect(costs[1] <= 5 * costs[0] + 16_384, "\(name)")
  }

  /// Costs are bytes given to the check, not time. The check refuses every candidate, so that the input stays at its
  /// full size.
  @Test func `shrinking costs a multiple of its input`() {
    let costs = [1_024, 4_096].map { size in
      let input = Array("{\((0..<(size / 9)).map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)
      var cost = 0
      _ = Shrinker(milliseconds: 600_000).shrink(input) { candidate in
        cost += candidate.count
        return false
      }
      #expect(cost >= 100 * input.count && cost <= 200 * input.count)
      return cost
    }
    #expect(costs[1] <= 5 * costs[0])
  }

  /// Each pair of letters is compared once, so the longest words bound the pairs.
  @Test func `a word longer than all that are known is compared with none`() {
    let longest = Suggestion.longestWord
    #expect(longest + longest / 3 <= 170)
    for (count, isCompared) in [(longest, true), (longest + 1, false)] {
      let known = String(repeating: "ab", count: count)
      #expect(
        (Suggestion.nearest(to: "x" + known.prefix(count - 1), among: [String(known.prefix(count))]) != nil)
          == isCompared)
    }
  }

  /// Texts of few letters, in which the beginning of an argument occurs often.
  @Test func `an argument is replaced wherever it stands, though it begins many times before`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed: seed)
    let letters = ["a", "a", "\u{1}"]
    var count = 0
    for _ in 0..<2_000 {
      func text(_ lengths: ClosedRange<Int>) -> String {
        (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }.joined()
      }
      let (argument, message) = (text(1...6), text(0...40))
      let expected = message.replacing(argument, with: Text.harmless(argument))
      #expect(
        PastedText.redacted(message, arguments: [argument]) == expected, "seed \(seed): \(argument.debugDescription)")
      if message != expected { count += 1 }
    }
    #expect(count > 500)
  }

  @Test func `a part of a pasted key is found in a message, whatever stands beside it`() {
    let key = String((0..<64).map { Array("Qx7fT2mLp9Zc")[$0 % 12] })
    for part in [key, String(key.prefix(30)), String(key.suffix(24)), "name=\(key.dropFirst(7).prefix(25))"] {
      let redacted = PastedText.redacted("not \(part), sorry", arguments: ["{\"key\":\"\(key)\"}"])
      #expect(redacted == "not (\(part.utf8.count) bytes that look like a token or a key), sorry")
    }
    let other = "not \(String(key.reversed()).prefix(40)) \(key.prefix(23)), sorry"
    #expect(PastedText.redacted(other, arguments: [key]) == other)
  }

  @Test func `the threat model has the readers and the bounds that are counted here`() throws {
    let document = try FileText.text(Package.folder.appending(path: "Docs/ThreatModel.md").path)
    let lines = document.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "## Work for bytes of input"))
    let rows = lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    #expect(rows.allSatisfy { $0.count == 4 })
    let counted = rows.filter { $0[3].contains("counted") }.map { "\($0[0]): \($0[2])" }
    #expect(
      counted == [
        "a token within other text: 16 a byte, and 16,384", "a token hidden in a document: 16 a byte, and 16,384",
        "password hashing, RSA checks: 3,000,000 a file", "shrinking of a finding: 200 a byte",
      ])
    let others = rows.filter { row in
      let number = row[2].prefix { $0.isNumber }
      return !row[2].dropFirst(number.count).hasPrefix(" a byte") || (Int(number) ?? .max) > 200
    }
    #expect(others.map { $0[2] } == ["3,000,000 a file"])
    #expect(
      rows.filter { !$0[3].contains("counted") }.map { $0[0] } == [
        "the first error of JSON", "PEM blocks of a key file", "a form as a request", "a suggestion",
        "arguments in messages",
      ])
  }

  /// A log with many short strings before the token, in the third layer.
  @Test func `a token behind others' text is found within the limit`() throws {
    let scenario = try Scenario(ScenarioTests.minter.get())
    let line = (1...60).map { "k\($0)=\"v\($0)\"" }.joined(separator: " ")
    #expect(try diagnosis(of: "\(line) token: \(scenario.text)") == .surroundedByText)
  }
}
