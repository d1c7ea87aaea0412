import PaymentToken
import Testing

@Suite struct StreamSafeTextTests {
  /// The longest run of scalars that Unicode compares together: combining characters and regional indicators.
  private static func longestRun(_ text: String) -> Int {
    var (longest, count) = (0, 0)
    for scalar in text.unicodeScalars {
      let combines =
        scalar.properties.canonicalCombiningClass != .notReordered || [0xF73, 0xF75, 0xF81].contains(scalar.value)
        || (0x1F1E6...0x1F1FF).contains(scalar.value)
      count = combines ? count + 1 : 0
      longest = max(longest, count)
    }
    return longest
  }

  @Test(arguments: [
    "\u{301}", "\u{301}\u{316}", "\u{F73}", "\u{F75}", "\u{F81}", "\u{344}", "\u{5B0}", "\u{1F1E6}", "\u{1F1E6}\u{301}",
    "\u{1D165}",
  ])
  func `at most thirty in a row combine, and nothing else changes`(_ unit: String) {
    for count in [1, 15, 29, 30, 31, 32, 61, 1_000, 20_000] {
      let text = "a" + String(repeating: unit, count: count) + "b"
      let safe = String(streamSafe: Array(text.utf8))
      #expect(Self.longestRun(safe) <= 30, "\(count)")
      let removed = safe.unicodeScalars.filter { $0 != "\u{34F}" }
      #expect(removed.elementsEqual(text.unicodeScalars), "\(count)")
      #expect(Self.longestRun(text) > 30 || safe.utf8.elementsEqual(text.utf8), "\(count)")
      #expect(safe.streamSafe.utf8.elementsEqual(safe.utf8), "\(count)")
    }
    #expect(Self.longestRun(String(repeating: unit, count: 62)) > 30, "the search sees a run")
  }

  @Test func `text of every other kind stays as it is`() {
    let emoji = String(repeating: "\u{1F469}\u{200D}", count: 100)
    for text in ["", "merchant", String(repeating: "ü", count: 500), String(repeating: "日本", count: 500), emoji] {
      #expect(String(streamSafe: Array(text.utf8)).utf8.elementsEqual(text.utf8))
    }
    #expect(String(streamSafe: [0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
  }
}
