import MerchantKeys
import Minting
import PaymentToken
import TestCases
import Testing

/// Valid tokens with policies and times of every kind: stages 7.6, 7.7, 9 and 14 in depth.
@Suite struct PolicyTests {
  @Test func `policies and extreme times get one verdict`() throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    var hunt = Hunt("policies and times")
    for number in 0..<UInt64(Hunt.count(2_000)) {
      var random = minter.generator.stream("policies", number)
      var pki = minter.pki
      var recipe = TokenRecipe(index: number % 16)
      if random.chance(2) { recipe.applicationData = [UInt8](repeating: 1, count: 32) }
      if random.chance(2) {
        pki.changeDates(using: &random)
        try pki.issueIntermediate()
      }
      var layers = try minter.layers(recipe)
      layers.signer = TokenSigner(pki)
      let signingTime = random.chance(2) ? random.pick(Self.times) : nil
      layers.signatureRecipe.signingTime = signingTime
      try layers.sign()
      let others = try [minter.layers(TokenRecipe(index: 99)).token, layers.token]
      let prelude = (0..<random.pick([0, 0, 1, 2])).map { _ in random.pick(others) }
      let context = TestContext(
        now: Self.now(using: &random), policy: try Self.policy(pki, using: &random), prelude: prelude)
      hunt.ask(layers.token, of: engines, in: context, "number \(number)")
    }
    hunt.report()
    #expect(hunt.metAcceptance)
    for code: TokenFault.Code in [
      .certificateRevoked, .certificateExpired, .certificateNotYetValid, .signingTimeOutsideWindow,
      .applicationDataMismatch, .currencyMismatch, .amountMismatch, .replayedTransaction, .replayStoreFull,
      .replayStoreUnavailable,
    ] { #expect(hunt.met(code), "\(code)") }
  }

  @Test(arguments: [Freshness.window(seconds: 300), .windowOff, .signingTime])
  func `both engines take the signing times that the caller names, the first but not the last`(
    _ freshness: Freshness
  ) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    let token = try minter.mint().bytes
    for (first, last, isAccepted) in [
      (0, 1, true), (-1, 1, true), (-5, 0, false), (1, 5, false), (0, 0, false), (-400, 400, true),
    ] as [(Int64, Int64, Bool)] {
      let policy = VerificationPolicy(
        freshness: freshness, signingTimes: Hunt.now.advanced(by: first)..<Hunt.now.advanced(by: last))
      for engine in [engines.fast, engines.reference] as [any TokenDecryptor] {
        let verdict = Result { () throws(TokenFault) in try engine.decrypt(token.span, at: Hunt.now, under: policy) }
        let fault: TokenFault? = if case .failure(let fault) = verdict { fault } else { nil }
        #expect(fault == (isAccepted ? nil : TokenFault(.signingTimeOutsideWindow)), "\(first) \(last)")
      }
    }
  }

  fileprivate static let times: [ASN1Node] = [
    .generalizedTime("00000101000000Z"), .generalizedTime("99991231235959Z"), .generalizedTime("19700101000000Z"),
    .generalizedTime("19691231235959Z"), .generalizedTime("20000229000000Z"), .utcTime("500101000000Z"),
    .utcTime("491231235959Z"), .utcTime("700101000000Z"), .time(Hunt.now),
    .generalizedTime(Hunt.now.generalizedTimeText),
    .time(Hunt.now.advanced(by: 300)), .time(Hunt.now.advanced(by: 301)), .time(Hunt.now.advanced(by: -300)),
    .time(Hunt.now.advanced(by: -301)),
  ]

  private static func now(using random: inout SeededGenerator) -> UnixTime {
    guard random.chance(3) else { return Hunt.now }
    let seconds: Int64 = random.pick([
      .min, .max, 0, -1, 253_402_300_799, 253_402_300_800, -62_167_219_200, -62_167_219_201, 2_524_607_999,
      -631_152_000,
      .min + 1, .max - 1, Hunt.now.secondsSinceEpoch + Int64(UInt32.max),
      Hunt.now.secondsSinceEpoch - Int64(UInt32.max),
    ])
    return UnixTime(secondsSinceEpoch: seconds)
  }

  private static func policy(_ pki: TestPKI, using random: inout SeededGenerator) throws -> TestPolicy {
    var policy = TestPolicy()
    let seconds: UInt32 = random.pick([0, 1, 299, 300, 301, .max])
    policy.freshness = random.pick([
      .window(seconds: 300, replay: nil), .window(seconds: seconds, replay: nil),
      .window(seconds: seconds, replay: random.pick([.capacity(0), .capacity(1), .capacity(2), .silent])), .windowOff,
      .signingTime,
    ])
    if random.chance(4) {
      let certificate = try Certificate(der: random.pick([pki.root, pki.intermediate, pki.leaf]))
      policy.revoked = [random.chance(2) ? certificate.fingerprint() : certificate.publicKeyHash()]
    }
    if random.chance(6) {
      policy.expectations.applicationData = Bytes32([UInt8](repeating: random.pick([1, 2]), count: 32))
    }
    if random.chance(4) { policy.expectations.currencyCode = random.pick(["978", "840", "", "978\u{0}", "٩٧٨", "97"]) }
    if random.chance(4) { policy.expectations.transactionAmount = random.pick([1_250, 0, -1_250, .max, .min]) }
    return policy
  }
}

extension TestPKI {
  /// Sets dates at the limits of UTCTime and GeneralizedTime, and around the current time.
  fileprivate mutating func changeDates(using random: inout SeededGenerator) {
    if random.chance(3) { leafRecipe.notAfter = random.pick(PolicyTests.times) }
    if random.chance(3) { leafRecipe.notBefore = random.pick(PolicyTests.times) }
    if random.chance(4) { intermediateRecipe.notAfter = random.pick(PolicyTests.times) }
    if random.chance(4) { intermediateRecipe.notBefore = random.pick(PolicyTests.times) }
  }
}
