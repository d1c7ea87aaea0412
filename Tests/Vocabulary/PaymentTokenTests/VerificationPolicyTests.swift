import PaymentToken
import Testing

@Suite struct VerificationPolicyTests {
  private final class Store: ReplayStore {
    func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .full }
  }

  @Test func `a policy has the freshness that it was made with`() throws {
    let store = Store()
    guard case .window(7, let replay?) = VerificationPolicy(freshness: .window(seconds: 7, replay: store)).freshness,
      case .window(300, nil) = VerificationPolicy().freshness,
      case .windowOff = VerificationPolicy(freshness: .windowOff).freshness,
      case .signingTime = VerificationPolicy(freshness: .signingTime).freshness
    else {
      Issue.record("another freshness")
      return
    }
    #expect(replay as? Store === store)
  }

  @Test func `without a store, none answers`() throws {
    let id = try #require(Bytes32([UInt8](repeating: 1, count: 32)))
    for freshness in [Freshness.window(seconds: 300), .windowOff, .signingTime] {
      let store = VerificationPolicy(freshness: freshness).replayStore
      #expect(store.insert(id, at: UnixTime(secondsSinceEpoch: 0), window: 300) == .unavailable)
    }
  }
}
