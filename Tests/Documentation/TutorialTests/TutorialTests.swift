import FastDecryption
import Foundation
import MerchantKeys
import Minting
import PaymentToken
import Synchronization
import Testing

/// Compiles and runs the code of the DocC tutorials: `Code` links to every file that they show.
@Suite struct TutorialTests {
  static let now = UnixTime(secondsSinceEpoch: 1_795_000_000)
  static let amount: Int64 = 1_250

  private let minter: Minter
  private let keys: MerchantKeySet
  private let certificate: [UInt8]

  init() throws {
    minter = try Minter(seed: 20, at: Self.now)
    let key = minter.merchants[0].keys[0]
    certificate = Array(key.certificatePEM.utf8)
    keys = try merchantKeys(key: Array(key.pkcs8PEM.utf8), certificate: certificate)
  }

  private func token(_ index: UInt64 = 0) throws -> [UInt8] {
    try minter.mint(TokenRecipe(index: index)).bytes
  }

  @Test func `opening a token`() throws {
    let opener = try TokenOpener(keys: keys, roots: minter.anchors)
    let replay = MemoryReplayStore(capacity: 16)
    let policy = VerificationPolicy.order(currency: "978", amount: Self.amount, replay: replay)
    #expect(try opener.payment(in: token(), at: Self.now, under: policy).transactionAmount == Self.amount)

    let fault = #expect(throws: TokenFault.self) { try opener.payment(in: token(), at: Self.now, under: policy) }
    #expect(fault?.code == .replayedTransaction && fault?.isTemporary == false)
    #expect(fault?.logLine.hasPrefix("token refused: replayedTransaction (stage 14): ") == true)
    #expect(TokenFault(.keyUnavailable).isTemporary && TokenFault(.replayStoreFull).isTemporary)

    guard var workspace = Workspace() else { throw Unreachable() }
    let amount = try opener.amount(in: token(1), at: Self.now, under: policy, using: &workspace)
    #expect(amount == Self.amount)
  }

  @Test func `a pool in a server`() async throws {
    let engine = try FastDecryptor(keys: keys, anchors: minter.anchors)
    let service = try TokenService(engine, replay: MemoryReplayStore(capacity: 16))
    let order = Expectations(currencyCode: "978", transactionAmount: Self.amount)

    let minted = try minter.mint(TokenRecipe(index: 0))
    let opened = try await service.open(minted.bytes, at: Self.now, for: order)
    #expect(opened.amount == Self.amount && opened.transactionId.count == 64)
    await #expect(throws: DecryptionPool.Refusal.token(TokenFault(.replayedTransaction))) {
      try await service.open(minted.bytes, at: Self.now, for: order)
    }

    #expect(throws: KeyError.self) { try service.rotate(to: [KeyFile(name: "key", bytes: [0])]) }
    let other = minter.merchants[1].keys[0]
    try service.rotate(to: [
      KeyFile(name: "key", bytes: Array(other.pkcs8PEM.utf8)),
      KeyFile(name: "certificate", bytes: Array(other.certificatePEM.utf8)),
    ])
    let second = try token(1)
    await #expect(throws: DecryptionPool.Refusal.token(TokenFault(.unknownMerchantKey))) {
      try await service.open(second, at: Self.now, for: order)
    }

    await service.stop()
    await #expect(throws: DecryptionPool.Refusal.shutDown) {
      try await service.open(second, at: Self.now, for: order)
    }
  }

  @Test func `refusals as HTTP statuses`() {
    func answer(_ refusal: DecryptionPool.Refusal) -> RefusalAnswer { RefusalAnswer(refusal) }
    #expect(answer(.token(TokenFault(.signatureMismatch))).status == 422)
    #expect(answer(.token(TokenFault(.signatureMismatch))).retryAfter == nil)
    #expect(answer(.token(TokenFault(.keyUnavailable))).status == 503)
    #expect(answer(.token(TokenFault(.replayStoreFull))).status == 503)
    #expect(answer(.deadlineExceeded).status == 504)
    for refusal in [DecryptionPool.Refusal.overloaded, .shutDown, .cancelled, .deadlineExceeded] {
      #expect(answer(refusal).reason == refusal.description && answer(refusal).retryAfter != nil)
    }
  }

  @Test func `the code of README.md opens a token under Apple's root alone`() throws {
    let key = Array(minter.merchants[0].keys[0].pkcs8PEM.utf8)
    let fault = #expect(throws: TokenFault.self) {
      try payment(
        in: token(), key: key, certificate: certificate, at: Self.now, replay: MemoryReplayStore(capacity: 1))
    }
    #expect(fault?.code == .untrustedChain)
  }

  @Test(arguments: [
    ("Docs/Embedding.md", "Sources/Engines/FastDecryption/Documentation.docc/Resources/PoolInAServer-Status.swift"),
    ("Docs/Embedding.md", "Tests/Documentation/TutorialTests/EmbeddingExamples.swift"),
    ("README.md", "Tests/Documentation/TutorialTests/ReadmeExample.swift"),
  ])
  func `a page shows the same code`(page: String, file: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let page = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    let code = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    #expect(page.contains("```swift\n" + code + "```\n"))
  }

  @Test func `time, roots and tests of one's own`() async throws {
    #expect(currentTime() >= UnixTime(secondsSinceEpoch: Int64(time(nil)) - 1))
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).cer")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(minter.pki.root).write(to: file)
    let pool = try DecryptionPool(
      FastDecryptor(keys: keys, anchors: try roots(in: file)), configuration: DecryptionPool.Configuration(workers: 1))
    let empty = try mintedToken(with: "{}", by: minter)
    let answers = await amounts(of: [try token(), empty], by: pool, at: Self.now, under: VerificationPolicy())
    #expect(answers == [.success(Self.amount), .failure(.token(TokenFault(.malformedPayload)))])
    await pool.shutDown()
  }

  @Test func `a custom key agreement`() async throws {
    let service = SoftwareKeyService(minter.merchants[0].keys[0].pair)
    let agreement = RemoteKeyAgreement(service: service, key: "apple-pay")
    let keys = try externalKeys(certificate: certificate, agreement: agreement)
    #expect(keys[0].isExternal)

    let pool = try poolForExternalKeys(keys, roots: minter.anchors)
    #expect(
      try await pool.decrypt(token(), at: Self.now, under: VerificationPolicy()).payment.transactionAmount
        == Self.amount)
    service.isReachable.store(false, ordering: .relaxed)
    await #expect(throws: DecryptionPool.Refusal.token(TokenFault(.keyUnavailable))) {
      try await pool.decrypt(token(), at: Self.now, under: VerificationPolicy())
    }
    await pool.shutDown()
  }

  @Test func `a custom replay store`() throws {
    let database = MemoryDatabase(at: Self.now)
    let policy = VerificationPolicy.once(in: database)
    let opener = try TokenOpener(keys: keys, roots: minter.anchors)
    func code(_ index: UInt64) throws -> TokenFault.Code? {
      let token = try token(index)
      do throws(TokenFault) {
        _ = try opener.payment(in: token, at: Self.now, under: policy)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(try code(0) == nil)
    #expect(try code(0) == .replayedTransaction)
    database.isReachable.store(false, ordering: .relaxed)
    #expect(try code(1) == .replayStoreUnavailable)
    database.isReachable.store(true, ordering: .relaxed)
    #expect(try code(1) == nil)

    let store = SharedReplayStore(database: database, longestWindow: 300, clockTolerance: 60)
    #expect(store.insert(try #require(Bytes32([UInt8](repeating: 1, count: 32))), at: Self.now, window: 301) == .full)
    #expect(database.longestLifetime == .seconds(721))
    // The store trusts a caller's time only within the tolerance of 60 seconds around the database's time.
    for (index, (seconds, verdict)) in [
      (60, ReplayVerdict.fresh), (-60, .fresh), (61, .unavailable), (-61, .unavailable),
    ].enumerated() {
      let id = try #require(Bytes32([UInt8](repeating: UInt8(2 + index), count: 32)))
      let time = UnixTime(secondsSinceEpoch: Self.now.secondsSinceEpoch + Int64(seconds))
      #expect(store.insert(id, at: time, window: 300) == verdict, "\(seconds)")
    }
  }
}

private struct Unreachable: Error {}

/// Stands for a key service, with the private key in memory.
private final class SoftwareKeyService: KeyService {
  let pair: KeyPair
  let isReachable = Atomic<Bool>(true)

  init(_ pair: KeyPair) { self.pair = pair }

  func sharedSecret(of key: String, with point: [UInt8], timeout: Duration) throws -> [UInt8] {
    guard isReachable.load(ordering: .relaxed), key == "apple-pay" else { throw Unreachable() }
    return try pair.sharedSecret(with: point)
  }
}

/// Stands for a shared database. Its entries do not expire.
private final class MemoryDatabase: SharedDatabase {
  private let lifetimes = Mutex<[[UInt8]: Duration]>([:])
  let isReachable = Atomic<Bool>(true)

  var longestLifetime: Duration? { lifetimes.withLock { $0.values.max() } }

  let now: UnixTime

  init(at now: UnixTime) { self.now = now }

  func insertIfAbsent(_ key: [UInt8], expiresAfter: Duration, timeout: Duration) throws -> UnixTime? {
    guard isReachable.load(ordering: .relaxed) else { throw Unreachable() }
    return lifetimes.withLock { lifetimes in
      guard lifetimes[key] == nil else { return nil }
      lifetimes[key] = expiresAfter
      return now
    }
  }
}
