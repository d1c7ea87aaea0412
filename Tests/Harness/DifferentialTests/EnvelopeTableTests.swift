import Differential
import Foundation
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Compares the engines, which share one table of envelopes, with the table of rule 0.10 in Docs/Verification.md. Also
/// uses envelopes that differ in one part within one process.
@Suite struct EnvelopeTableTests {
  private static let now = UnixTime(secondsSinceEpoch: 1_795_000_000)

  /// A route of the document's table.
  private struct Route: Hashable {
    let envelope: String
    let path: [String]
    let form: String
  }

  /// The routes of the table, except those whose token is in parts.
  private static func routes() throws -> [Route] {
    let document = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Verification.md")
    let rows = try FileText.text(document.standardized.path).split(separator: "\n").filter { $0.hasPrefix("| `") }
    let route = /(object|string) `([\w.-]+)`(?: \((JSON|base64)\))?/
    return rows.flatMap { row -> [Route] in
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, Envelope.named(cells[0].trimmingCharacters(in: ["`"])) != nil else { return [] }
      return cells[1].matches(of: route).map { match in
        Route(
          envelope: cells[0].trimmingCharacters(in: ["`"]),
          path: match.2.split(separator: ".").map(String.init), form: String(match.3 ?? match.1))
      }
    }
  }

  /// A request with the token at a path.
  private static func request(_ token: [UInt8], at path: [String], as form: String) -> [UInt8] {
    let text = String(decoding: token, as: UTF8.self)
    let value =
      switch form {
      case "JSON": "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
      case "base64": "\"\(Data(token).base64EncodedString())\""
      default: text
      }
    return Array(path.reversed().reduce(value) { "{\"\($1)\":\($0)}" }.utf8)
  }

  /// Paths that differ slightly: a level less, more or twice, two levels exchanged, a name with another first letter.
  private static func near(_ path: [String]) -> Set<[String]> {
    var near: Set<[String]> = [path + ["token"], path + [path[path.count - 1]]]
    for index in path.indices {
      near.insert(Array(path[..<index]) + ["data"] + path[index...])
      near.insert(Array(path[...index]) + path[index...])
      if path.count > 1 { near.insert(Array(path[..<index]) + path[(index + 1)...]) }
      var other = path
      other[index] = other[index].first == "x" ? "y" + other[index].dropFirst() : "x" + other[index].dropFirst()
      near.insert(other)
      guard index > 0 else { continue }
      var exchanged = path
      exchanged.swapAt(index - 1, index)
      near.insert(exchanged)
    }
    return near
  }

  @Test func `a token is found at the routes of the document's table and at none that is nearly one`() throws {
    let minter = try Minter(seed: 7, at: Self.now)
    let engines = try Engines.minted(minter)
    let token = try minter.mint(TokenRecipe()).bytes
    let routes = try Self.routes()
    #expect(Set(routes.map(\.envelope)) == ["applepayjs", "alphapay", "mpgs", "bambora"])
    #expect(routes.count == 6)
    var refused = 0
    for route in routes {
      let envelope = try #require(Envelope.named(route.envelope))
      let context = TestContext(now: Self.now, policy: TestPolicy(envelope: .named(envelope)))
      func decide(_ path: [String]) -> Comparison {
        Comparison(of: TestInput(Self.request(token, at: path, as: route.form), context), by: engines.pair)
      }
      let sound = decide(route.path)
      #expect(TestVerdict(sound.first).isAccepted && sound.agrees, "\(route)")
      let known = routes.filter { $0.envelope == route.envelope }.map(\.path)
      for path in Self.near(route.path) where !known.contains(where: { path.starts(with: $0) }) {
        let comparison = decide(path)
        #expect(comparison.first == .failure(TokenFault(.malformedEnvelope)), "\(route.envelope) \(path)")
        #expect(comparison.second == .failure(TokenFault(.malformedEnvelope)), "\(route.envelope) \(path)")
        refused += 1
      }
    }
    #expect(refused > 50)
  }

  @Test(arguments: [8, 16, 32, 64])
  func `a constant that differs only after many characters is another one`(_ count: Int) throws {
    let minter = try Minter(seed: 7, at: Self.now)
    let engines = try Engines.minted(minter)
    let token = try minter.mint(TokenRecipe()).bytes
    let same = String(repeating: "1", count: count)
    for (rule, quote) in [(Envelope.Field.Rule.number(same + "1"), ""), (.text(same + "1"), "\"")] {
      let route = Envelope.Route(["token"], .object, fields: [Envelope.Field(["kind"], rule)])
      let envelope = Envelope(name: "late", routes: [route], marks: [])
      let context = TestContext(now: Self.now, policy: TestPolicy(envelope: .named(envelope)))
      func decide(_ value: String) -> Comparison {
        var request = Self.request(token, at: ["token"], as: "object")
        request.replaceSubrange(0..<1, with: Array("{\"kind\":\(quote)\(value)\(quote),".utf8))
        return Comparison(of: TestInput(request, context), by: engines.pair)
      }
      let sound = decide(same + "1")
      #expect(TestVerdict(sound.first).isAccepted && sound.agrees)
      for other in [same + "2", same + "11", same] {
        let comparison = decide(other)
        #expect(comparison.first == .failure(TokenFault(.envelopeFieldMismatch)), "\(rule) \(other)")
        #expect(comparison.agrees)
      }
    }
  }

  /// The first envelope, and others that differ from it in one part.
  private static let pairs: [Envelope] = {
    typealias Field = Envelope.Field
    func envelope(
      _ name: String = "pair", path: [String] = ["a", "token"], wrapping: Envelope.Wrapping = .object,
      field: Field = Field(["kind"], .text("apple")), mark: Envelope.Mark = Envelope.Mark(["a"], isPresent: true)
    ) -> Envelope {
      Envelope(name: name, routes: [Envelope.Route(path, wrapping, fields: [field])], marks: [mark])
    }
    return [
      envelope(), envelope("other"), envelope(path: ["a", "taken"]), envelope(path: ["b", "token"]),
      envelope(path: ["token"]), envelope(wrapping: .text), envelope(wrapping: .base64),
      envelope(field: Field(["kind"], .text("apples"))),
      envelope(field: Field(["kind"], .number("1"))), envelope(field: Field(["kine"], .text("apple"))),
      envelope(field: Field(["kind"], .transactionId)), envelope(mark: Envelope.Mark(["a"], isPresent: false)),
      envelope(mark: Envelope.Mark(["c"], isPresent: true)),
    ]
  }()

  @Test(arguments: HistoryMode.allCases)
  func `envelopes that differ in one part are told apart in one process`(_ mode: HistoryMode) throws {
    let minter = try Minter(seed: 7, at: Self.now)
    let reference = try Engines.minted(minter).reference
    let token = try minter.mint(TokenRecipe()).bytes
    let target = FastHistoryTarget()
    target.begin(TestSetting(of: minter))
    var place = HistoryPlace()
    place.mode = mode
    var accepted = 0
    func inputs(_ envelope: Envelope) -> [TestInput] {
      [EnvelopeSelection.named(envelope), .automatic([envelope])].flatMap { selection in
        ["object", "JSON", "base64"].flatMap { form in
          [["a", "token"], ["a", "taken"], ["b", "token"], ["token"]].map { path in
            var request = Self.request(token, at: path, as: form)
            request.replaceSubrange(0..<1, with: Array(#"{"kind":"apple","#.utf8))
            return TestInput(request, TestContext(now: Self.now, policy: TestPolicy(envelope: selection)))
          }
        }
      }
    }
    let first = inputs(Self.pairs[0])
    for other in Self.pairs.dropFirst() {
      let mixed = zip(first, inputs(other)).flatMap { [$0, $1, $0] }
      let groups = mode == .batch ? mixed.map { [$0] } : [mixed]
      let verdicts = groups.flatMap { target.decide($0, in: place) ?? [] }
      let expected = mixed.map { $0.verdict(by: reference) }
      #expect(verdicts == expected, "\(other.name) \(other.routes) \(other.marks)")
      accepted += expected.count { TestVerdict($0).isAccepted }
    }
    #expect(accepted > 40)
  }
}
