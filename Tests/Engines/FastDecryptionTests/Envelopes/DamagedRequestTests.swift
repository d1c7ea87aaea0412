import FastDecryption
import Gateways
import Minting
import PaymentToken
import TestSupport
import Testing

/// Damaged requests, and genuine tokens in requests.
@Suite struct DamagedRequestTests {
  private static let selections = [EnvelopeSelection.automatic] + Gateway.all.map { .named($0.envelope) }

  @Test func `a damaged request gets a verdict, and none decrypts to anything but the minted payment`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    let token = try fixture.minter.mint(TokenRecipe())
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var workspace = makeWorkspace()
    var (opened, unsigned, refused) = (0, 0, 0)
    let forms = Gateway.all.flatMap(\.forms)
    for _ in 0..<3_000 {
      let form = forms[Int.random(in: 0..<forms.count, using: &generator)]
      var request = form.request(around: token.bytes, in: .random(using: &generator), using: &generator)
      for _ in 0..<Int.random(in: 0...2, using: &generator) { Self.damage(&request, using: &generator) }
      for selection in Self.selections {
        let policy = VerificationPolicy(envelope: selection)
        if case .success(let plaintext) = engine.verdict(request, under: policy, in: &workspace) {
          #expect(plaintext == token.plaintext, "seed \(seed)")
          opened += 1
        }
        switch engine.unsignedVerdict(request, under: policy, in: &workspace) {
        case .signed(let plaintext): #expect(plaintext == token.plaintext, "seed \(seed)")
        case .unsigned(let plaintext):
          #expect(plaintext == token.plaintext, "seed \(seed)")
          unsigned += 1
        case .refused: refused += 1
        case nil: Issue.record("the two functions disagree, seed \(seed)")
        }
      }
    }
    // A third of the requests is not damaged at all. Each outcome must occur often enough.
    #expect(opened > 500 && unsigned > 50 && refused > 5_000, "seed \(seed): \(opened), \(unsigned), \(refused)")
  }

  private static func damage(_ request: inout [UInt8], using generator: inout SeededGenerator) {
    guard !request.isEmpty else { return }
    let index = Int.random(in: 0..<request.count, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: request[index] = UInt8.random(in: 0...255, using: &generator)
    case 1: request.remove(at: index)
    case 2: request.removeLast(request.count - index)
    case 3: request.insert(contentsOf: "\\\"{}[],:u0".utf8.shuffled(using: &generator).prefix(2), at: index)
    default:
      // Repeats a part of the request, and with it names and members.
      let end = min(request.count, index + Int.random(in: 1...200, using: &generator))
      request.insert(contentsOf: Array(request[index..<end]), at: end)
    }
  }

  @Test func `every truncated request is a malformedEnvelope`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    let token = try fixture.minter.mint(TokenRecipe()).bytes
    var workspace = makeWorkspace()
    for gateway in Gateway.all {
      let request = gateway.signedForms[0].request(around: token)
      let policy = VerificationPolicy(envelope: .named(gateway.envelope))
      for count in 0..<request.count {
        #expect(
          engine.fault(Array(request[..<count]), under: policy, in: &workspace) == TokenFault(.malformedEnvelope))
      }
      #expect(engine.fault(request, under: policy, in: &workspace) == nil)
    }
  }

  @Test(.enabled(if: RealTokens.available), arguments: RealTokens.all)
  func `a genuine token decrypts in every request as it does alone`(_ token: RealToken) throws {
    let engine = try FastDecryptor(keys: RealTokens.keys(), anchors: .apple)
    var workspace = makeWorkspace()
    func verdict(_ request: [UInt8], _ envelope: Envelope) -> Result<[UInt8], TokenFault> {
      engine.verdict(
        request, under: VerificationPolicy(envelope: .named(envelope), freshness: .signingTime), in: &workspace)
    }
    let raw = verdict(token.token, .apple)
    var generator = SeededGenerator(seed: 3).stream(token.name)
    for gateway in Gateway.all where token.version == "EC_v1" || gateway.name != Envelope.worldline.name {
      for form in gateway.signedForms {
        for style in [RequestStyle.plain, .random(using: &generator)] {
          let request = form.request(around: token.token, in: style, using: &generator)
          #expect(verdict(request, gateway.envelope) == raw, "\(gateway.name)")
        }
      }
    }
  }
}
