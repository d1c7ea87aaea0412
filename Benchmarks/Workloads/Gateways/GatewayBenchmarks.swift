import Benchmarking
import Gateways
import Minting
import PaymentToken

/// EC_v1 tokens extracted from gateways' requests, verified and decrypted; and unsigned tokens in parts.
struct GatewayBenchmarks {
  /// A gateway's request and the engine that decrypts it.
  private struct Definition {
    let name: String
    let contender: Contender
    let gateway: Gateway
    /// Whether the request is unsigned.
    let isUnsigned: Bool
  }

  private static let definitions =
    Gateway.all.map {
      Definition(name: name(of: $0.name), contender: .fast, gateway: $0, isUnsigned: false)
    }
    + Contender.all.map {
      Definition(name: unsignedName($0.name), contender: $0, gateway: .worldline, isUnsigned: true)
    }

  static func name(of gateway: String) -> String { "gateway/\(gateway)/fast" }

  static func unsignedName(_ engine: String) -> String { DecryptBenchmarks.name(engine) + "/unsigned" }

  static let names = definitions.map(\.name)

  /// The overhead of the envelope, and the cost of unsigned tokens.
  static let ratios =
    Gateway.all.map { gateway in
      RatioDefinition.time(
        "gateway \(gateway.name) over raw", name(of: gateway.name), over: [DecryptBenchmarks.name("fast")])
    } + [
      .time("fast unsigned over its crypto part", unsignedName("fast"), over: [CryptoBenchmarks.agreement])
    ]

  /// Makes the benchmark of a name after checking both engines on every request; nil if it is not of this family.
  static func make(_ name: String, of tokens: TokenSet) throws(BenchmarkFailure) -> Benchmark? {
    guard let definition = definitions.first(where: { $0.name == name }) else { return nil }
    let set = try requests(around: tokens, definition)
    let lengths = try AnswerCheck.run(Contender.all, on: set)
    return .checked(name, try TokenCycle(set, lengths: lengths, by: definition.contender).run)
  }

  /// The same tokens, each in a request as the gateway documents it.
  private static func requests(around tokens: TokenSet, _ definition: Definition) throws(BenchmarkFailure) -> TokenSet {
    guard let form = definition.gateway.forms.first(where: { $0.isSigned != definition.isUnsigned }) else {
      throw BenchmarkFailure("\(definition.gateway.name) has no such request")
    }
    // Mastercard's examples break the token into lines, with `\r\n\t` in the string, and escape every `/`.
    var style = RequestStyle.plain
    style.indentsToken = definition.gateway.id == .mpgs
    style.escapesSolidus = style.indentsToken
    var generator = SeededGenerator(seed: 1)
    let entries = tokens.entries.map { entry in
      let request = { (token: [UInt8]) in form.request(around: token, in: style, using: &generator) }
      return TokenSet.Entry(
        token: request(entry.token), version: entry.version, plaintext: entry.plaintext,
        altered: entry.altered.map { request($0) })
    }
    return TokenSet(
      entries: entries, keys: tokens.keys, anchors: tokens.anchors, now: tokens.now,
      policy: VerificationPolicy(envelope: .named(definition.gateway.envelope), freshness: tokens.policy.freshness),
      isUnsigned: definition.isUnsigned)
  }
}
