import FastDecryption
import Minting
import PaymentToken
import Synchronization
import Testing

/// The replay store is asked once, last, and only about tokens that all other rules accept.
@Suite struct ReplayOrderTests {
  private final class Store: ReplayStore {
    private let seen = Mutex<[Bytes32]>([])
    private let verdict: ReplayVerdict
    init(_ verdict: ReplayVerdict = .fresh) { self.verdict = verdict }
    var asked: [Bytes32] { seen.withLock { $0 } }

    func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
      seen.withLock { $0.append(transactionId) }
      return verdict
    }
  }

  @Test func `no rejected token reaches the store`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    let store = Store()
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    var workspace = makeWorkspace()
    for (fault, token) in try HostileTokens.ofEveryStage(fixture) {
      #expect(engine.fault(token, under: policy, in: &workspace) == fault)
    }
    let sound = try fixture.minter.mint().bytes
    for expectations in [
      Expectations(applicationData: digest(of: [])), Expectations(currencyCode: "840"),
      Expectations(transactionAmount: 1),
    ] {
      let demanding = VerificationPolicy(
        freshness: .window(seconds: 300, replay: store), expectations: expectations)
      #expect(engine.fault(sound, under: demanding, in: &workspace) != nil)
    }
    #expect(store.asked.isEmpty)
    #expect(engine.fault(sound, under: policy, in: &workspace) == nil)
    #expect(store.asked.count == 1, "the store is not asked about accepted tokens either")
  }

  @Test(arguments: [
    (ReplayVerdict.fresh, nil), (.replayed, TokenFault(.replayedTransaction)), (.full, TokenFault(.replayStoreFull)),
    (.unavailable, TokenFault(.replayStoreUnavailable)),
  ]) func `an accepted token asks once`(_ verdict: ReplayVerdict, _ fault: TokenFault?) throws {
    let fixture = try Fixture()
    let store = Store(verdict)
    let token = try fixture.minter.mint()
    var workspace = makeWorkspace()
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    #expect(try fixture.engine().fault(token.bytes, under: policy, in: &workspace) == fault)
    #expect(store.asked.map(\.bytes) == [token.transactionId])
  }
}
