import Reports
import TestSupport
import Testing

@Suite(.blocking) struct PageTests {
  @Test func `text and attributes are escaped`() {
    let piece = HTML.element(
      "p", [.init("title", "\"'<&>")], ["<script>alert('1')</script> &amp; \u{202E}\u{7}\u{FFF9}\u{600}"])
    #expect(
      piece.markup == "<p title=\"&quot;&#39;&lt;&amp;&gt;\">&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp;amp; "
        + "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}</p>\n")
  }

  @Test func `one long text in a foreign file does not widen the other rows`() {
    let long = String(repeating: "n", count: 300_000)
    let rows = [[long, "1"], ["b", "2"]]
    for lines in [
      Text.columns(rows), Text.table(header: ["name", "value"], rows: rows), Text.pairs([(long, "1"), ("b", "2")]),
    ] {
      #expect(lines.map(\.count).sorted().dropLast().allSatisfy { $0 < 150 })
      #expect(lines.contains { $0.hasPrefix(long) && $0.hasSuffix("1") })
    }
    #expect(Text.columns([["ab", "1"], ["c", "2"]]) == ["ab  1", "c   2"])
  }

  @Test func `a page has no scripts and no external resources`() {
    let page = HTML.page(title: "A <title>", body: [.bar([(1, .good), (0, .bad)], label: "1 of 1"), .code("x")])
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<title>A &lt;title&gt;</title>"))
    #expect(page.contains("default-src &#39;none&#39;"))
    let words = ["http:", "https:", "<script", "src=", "url(", "@import", "<link"]
    #expect(words.filter(page.contains) == [])
    // The same search finds the words in escaped text, except those that begin with an escaped character.
    let loading = HTML.page(title: "", body: [.code(words.joined())])
    #expect(words.filter(loading.contains) == words.filter { !$0.hasPrefix("<") })
    #expect(page.components(of: "<i ").count == 2)
  }

  @Test func `a table has a header for each row and column`() {
    let table = HTML.table(header: ["flag", "held"], rows: [["a", "1"], ["b", "2"]]).markup
    #expect(table.components(of: "scope=\"row\"").count == 3 && table.components(of: "scope=\"col\"").count == 3)
  }
}

extension String {
  fileprivate func components(of separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
