import FastDecryption
import Foundation
import Gateways
import MerchantKeys
import Minting
import PaymentToken
import TestSupport
import Testing

/// Workspaces that outlive a search.
///
/// `@unchecked Sendable`: one thread at a time uses them.
private final class KeptWorkspaces: @unchecked Sendable {
  var workspace = makeWorkspace()
  var unsigned = makeWorkspace()
  var batch: BatchWorkspace

  init() {
    guard let batch = BatchWorkspace() else { fatalError("no memory for a batch workspace") }
    self.batch = batch
  }
}

/// An external key in this process, as a PKCS #11 module is, that leaves the shared secret on the stack.
///
/// `@unchecked Sendable`: the bytes are only read.
private final class CarelessAgreement: KeyAgreement, @unchecked Sendable {
  private let secret: UnsafeRawBufferPointer
  /// Whether the device answers.
  private let answers: Bool

  init(_ secret: UnsafeMutableRawBufferPointer, answers: Bool) {
    self.secret = UnsafeRawBufferPointer(secret)
    self.answers = answers
  }

  func deriveSecret(with peer: Span<UInt8>, into room: inout MutableSpan<UInt8>) throws(KeyUnavailable) {
    // Deeper than what the engine calls later, and less deep than what it wipes.
    Self.copy(secret, into: &room, depth: 6)
    guard answers else { throw KeyUnavailable() }
  }

  @inline(never)
  private static func copy(_ secret: UnsafeRawBufferPointer, into room: inout MutableSpan<UInt8>, depth: Int) {
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { frame in
      frame.copyMemory(from: secret)
      if depth > 0 { return copy(UnsafeRawBufferPointer(rebasing: frame[..<32]), into: &room, depth: depth - 1) }
      for index in room.indices { room[index] = frame[index] }
    }
  }
}

/// After a call returns, no secret is in the process's memory: neither in live nor in freed blocks, nor on the stack of
/// the thread that made the call, which still runs. Each search runs in a process that does nothing else, and fails
/// unless it finds planted bytes in each kind of memory.
///
/// The address sanitizer keeps freed blocks, which cannot be wiped then.
@Suite(.serialized, .disabled(if: Sanitizer.isPresent))
struct SecretTests {
  /// Runs `use` on a thread of its own and searches while the thread waits.
  private static func findings(
    kernel: P256Kernel = .preferred, after use: @escaping @Sendable (FastDecryptor, [UInt8]) -> Void
  ) throws -> [String] {
    let scan = MemoryScan()
    let (engine, token) = try sealedToken(for: scan, kernel: kernel)
    scan.addNumber(SealedToken.scalar, named: "scalar")
    scan.addNumber(SealedToken.sharedSecret, named: "shared secret")
    scan.addNumber(SealedToken.montgomerySecret, named: "shared secret in Montgomery form")
    scan.addNumber(SealedToken.contentKey, named: "content key")
    scan.addNumber(SealedToken.plaintextPart, named: "plaintext")
    return try search(scan) { use(engine, token) }
  }

  /// A token, and an engine that decrypts it, without a copy of the key outside guarded memory and the scan's vault.
  static func sealedToken(
    for scan: MemoryScan, kernel: P256Kernel = .preferred
  ) throws -> (engine: FastDecryptor, token: [UInt8]) {
    let scalar = scan.reveal(SealedToken.scalar)
    let root = [UInt8](try #require(Data(base64Encoded: SealedToken.root)))
    let token = [UInt8](try #require(Data(base64Encoded: SealedToken.token)))
    let keys = try MerchantKeySet([
      MerchantKeySource(
        privateKey: try PrivateKey(scalar: UnsafeRawBufferPointer(scalar)), merchantID: SealedToken.merchantID)
    ])
    return (try FastDecryptor(keys: keys, anchors: TrustAnchors(certificates: [root]), kernel: kernel), token)
  }

  private final class Held: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// The scan's findings while the thread that ran `body` waits.
  private static func search(_ scan: MemoryScan, after body: @escaping @Sendable () -> Void) throws -> [String] {
    let (used, searched) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // What `body` holds is never freed: the thread would do so while this process ends and libcrypto frees its own.
    _ = Unmanaged.passRetained(Held(body))
    Thread {
      body()
      used.signal()
      searched.wait()
    }.start()
    used.wait()
    defer { searched.signal() }
    // An error thrown out of an exit test ends it without a message.
    do {
      return try scan.findings()
    } catch {
      return ["inconclusive: \(error)"]
    }
  }

  @Test func `loading a key leaves no copy outside the guarded memory`() async {
    await #expect(processExitsWith: .success) {
      let found = try SecretTests.findings { _, _ in }
      #expect(found == [], "\(found)")
    }
  }

  @Test func `an accepted token leaves no secret behind`() async {
    await #expect(processExitsWith: .success) {
      let found = try SecretTests.findings { engine, token in
        var workspace = makeWorkspace()
        for _ in 0..<3 {
          let count = try? engine.decrypt(
            token.span, at: mintingTime, under: VerificationPolicy(), in: &workspace
          ) { opened in opened.plaintext.count }
          #expect(count ?? 0 > 200)
        }
      }
      #expect(found == [], "\(found)")
    }
  }

  @Test(arguments: P256Kernel.underTest) func `a batch leaves no secret behind`(_ kernel: P256Kernel) async {
    await #expect(processExitsWith: .success) { [name = kernel.rawValue as String] in
      let kernel = try #require(P256Kernel(rawValue: name))
      let found = try SecretTests.findings(kernel: kernel) { engine, token in
        guard var batch = BatchWorkspace() else { fatalError("no memory") }
        var count = 0
        for size in [11, 64, 1] {
          engine.decryptBatch(
            [[UInt8]](repeating: token, count: size), at: mintingTime, under: VerificationPolicy(), in: &batch,
            opened: { _, opened in count += opened.plaintext.count > 200 ? 1 : 0 }, refused: { _, _ in })
        }
        #expect(count == 76)
      }
      #expect(found == [], "\(found)")
    }
  }

  /// A workspace is wiped when it is freed. These are kept, so each call must have wiped them.
  @Test(arguments: P256Kernel.underTest)
  func `workspaces that are kept hold no secret between two calls`(_ kernel: P256Kernel) async {
    await #expect(processExitsWith: .success) { [name = kernel.rawValue as String] in
      let kernel = try #require(P256Kernel(rawValue: name))
      let kept = KeptWorkspaces()
      let found = try SecretTests.findings(kernel: kernel) { engine, token in
        var count = 0
        engine.decryptBatch(
          [[UInt8]](repeating: token, count: 11), at: mintingTime, under: VerificationPolicy(), in: &kept.batch,
          opened: { _, opened in count += opened.plaintext.count > 200 ? 1 : 0 }, refused: { _, _ in })
        #expect(count == 11)
        count =
          (try? engine.decrypt(token.span, at: mintingTime, under: VerificationPolicy(), in: &kept.workspace) {
            opened in opened.plaintext.count
          }) ?? 0
        #expect(count > 200)
        guard let form = Gateway.worldline.forms.first(where: { !$0.isSigned }) else { fatalError("no form") }
        let request = form.request(around: token)
        count =
          (try? engine.decryptAllowingUnsigned(
            request.span, at: mintingTime, under: .reading(.worldline, Expectations()), in: &kept.unsigned,
            signed: { _ in 0 }, unsigned: { opened in opened.plaintext.count })) ?? 0
        #expect(count > 200)
      }
      #expect(found == [], "\(found)")
      withExtendedLifetime(kept) {}
    }
  }

  @Test func `a token refused by an expectation leaves no secret behind`() async {
    await #expect(processExitsWith: .success) {
      let found = try SecretTests.findings { engine, token in
        var workspace = makeWorkspace()
        let policy = VerificationPolicy(expectations: Expectations(currencyCode: "840"))
        #expect(engine.fault(token, under: policy, in: &workspace) == TokenFault(.currencyMismatch))
      }
      #expect(found == [], "\(found)")
    }
  }

  @Test func `an unsigned token, opened or refused, leaves no secret behind`() async {
    await #expect(processExitsWith: .success) {
      let found = try SecretTests.findings { engine, token in
        guard let form = Gateway.worldline.forms.first(where: { !$0.isSigned }) else { fatalError("no form") }
        let request = form.request(around: token)
        var workspace = makeWorkspace()
        for currency in [nil, "840"] {
          let policy = VerificationPolicy.reading(.worldline, Expectations(currencyCode: currency))
          let count = try? engine.decryptAllowingUnsigned(
            request.span, at: mintingTime, under: policy, in: &workspace, signed: { _ in 0 },
            unsigned: { opened in opened.plaintext.count })
          #expect((count ?? 0 > 200) == (currency == nil))
        }
      }
      #expect(found == [], "\(found)")
    }
  }

  @Test(arguments: [true, false])
  func `what an external key leaves on the stack is wiped, whether it answers or not`(_ answers: Bool) async {
    await #expect(processExitsWith: .success) { [answers] in
      let scan = MemoryScan()
      let (sealed, token) = try SecretTests.sealedToken(for: scan)
      guard case .p256(let point) = sealed.keys[0].publicKey else { fatalError("a key of P-256") }
      let agreement = CarelessAgreement(scan.reveal(SealedToken.sharedSecret), answers: answers)
      let source = MerchantKeySource(
        secret: .external(try ExternalECKey(publicKey: point, agreement: agreement)),
        merchantID: SealedToken.merchantID)
      let root = [UInt8](try #require(Data(base64Encoded: SealedToken.root)))
      let engine = try FastDecryptor(keys: try MerchantKeySet([source]), anchors: TrustAnchors(certificates: [root]))
      scan.addNumber(SealedToken.sharedSecret, named: "shared secret")
      let found = try SecretTests.search(scan) {
        var workspace = makeWorkspace()
        let fault = engine.fault(token, under: VerificationPolicy(), in: &workspace)
        #expect(fault == (answers ? nil : TokenFault(.keyUnavailable)))
      }
      #expect(found == [], "\(found)")
    }
  }

  @Test func `an unwrapped key and its intermediate values are wiped`() async {
    await #expect(processExitsWith: .success) {
      let scan = MemoryScan()
      let wrapped = try #require(Hex.decode(SealedWrappedKey.wrapped))
      let unwrapping = try Unwrapping(FixedRSAKeys.merchant2048)
      // A freed block that begins with this key of sixteen bytes keeps none of them: no offset finds it there.
      scan.addNumber(SealedWrappedKey.key, named: "content key", offsets: [0, 4])
      scan.addNumber(SealedWrappedKey.encodedSeed, named: "encoded seed")
      scan.addNumber(SealedWrappedKey.encodedBlock, named: "encoded block")
      scan.addNumber(SealedWrappedKey.seed, named: "seed")
      let found = try SecretTests.search(scan) {
        for _ in 0..<3 {
          unwrapping.unwrap(wrapped)
          unwrapping.wipe()
        }
      }
      #expect(found == [], "\(found)")

      let expected = Array(scan.reveal(SealedWrappedKey.key))
      unwrapping.unwrap(wrapped)
      #expect(unwrapping.holds(expected))
    }
  }

  @Test func `a secret left behind is found`() async {
    await #expect(processExitsWith: .success) {
      let scan = MemoryScan()
      let copy = Array(scan.reveal(SealedToken.plaintextPart))
      scan.addNumber(SealedToken.plaintextPart, named: "plaintext")
      let found = try SecretTests.search(scan) {}
      #expect(found.contains { $0.hasPrefix("plaintext, big-endian, from byte 0 in ") })
      withExtendedLifetime(copy) {}
    }
  }

  @Test(arguments: MemoryControls.Kind.allCases)
  func `a search that skips a kind of memory fails`(_ kind: MemoryControls.Kind) async {
    await #expect(processExitsWith: .success) { [kind] in
      let scan = MemoryScan()
      let region = try #require(scan.region(of: kind))
      // If another kind lies in the same region, both are missed.
      do throws(MemoryScan.Failure) {
        let found = try scan.findings { $0.lowerBound == region.lowerBound }
        Issue.record("the search missed \(kind.rawValue) and said \(found)")
      } catch .blind(let missed) {
        #expect(missed.contains(kind))
      } catch {
        Issue.record(error)
      }
    }
  }
}
