import Differential
import PaymentToken
import TestCases
import TestSupport
import Testing

@Suite(.enabled(if: RealTokens.available)) struct GenuineTokenTests {
  private static let archival = TestContext(
    now: UnixTime(secondsSinceEpoch: 0), policy: TestPolicy(freshness: .signingTime))

  private func verdict(_ token: RealToken) throws -> Verdict {
    let comparison = Comparison(of: TestInput(token.token, Self.archival), by: try Engines.genuine().pair)
    #expect(comparison.agrees)
    return comparison.first
  }

  @Test(arguments: RealTokens.all.filter { $0.expected != nil })
  func `a genuine token opens to its exact plaintext in both engines`(_ token: RealToken) throws {
    guard case .signed(let opened) = try verdict(token).get() else {
      Issue.record("unsigned")
      return
    }
    #expect(opened.version.rawValue == token.version)
    #expect(opened.plaintext == token.expected)
    #expect(opened.signedAt == token.signedAt)
    #expect(opened.verifiedAt == token.signedAt)
    #expect(opened.isFromSandbox == token.name.hasPrefix("payu-"))
  }

  @Test(arguments: RealTokens.all.filter { $0.genuine && $0.expected == nil })
  func `a genuine token without its key passes stages 1 to 9 and ends in unknownMerchantKey`(
    _ token: RealToken
  ) throws {
    #expect(throws: TokenFault(.unknownMerchantKey)) { try verdict(token).get() }
  }

  @Test func `a genuine token of RSA_v1 is among them`() {
    #expect(RealTokens.all.contains { $0.version == "RSA_v1" && $0.expected != nil })
  }

  @Test(arguments: RealTokens.all.filter { !$0.genuine })
  func `a simulated token with explicit curve parameters ends in invalidLength`(_ token: RealToken) throws {
    #expect(throws: TokenFault(.invalidLength, member: .ephemeralPublicKey)) { try verdict(token).get() }
  }
}
