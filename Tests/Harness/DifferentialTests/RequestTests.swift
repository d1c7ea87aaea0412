import Differential
import Foundation
import Fuzzing
import Gateways
import Minting
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Tokens in requests of every gateway, in every style, through both engines.
@Suite struct RequestTests {
  /// Minted tokens that many requests share.
  private static func tokens(_ minter: Minter) throws -> [MintedToken] {
    try (UInt64(0)..<48).map { $0 % 4 == 3 ? try minter.mintRSA(index: $0) : try minter.mint(index: $0) }
  }

  /// Names that a careless reader takes for those of the token's members: a path written as one name, a letter that
  /// Unicode case folding takes for another (KELVIN SIGN), another case, members of the header beside it, and members
  /// of the token within the header.
  private static let foreignNames = [
    "header.publicKeyHash", "header.ephemeralPublicKey", "header.transactionId", "header.wrappedKey",
    "public\u{212A}eyHash", "ephemeralPublic\u{212A}ey", "wrapped\u{212A}ey", "PublicKeyHash", "transactionid",
    "publicKeyHash", "transactionId", "ephemeralPublicKey", "data", "signature", "version", "header",
  ]

  /// The token with one to three unknown members, first or last, beside the header or within it.
  private static func withForeignMembers(_ token: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    var text = String(decoding: token, as: UTF8.self)
    for _ in 0..<1 + (random.chance(2) ? 2 : 0) {
      let (isInHeader, isFirst) = (random.chance(2), random.chance(2))
      let own = isInHeader ? foreignNames.dropLast(7) : foreignNames.dropLast(4)
      let name = random.pick(Array(isInHeader ? own + foreignNames.suffix(4) : own))
      guard !text.contains("\"\(name)\":\"ERER") else { continue }
      let member = "\"\(name)\":\"\(String(repeating: "ER", count: 21))E=\""
      let object = isInHeader ? text.range(of: "\"header\":{") : text.range(of: "{")
      guard let open = object?.upperBound else { return token }
      let close = isInHeader ? text[open...].firstIndex(of: "}") : text.lastIndex(of: "}")
      guard let close else { return token }
      if isFirst {
        text.insert(contentsOf: member + ",", at: open)
      } else {
        text.insert(contentsOf: "," + member, at: close)
      }
    }
    return Array(text.utf8)
  }

  /// The reference engine is slow, so it decides each request only by the envelope's name or only by its shape, chosen
  /// at random. The fast engine decides it in both ways and must give the same verdict.
  @Test(arguments: 0..<2)
  func `requests open to the token's plaintext, by name and by shape`(_ lane: Int) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let (engines, tokens) = (try Engines.minted(minter), try Self.tokens(minter))
    let forms = Gateway.all.flatMap { gateway in gateway.forms.map { (gateway, $0) } }
    var hunt = Hunt("requests")
    for number in stride(from: lane, to: Hunt.count(Ring.isDeep ? 10_000 : 6_000), by: 2) {
      var random = QuickGenerator(minter.generator.stream("requests", UInt64(number)))
      let (gateway, form) = random.pick(forms)
      // Only tokens of EC_v1 can be in parts.
      let isInParts = gateway.name == Envelope.worldline.name
      let token = random.pick(isInParts ? tokens.filter { $0.layers.version == .ecV1 } : tokens)
      let bytes = random.chance(2) ? token.bytes : Self.withForeignMembers(token.bytes, using: &random)
      let request = form.request(
        around: bytes, .random(using: &random), in: .random(using: &random), using: &random)
      var context = TestContext(now: Hunt.now)
      context.policy.isUnsigned = !form.isSigned || random.chance(4)
      let ways = [EnvelopeSelection.named(gateway.envelope), .automatic].shuffled(using: &random)
      context.policy.envelope = ways[0]
      let mark = "number \(number), \(gateway.name) \(form.name)"
      let verdict = hunt.ask(request, of: engines, in: context, mark)
      context.policy.envelope = ways[1]
      let other = TestInput(request, context).verdict(by: engines.fast)
      #expect(verdict == other, "seed \(Hunt.seed), \(mark)")
      guard case .success(let opened) = verdict else {
        Issue.record("seed \(Hunt.seed), \(mark): \(verdict)")
        continue
      }
      #expect(opened.plaintext == token.layers.plaintext, "\(mark)")
      #expect(opened.envelope == gateway.name, "\(mark)")
      #expect(opened.isSigned == form.isSigned, "\(mark)")
    }
    hunt.report()
  }

  @Test(arguments: 0..<2) func `mutated requests get one verdict and keep their meaning`(_ lane: Int) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let tokens = try Self.tokens(minter)
    let forms = Gateway.all.flatMap { gateway in gateway.forms.map { (gateway, $0) } }
    var samples: [TestInput] = []
    let sampleSigner = try SampleSigner(minter)
    let engines = try Engines.minted(minter, anchors: sampleSigner.anchors)
    for number in 0..<80 {
      var random = QuickGenerator(minter.generator.stream("mutated requests", UInt64(number)))
      let (gateway, form) = forms[number % forms.count]
      let isInParts = gateway.name == Envelope.worldline.name
      let token = random.pick(isInParts ? tokens.filter { $0.layers.version == .ecV1 } : tokens)
      let request = form.request(
        around: token.bytes, .random(using: &random), in: .random(using: &random), using: &random)
      var context = TestContext(now: Hunt.now)
      context.policy.envelope = random.chance(2) ? .automatic : .named(gateway.envelope)
      context.policy.isUnsigned = !form.isSigned || random.chance(2)
      samples.append(TestInput(request, context))
    }
    let mutations = Mutation.all.filter { [.members, .request, .requestText].contains($0.layer) }
    let numbers = stride(from: lane, to: Hunt.count(Ring.isDeep ? 40_000 : 16_000), by: 2)
    var hunt = Hunt("mutated requests")
    try hunt.mutate(samples, numbers, by: mutations, sampleSigner: sampleSigner, engines: engines)
    hunt.report()
    #expect(hunt.metAcceptance)
    #expect(hunt.met(.malformedEnvelope))
  }

  @Test(.enabled(if: RealTokens.available), arguments: RealTokens.all)
  func `a genuine token gets the verdict of the bare one in each envelope`(_ token: RealToken) throws {
    let engines = try Engines.genuine()
    var hunt = Hunt("requests around the genuine token \(token.name)")
    func ask(_ request: [UInt8], _ envelope: EnvelopeSelection, isUnsigned: Bool = false) -> TestVerdict {
      let policy = TestPolicy(envelope: envelope, isUnsigned: isUnsigned, freshness: .signingTime)
      let context = TestContext(now: Hunt.now, policy: policy)
      return TestVerdict(hunt.ask(request, of: engines, in: context, token.name))
    }
    let bare = ask(token.token, .named(.apple))
    for gateway in Gateway.all {
      for form in gateway.forms {
        var random = QuickGenerator(SeededGenerator(seed: Hunt.seed).stream("genuine"))
        let requests = [
          form.request(around: token.token),
          form.request(around: token.token, in: .random(using: &random), using: &random),
        ]
        for request in requests {
          for envelope in [EnvelopeSelection.named(gateway.envelope), .automatic] {
            let verdict = ask(request, envelope, isUnsigned: !form.isSigned)
            let expected = Self.expected(bare, token, gateway, form)
            #expect(verdict == expected, "\(token.name) in \(gateway.name), \(form.name)")
          }
        }
      }
    }
    hunt.report()
  }

  /// The expected verdict on a genuine token in a request. Only tokens of EC_v1 can be in parts, and the signatures of
  /// unsigned forms are not checked.
  private static func expected(
    _ bare: TestVerdict, _ token: RealToken, _ gateway: Gateway, _ form: Gateway.Form
  ) -> TestVerdict {
    guard gateway.name == Envelope.worldline.name else { return bare }
    guard token.version == TokenVersion.ecV1.rawValue else {
      return .reject(TokenFault(.missingMember, member: .ephemeralPublicKey))
    }
    guard !form.isSigned, case .accept(let plaintext) = bare else { return bare }
    return .acceptUnsigned(plaintext: plaintext)
  }
}
