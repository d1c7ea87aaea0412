import Foundation
import Minting
import Testing

extension ServerTests {
  /// Clients of all kinds at once, against the program.
  struct StormTests {
    @Test func `a storm of clients leaves nothing, and each that waits has its own answer`() throws {
      let seed = UInt64.random(in: 0...UInt64.max)
      let merchant = try Merchant()
      let program = try Program(
        merchant.arguments + ["--replay", "0", "--queue", "8", "--max-connections", "64", "--http-threads", "2"])
      let minted = try (1...32).map { try merchant.minter.mint(TokenRecipe(index: UInt64($0))) }
      let address = program.address
      let tally = Tally()
      let threads = (0..<8).map { number in
        let thread = Thread {
          var storm = Storm(address: address, tokens: minted, seed: seed &+ UInt64(number), tally: tally)
          for _ in 0..<400 { storm.act() }
          tally.end()
        }
        thread.start()
        return thread
      }
      for _ in 0..<20 {
        program.signal(SIGHUP)
        usleep(50_000)
      }
      #expect(tally.wait(for: threads.count), "seed \(seed)")
      #expect(tally.wrong.isEmpty, "seed \(seed): \(tally.wrong.prefix(5))")
      #expect(tally.answered > 100)

      var metrics = try Metrics(try request(address, "GET", "/metrics").text)
      for _ in 0..<500 where metrics["assay_http_connections"] != 1 || metrics["assay_pool_in_flight"] != 0 {
        usleep(10_000)
        metrics = try Metrics(try request(address, "GET", "/metrics").text)
      }
      #expect(metrics["assay_http_connections"] == 1)
      #expect(metrics["assay_http_requests_under_way"] == 0)
      #expect(metrics["assay_pool_in_flight"] == 0)
      #expect(metrics["assay_pool_queue_depth"] == 0)
      let settled =
        metrics.sum("assay_pool_accepted_total") + metrics.sum("assay_pool_refused_total")
        + metrics.sum("assay_pool_cancelled_total") + metrics.sum("assay_pool_expired_total")
      #expect(metrics["assay_pool_submitted_total"] == settled)
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    /// One client after the other, each of a random kind.
    private struct Storm {
      let address: String
      let tokens: [MintedToken]
      var random: SeededGenerator
      let tally: Tally

      init(address: String, tokens: [MintedToken], seed: UInt64, tally: Tally) {
        self.address = address
        self.tokens = tokens
        random = SeededGenerator(seed: seed)
        self.tally = tally
      }

      mutating func act() {
        guard let client = try? Client(address) else { return }
        let token = tokens[Int.random(in: tokens.indices, using: &random)]
        switch Int.random(in: 0..<10, using: &random) {
        case 0: half(client, token.bytes)
        case 1:
          client.post("/decrypt", token.bytes)
          client.reset()
        case 2:
          client.post("/decrypt", token.bytes)
          client.endSending()
          _ = client.receive(seconds: 1)
        case 3: pipeline(client)
        case 4:
          client.send(
            (0..<Int.random(in: 1...5_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
          _ = client.receive(seconds: 0)
        case 5:
          client.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
          if let response = client.receive(), response.status != 200 { tally.note("metrics \(response.status)") }
        case 6: sendLines(client)
        default:
          for _ in 0..<5 {
            let token = tokens[Int.random(in: tokens.indices, using: &random)]
            client.post("/decrypt/apple", token.bytes)
            check(client.receive(), token)
          }
        }
      }

      private mutating func half(_ client: Client, _ token: [UInt8]) {
        client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.count)\r\n\r\n")
        client.send(Array(token.prefix(Int.random(in: 0..<token.count, using: &random))))
        if Bool.random(using: &random) { client.reset() }
      }

      private mutating func pipeline(_ client: Client) {
        let some = (0..<10).map { _ in tokens[Int.random(in: tokens.indices, using: &random)] }
        for token in some { client.post("/decrypt", token.bytes) }
        let read = Int.random(in: 0...10, using: &random)
        for token in some.prefix(read) { check(client.receive(), token) }
      }

      /// Sends up to forty lines or a part of them, and either reads the answers or resets the connection.
      private mutating func sendLines(_ client: Client) {
        let some = (0..<Int.random(in: 1...40, using: &random)).map { _ in
          tokens[Int.random(in: tokens.indices, using: &random)]
        }
        let body = lines(some.map(\.bytes))
        client.beginLines(length: body.count)
        let sent = Bool.random(using: &random) ? body.count : Int.random(in: 0..<body.count, using: &random)
        client.send(Array(body.prefix(sent)))
        guard sent == body.count, Bool.random(using: &random) else { return client.reset() }
        guard let response = client.receive() else { return tally.note("no answer to lines") }
        if response.status == 503 && response.code == "overloaded" { return }
        let documents = (try? response.documents()) ?? []
        guard response.status == 200, documents.count == some.count else { return tally.note("lines \(response.text)") }
        for (token, document) in zip(some, documents) {
          let id = token.transactionId.map { String(format: "%02x", $0) }.joined()
          let code = (document["error"] as? [String: Any])?["code"] as? String
          if document["transactionId"] as? String != id && code != "overloaded" { tally.note("line \(document)") }
        }
      }

      /// Notes every answer that is neither the token's own payment nor `overloaded`.
      private func check(_ response: Response?, _ token: MintedToken) {
        guard let response else { return tally.note("no answer") }
        if response.status == 503 && response.code == "overloaded" { return }
        let id = token.transactionId.map { String(format: "%02x", $0) }.joined()
        guard response.status == 200, (try? response.json())?["transactionId"] as? String == id else {
          return tally.note("\(response.status) \(response.text)")
        }
        tally.answer()
      }
    }

    /// The number of answers, and the wrong ones, of all threads.
    private final class Tally: @unchecked Sendable {
      private let condition = NSCondition()
      private var notes: [String] = []
      private var answers = 0
      private var ended = 0

      var wrong: [String] { condition.withLock { notes } }
      var answered: Int { condition.withLock { answers } }
      func note(_ text: String) { condition.withLock { notes.append(text) } }
      func answer() { condition.withLock { answers += 1 } }

      func end() {
        condition.withLock {
          ended += 1
          condition.broadcast()
        }
      }

      func wait(for count: Int) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let limit = Date().addingTimeInterval(120)
        while ended < count { guard condition.wait(until: limit) else { return false } }
        return true
      }
    }
  }
}
