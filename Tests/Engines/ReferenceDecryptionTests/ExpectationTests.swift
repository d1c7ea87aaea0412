import Minting
import PaymentToken
import ReferenceDecryption
import Synchronization
import TestSupport
import Testing

/// Remembers up to a number of transactions, and how often it was asked.
private final class SmallStore: ReplayStore {
  private let state = Mutex((seen: Set<Bytes32>(), calls: 0))
  private let room: Int

  init(room: Int) { self.room = room }

  var calls: Int { state.withLock(\.calls) }

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    state.withLock { state in
      state.calls += 1
      if state.seen.contains(transactionId) { return .replayed }
      guard state.seen.count < room else { return .full }
      state.seen.insert(transactionId)
      return .fresh
    }
  }
}

struct ExpectationTests {
  private let token: [UInt8]
  private let engine: ReferenceDecryptor
  private let payment: Payment

  init() throws {
    let minter = try Minted.minter()
    let token = try minter.mint(TokenRecipe(index: 1)).bytes
    self.token = token
    engine = try Minted.engine(minter)
    payment = try engine.decrypt(token.span, at: Minted.time, under: VerificationPolicy()).payment
  }

  private func fault(_ expectations: Expectations, replay: (any ReplayStore)? = nil) -> TokenFault? {
    let policy = VerificationPolicy(
      freshness: .window(seconds: 300, replay: replay), expectations: expectations)
    return engine.fault(token, at: Minted.time, policy)
  }

  @Test func `what the order says is accepted`() {
    let order = Expectations(currencyCode: payment.currencyCode, transactionAmount: payment.transactionAmount)
    #expect(fault(order) == nil)
  }

  @Test func `a token without application data does not match any`() {
    #expect(
      fault(Expectations(applicationData: SHA256Zero.bytes, currencyCode: "000", transactionAmount: -1))
        == TokenFault(.applicationDataMismatch))
  }

  @Test func `currency comes before amount, and each is compared exactly`() {
    #expect(fault(Expectations(currencyCode: "000", transactionAmount: -1)) == TokenFault(.currencyMismatch))
    #expect(
      fault(Expectations(currencyCode: payment.currencyCode, transactionAmount: payment.transactionAmount + 1))
        == TokenFault(.amountMismatch))
  }

  @Test func `a token is accepted once, and asked about last`() {
    let store = SmallStore(room: 1)
    #expect(fault(Expectations(currencyCode: "000"), replay: store) == TokenFault(.currencyMismatch))
    #expect(store.calls == 0)
    #expect(fault(Expectations(), replay: store) == nil)
    #expect(fault(Expectations(), replay: store) == TokenFault(.replayedTransaction))
    #expect(store.calls == 2)
  }

  @Test func `a store without room refuses`() {
    #expect(fault(Expectations(), replay: SmallStore(room: 0)) == TokenFault(.replayStoreFull))
  }

  @Test func `a store decides last: fresh, replayed or full`() throws {
    let second = try Minted.minter().mint(TokenRecipe(index: 2)).bytes
    let store = SmallStore(room: 1)
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    #expect(engine.fault(token, at: Minted.time, policy) == nil)
    #expect(engine.fault(token, at: Minted.time, policy) == TokenFault(.replayedTransaction))
    #expect(engine.fault(second, at: Minted.time, policy) == TokenFault(.replayStoreFull))
    #expect(store.calls == 3)
  }
}
