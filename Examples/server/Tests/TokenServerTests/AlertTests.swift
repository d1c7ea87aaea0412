import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// The rules for Prometheus in kubernetes/alerts.yaml. promtool checks them and the exported metrics.
  struct AlertTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
      .standardizedFileURL
    private var folder: URL { root.appending(path: "Examples/server/kubernetes") }

    private func rules() throws -> String {
      try String(contentsOf: folder.appending(path: "alerts.yaml"), encoding: .utf8)
    }

    private func expressions(ofRules text: String) -> [String] {
      text.matches(of: /(?m)^ +expr: '([^']*)'$/).map { String($0.1) }
    }

    @Test func `the rules are the alerts of the document`() throws {
      let page = try String(contentsOf: root.appending(path: "Docs/Embedding.md"), encoding: .utf8)
      let rows = page.matches(of: /(?m)^\| [^|`]+ \| `([^`]*assay_[^`]*)` \|$/).map {
        String($0.1).replacing("\\|", with: "|")
      }
      #expect(rows.count >= 15)
      #expect(expressions(ofRules: try rules()) == rows)
    }

    @Test func `each rule fires when it should, and not else`() throws {
      let (rules, scratch) = (try rules(), try TemporaryFolder())
      let cases = try String(contentsOf: folder.appending(path: "alerts.test.yaml"), encoding: .utf8)
      func passes(_ rules: String) throws -> Bool? {
        try scratch.write(rules, to: "alerts.yaml")
        try scratch.write(cases, to: "alerts.test.yaml")
        let words = ["promtool", "test", "rules", scratch.path("alerts.test.yaml")]
        return try Tool(words).map { $0.status == 0 }
      }
      for alert in rules.matches(of: /alert: ([A-Za-z]+)/) {
        #expect(cases.components(separatedBy: "alertname: \(alert.1)}").count == 2)
        #expect(cases.components(separatedBy: "alertname: \(alert.1)\n").count == 2)
      }
      guard let isPassed = try passes(rules) else {
        print("skipped: promtool is not installed (Debian: apt-get install prometheus)")
        return
      }
      #expect(isPassed)
      // Replaces each rule by one that always fires, and by one that never does.
      for expression in expressions(ofRules: rules) {
        for planted in ["(\(expression)) or vector(1)", "(\(expression)) > 1e12"] {
          let isFound = try passes(rules.replacing("'\(expression)'", with: "'\(planted)'")) == false
          #expect(isFound, "\(planted)")
        }
      }
    }

    @Test func `promtool finds no fault with what is exported`() async throws {
      let (merchant, scratch) = (try Merchant(), try TemporaryFolder())
      var options = merchant.options
      options.replayCapacity = 100
      options.accessLog = "/dev/null"
      var exported = ""
      try await withServer(options) { server in
        _ = try request(server, "POST", "/decrypt", try merchant.token(1))
        exported = try request(server, "GET", "/metrics").text
      }
      func isAccepted(_ text: String) throws -> Bool? {
        try scratch.write(text, to: "metrics")
        return try Tool([
          "sh", "-c", "command -v promtool >/dev/null || exit 127; promtool check metrics <\(scratch.path("metrics"))",
        ])
        .map { $0.status == 0 }
      }
      guard let answer = try isAccepted(exported) else {
        print("skipped: promtool is not installed (Debian: apt-get install prometheus)")
        return
      }
      #expect(answer)
      #expect(try isAccepted(exported.replacing("assay_pool_submitted_total", with: "assay_pool_submitted")) == false)
      #expect(try isAccepted(exported.replacing("_seconds_", with: "_milliseconds_")) == false)
    }
  }
}
