import Benchmarking
import Gateways
import Minting
import PaymentToken

/// Decryption of EC_v1 tokens in gateways' requests, and of unsigned ones: Worldline's request with the token's members
/// as separate fields.
enum GatewayBenchmarks {
  static func name(of gateway: String) -> String { "gateway/\(gateway)/fast" }

  static func unsignedName(_ engine: String) -> String { DecryptBenchmarks.name(engine) + "/unsigned" }

  static let entries =
    Gateway.all.map { entry(name(of: $0.name), .fast, $0, isUnsigned: false) }
    + Contender.all.map { entry(unsignedName($0.name), $0, .worldline, isUnsigned: true) }

  /// The time of a request over that of its token alone, and of an unsigned token over libcrypto's ECDH alone.
  static let ratios =
    Gateway.all.map { gateway in
      RatioDefinition.time(
        "gateway \(gateway.name) over raw", name(of: gateway.name), over: [DecryptBenchmarks.name("fast")])
    } + [
      .time("fast unsigned over its crypto part", unsignedName("fast"), over: [CryptoBenchmarks.agreement])
    ]

  /// - Parameter gateway: the gateway whose requests contain the tokens.
  private static func entry(_ name: String, _ contender: Contender, _ gateway: Gateway, isUnsigned: Bool) -> Entry {
    Entry(name: name) { name, context throws(BenchmarkFailure) in
      let requests = try requests(around: context.tokens(of: .ecV1).set, gateway, isUnsigned: isUnsigned)
      return .checked(name, try TokenCycle(CheckedTokens(requests), by: contender).run)
    }
  }

  /// The same tokens, each in a request as the gateway documents it; the unsigned form leaves out the signature.
  private static func requests(
    around tokens: TokenSet, _ gateway: Gateway, isUnsigned: Bool
  ) throws(BenchmarkFailure) -> TokenSet {
    guard let form = gateway.forms.first(where: { $0.isSigned != isUnsigned }) else {
      throw BenchmarkFailure("\(gateway.name) has no such request")
    }
    // Mastercard's examples break the token into lines, with `\r\n\t` in the string, and escape every `/`.
    var style = RequestStyle.plain
    style.indentsToken = gateway.id == .mpgs
    style.escapesSolidus = style.indentsToken
    var generator = SeededGenerator(seed: 1)
    let entries = tokens.entries.map { entry in
      let request = { (token: [UInt8]) in form.request(around: token, in: style, using: &generator) }
      return TokenSet.Entry(
        token: request(entry.token), version: entry.version, plaintext: entry.plaintext,
        altered: entry.altered.map { request($0) }, forged: isUnsigned ? nil : entry.forged.map { request($0) })
    }
    return TokenSet(
      entries: entries, keys: tokens.keys, anchors: tokens.anchors, now: tokens.now,
      policy: VerificationPolicy(envelope: .named(gateway.envelope), freshness: tokens.policy.freshness),
      isUnsigned: isUnsigned)
  }
}
