import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// The files in the folder kubernetes, compared with what the server really has. The schema is checked by the script
  /// there.
  struct KubernetesTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
      .standardizedFileURL

    private func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static let manifest = "Examples/server/kubernetes/token-server.yaml"
    private static let dashboard = "Examples/server/kubernetes/dashboard.json"

    /// The values in `args:` of the manifest.
    private func arguments() throws -> [String] {
      try text(Self.manifest).matches(of: /(?m)^ +- (--[a-z-]+=.*)$/).map { String($0.1) }
    }

    /// The metrics of a server with a replay server, an access log and an address for metrics, as in the manifest.
    private func exported() throws -> Metrics {
      let merchant = try Merchant()
      let arguments = [
        "--key", merchant.files.keys[0], "--cert", merchant.files.certificates[0], "--root", merchant.files.roots[0],
        "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--replay", "unix:/nowhere/redis.sock",
        "--access-log", "/dev/null",
      ]
      let program = try Program(arguments)
      return try withExtendedLifetime(program) {
        try Metrics(try request(try #require(program.metricsAddress), "GET", "/metrics").text)
      }
    }

    /// The metric names in a text that are not among the exported metrics.
    private func unknownNames(in text: String, _ metrics: Metrics) -> [String] {
      let names = Set(text.matches(of: /assay_(?:pool|http|keys|replay|access|build)_[a-z0-9_]+/).map { String($0.0) })
      return names.filter { name in
        let histogram = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }.map { name.dropLast($0.count) }
        if let histogram, metrics.types[String(histogram)] == "histogram" { return false }
        return metrics.types[name] == nil
      }.sorted()
    }

    @Test func `every metric that is named is exported`() throws {
      let metrics = try exported()
      let (rules, cases) = ("Examples/server/kubernetes/alerts.yaml", "Examples/server/kubernetes/alerts.test.yaml")
      for path in [Self.manifest, Self.dashboard, "Docs/Embedding.md", rules, cases] {
        let text = try text(path)
        #expect(text.contains("assay_pool_in_flight"))
        #expect(unknownNames(in: text, metrics) == [], "\(path)")
        // The search itself must find an unknown name.
        let planted = text.replacingOccurrences(of: "assay_pool_in_flight", with: "assay_pool_inflight")
        #expect(unknownNames(in: planted, metrics) == ["assay_pool_inflight"])
      }
      #expect(unknownNames(in: "assay_pool_latency_seconds assay_pool_queue_depth_bucket", metrics).count == 1)
    }

    @Test func `labels that the dashboard groups by are exported`() throws {
      let metrics = try exported()
      let labels = [
        "assay_pool_refused_total": "code", "assay_replay_store_answers_total": "verdict",
        "assay_replay_store_unavailable_total": "cause", "assay_http_answers_total": "status",
        "assay_keys_loads_total": "result",
      ]
      for (name, label) in labels {
        #expect(metrics.samples.keys.contains { $0.hasPrefix("\(name){\(label)=\"") }, "\(name)")
        #expect(try text(Self.dashboard).contains("\(label)) (rate(\(name)") || name == "assay_keys_loads_total")
      }
    }

    @Test func `the dashboard is JSON, with an expression in each panel and places that do not overlap`() throws {
      let object = try JSONSerialization.jsonObject(with: Data(try text(Self.dashboard).utf8))
      let panels = try #require((object as? [String: Any])?["panels"] as? [[String: Any]])
      #expect(panels.count >= 10)
      var taken: Set<[Int]> = []
      for panel in panels {
        let targets = try #require(panel["targets"] as? [[String: Any]])
        #expect(!targets.isEmpty && targets.allSatisfy { ($0["expr"] as? String)?.contains("assay_") == true })
        let place = try #require(panel["gridPos"] as? [String: Int])
        let (x, y, width, height) = (place["x"] ?? 0, place["y"] ?? 0, place["w"] ?? 0, place["h"] ?? 0)
        #expect(x + width <= 24)
        for row in y..<(y + height) { for column in x..<(x + width) { #expect(taken.insert([row, column]).inserted) } }
      }
    }

    @Test func `the server takes the arguments of the manifest`() throws {
      let arguments = try arguments()
      #expect(arguments.count >= 10)
      let options = try ServerOptions(arguments: arguments)
      #expect(options.drain == .seconds(10) && options.keyWatchInterval == .seconds(10))
      #expect(throws: UsageError.self) { try ServerOptions(arguments: arguments + ["--replay-wiat=1"]) }
      // The time from SIGTERM to SIGKILL is longer than the longest stop of the server.
      let grace = try #require(
        try text(Self.manifest).firstMatch(of: /terminationGracePeriodSeconds: ([0-9]+)/).flatMap { Int($0.1) })
      #expect(.seconds(grace) > options.drain + options.grace + .seconds(5))
    }

    @Test func `what is probed and scraped is the port of metrics`() throws {
      let (manifest, entry) = (try text(Self.manifest), try text("Examples/server/Dockerfile"))
      let port = try #require(entry.firstMatch(of: /"--metrics-listen", "0\.0\.0\.0:([0-9]+)"/)?.1)
      #expect(manifest.contains("{name: metrics, containerPort: \(port)}"))
      #expect(manifest.contains("prometheus.io/port: \"\(port)\""))
      let probes = manifest.matches(of: /httpGet: \{path: [^,]+, port: ([a-z]+)\}/).map { String($0.1) }
      #expect(probes == ["metrics", "metrics", "metrics"])
      #expect(entry.contains("EXPOSE 8462 \(port)"))
    }

    @Test func `the server has the paths that are probed`() throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments + ["--metrics-listen", "127.0.0.1:0"])
      let address = try #require(program.metricsAddress)
      let paths = try text(Self.manifest).matches(of: /path: (\/[a-z]+)/).map { String($0.1) }
      #expect(Set(paths) == ["/live", "/ready", "/metrics"])
      for path in paths { #expect(try request(address, "GET", path).status == 200) }
      #expect(try request(address, "GET", "/healthz").status == 404)
      withExtendedLifetime(program) {}
    }
  }
}
