import Minting
import PaymentToken
import TestCases

/// Stage 14: what the caller knows of the order, and replays.
extension CaseList {
  mutating func addExpectationCases() {
    addOrderExpectationCases()
    addReplayCases()
  }

  private mutating func addOrderExpectationCases() {
    accept("14.1", "the-expected-application-data") { draft in
      draft.policy.expectations.applicationData = Bytes32(try draft.signApplicationData())
    }
    reject("14.1", "other-application-data-than-expected", .applicationDataMismatch) { draft in
      draft.policy.expectations.applicationData = Bytes32(draft.stream.bytes(32))
      try draft.signApplicationData()
    }
    reject("14.1", "no-application-data-although-expected", .applicationDataMismatch) { draft in
      draft.policy.expectations.applicationData = Bytes32(draft.stream.bytes(32))
    }
    reject("14.1", "no-application-data-although-zeros-expected", .applicationDataMismatch) { draft in
      draft.policy.expectations.applicationData = Bytes32(zeros(32))
    }
    for byte in [0, 31] {
      reject("14.1", "application-data-that-differs-in-byte-\(byte)", .applicationDataMismatch) { draft in
        var bytes = try draft.signApplicationData()
        bytes[byte] ^= 1
        draft.policy.expectations.applicationData = Bytes32(bytes)
      }
    }
    accept("14.1", "application-data-that-nobody-asked-for") { try $0.signApplicationData() }
    accept("14.2", "the-expected-currency-and-amount") { draft in
      draft.policy.expectations.currencyCode = "978"
      draft.policy.expectations.transactionAmount = 1_250
    }
    for (name, code) in [
      ("another-currency", "840"), ("a-currency-that-begins-alike", "979"), (.choice(.holder, "an-empty-currency"), ""),
      ("a-currency-that-ends-alike", "878"), ("a-currency-that-differs-in-the-middle", "968"),
      ("a-longer-currency", "9780"),
    ] as [(CaseName, String)] {
      reject("14.2", "\(name)-than-expected", .currencyMismatch) { $0.policy.expectations.currencyCode = code }
    }
    for amount in [0, 1_249, 1_251, 12, 125_000, -1_250] as [Int64] {
      reject("14.3", "\(amount < 0 ? "minus-" : "")\(amount.magnitude)-expected-and-1250-paid", .amountMismatch) {
        $0.policy.expectations.transactionAmount = amount
      }
    }
    reject("14.1", "everything-else-than-expected", .applicationDataMismatch) { draft in
      draft.policy.expectations = Expectations(
        applicationData: Bytes32(draft.stream.bytes(32)), currencyCode: "840", transactionAmount: 1)
    }
    reject("14.2", "another-currency-and-amount-than-expected", .currencyMismatch) { draft in
      draft.policy.expectations = Expectations(currencyCode: "840", transactionAmount: 1)
    }
    reject("14.2", "the-archived-token-of-another-currency", .currencyMismatch) { draft in
      draft.policy.freshness = .signingTime
      draft.policy.expectations.currencyCode = "840"
    }
  }

  private mutating func replay(
    _ name: CaseName, _ code: TokenFault.Code?, by store: TestPolicy.Store = .capacity(10),
    _ build: @escaping Build = { _ in }
  ) {
    either("14.4", name, code) { draft in
      draft.detectReplays(by: store)
      try build(&draft)
    }
  }

  /// The prelude holds the valid token; `build` edits the token that is verified.
  private mutating func replayed(
    _ name: CaseName, _ code: TokenFault.Code? = .replayedTransaction, by store: TestPolicy.Store = .capacity(10),
    _ build: @escaping Build = { _ in }
  ) {
    replay(name, code, by: store) { draft in
      draft.prelude = [draft.layers.token]
      try build(&draft)
    }
  }

  private mutating func addReplayCases() {
    replay("a-transaction-seen-for-the-first-time", nil)
    replayed("a-token-seen-before")
    replay("a-token-seen-twice-before", .replayedTransaction) { $0.prelude = [$0.layers.token, $0.layers.token] }
    replayed("a-token-seen-before-written-otherwise") { draft in
      draft.layers.style.upperCaseHex = true
      draft.layers.style.spacing = .pretty
      draft.layers.style.solidus = .unicode
    }
    replayed(.standing(.apple, .apple, .high, "another-token-of-the-same-transaction")) { draft in
      try draft.layers.replaceEphemeral(with: KeyPair(.p256, from: &draft.stream))
    }
    replayed(.standing(.apple, .apple, .high, "the-same-transaction-for-another-merchant")) { draft in
      draft.layers.merchantKey = draft.minter.merchants[1].keys[0]
      draft.layers.merchantHash = draft.minter.merchants[1].identifierHash
      draft.layers.publicKeyHash = draft.layers.merchantKey.publicKeyHash
      try draft.reseal()
    }
    replay("another-transaction-seen-before", nil) { $0.prelude = [try $0.anotherToken().token] }
    for byte in [0, 31] {
      replayed("a-transaction-seen-before-that-differs-in-byte-\(byte)", nil) { draft in
        draft.layers.transactionId[byte] ^= 1
        try draft.sign()
      }
    }
    replay(.choice(.holder, "a-store-without-room"), .replayStoreFull, by: .capacity(0))
    replay(.choice(.holder, "a-store-full-of-another-transaction"), .replayStoreFull, by: .capacity(1)) { draft in
      draft.prelude = [try draft.anotherToken().token]
    }
    replay(.choice(.holder, "a-store-full-of-two-transactions"), .replayStoreFull, by: .capacity(2)) { draft in
      draft.prelude = [try draft.anotherToken().token, try draft.anotherToken().token]
    }
    replayed(.choice(.holder, "a-full-store-that-has-seen-the-transaction"), by: .capacity(1))
    replay("a-store-with-room-for-one-more", nil, by: .capacity(2)) { $0.prelude = [try $0.anotherToken().token] }
    let failures: Named<@Sendable (inout TokenLayers) throws -> Void> = [
      "whose-signature-was-wrong": { $0.data[0] ^= 1 }, "whose-key-was-unknown": { $0.publicKeyHash[0] ^= 1 },
      "that-could-not-be-opened": { layers in
        layers.data[0] ^= 1
        try layers.sign()
      },
      "whose-payload-was-malformed": { layers in
        try layers.encrypt(Array("{}".utf8))
        try layers.sign()
      },
      "that-was-stale": { layers in
        layers.signedAt = layers.signedAt.advanced(by: -301)
        try layers.sign()
      },
    ]
    for (name, fail) in failures {
      replay("a-transaction-seen-before-\(name)", nil) { draft in
        var failed = draft.layers
        try fail(&failed)
        draft.prelude = [failed.token]
      }
    }
    replay("a-transaction-seen-before-for-another-amount", nil) { draft in
      draft.policy.expectations.transactionAmount = 1_250
      var other = draft.layers
      var payload = PayloadRecipe()
      payload.transactionAmount = "1251"
      try other.encrypt(payload.plaintext)
      try other.sign()
      draft.prelude = [other.token]
    }
    replayed("a-replayed-token-of-another-amount", .amountMismatch) { $0.policy.expectations.transactionAmount = 1 }
    replayed("a-replayed-token-of-another-currency", .currencyMismatch) { $0.policy.expectations.currencyCode = "840" }
    accept("14.4", "a-token-seen-before-without-replay-detection") { $0.prelude = [$0.layers.token] }
    addSilentStoreCases()
  }

  /// If the store does not answer, nobody knows whether the transaction was seen before.
  private mutating func addSilentStoreCases() {
    replay(.choice(.holder, "a-store-that-does-not-answer"), .replayStoreUnavailable, by: .silent)
    replayed(
      .choice(.holder, "a-token-seen-before-and-a-store-that-does-not-answer"), .replayStoreUnavailable, by: .silent)
    replayed(.choice(.holder, "a-store-that-does-not-answer-and-another-amount"), .amountMismatch, by: .silent) {
      $0.policy.expectations.transactionAmount = 1
    }
    replay(
      .choice(.holder, "another-transaction-seen-before-and-a-store-that-does-not-answer"), .replayStoreUnavailable,
      by: .silent
    ) {
      $0.prelude = [try $0.anotherToken().token]
    }
  }
}
