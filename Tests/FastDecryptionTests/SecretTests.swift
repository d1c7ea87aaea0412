import FastDecryption
import Foundation
import Gateways
import MerchantKeys
import Minting
import PaymentToken
import Testing

/// No secret is found in the process's memory once a call returned: neither in live nor in freed blocks, nor on the stack
/// of the thread that made the call, which still runs.
///
/// Under the address sanitiser freed blocks are kept aside, where no one can wipe them.
@Suite(.serialized, .disabled(if: dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil))
struct SecretTests {
  /// Runs `use` on a thread of its own and searches while the thread waits.
  private func findings(
    kernel: P256Kernel = .best, after use: @escaping @Sendable (FastDecryptor, [UInt8]) -> Void
  ) throws -> [String] {
    let scan = MemoryScan()
    let scalar = scan.reveal(SealedToken.scalar)
    let root = [UInt8](try #require(Data(base64Encoded: SealedToken.root)))
    let token = [UInt8](try #require(Data(base64Encoded: SealedToken.token)))
    let keys = try MerchantKeySet([
      MerchantKeySource(
        privateKey: try PrivateKey(scalar: UnsafeRawBufferPointer(scalar)), merchantID: SealedToken.merchantID)
    ])
    let engine = try FastDecryptor(keys: keys, anchors: TrustAnchors(certificates: [root]), kernel: kernel)
    let (used, searched) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread {
      use(engine, token)
      used.signal()
      searched.wait()
    }.start()
    used.wait()
    defer { searched.signal() }
    scan.addNumber(SealedToken.scalar, named: "scalar")
    scan.addNumber(SealedToken.sharedSecret, named: "shared secret")
    scan.addNumber(SealedToken.montgomerySecret, named: "shared secret in Montgomery form")
    scan.addNumber(SealedToken.contentKey, named: "content key")
    scan.addNumber(SealedToken.plaintextPart, named: "plaintext")
    return try scan.findings()
  }

  @Test func `loading a key leaves nothing of it outside the guarded memory`() throws {
    #expect(try findings { _, _ in } == [])
  }

  @Test func `an accepted token leaves no secret behind`() throws {
    let found = try findings { engine, token in
      var workspace = makeWorkspace()
      for _ in 0..<3 {
        let count = try? engine.decrypt(
          token.span, at: mintingTime, under: VerificationPolicy(), in: &workspace
        ) { opened in opened.plaintext.count }
        #expect(count ?? 0 > 200)
      }
    }
    #expect(found == [])
  }

  @Test(arguments: P256Kernel.allCases) func `a batch leaves no secret behind`(_ kernel: P256Kernel) throws {
    let found = try findings(kernel: kernel) { engine, token in
      guard var batch = BatchWorkspace() else { return }
      var count = 0
      for size in [11, 64, 1] {
        engine.decryptBatch(
          [[UInt8]](repeating: token, count: size), at: mintingTime, under: VerificationPolicy(), in: &batch,
          opened: { _, opened in count += opened.plaintext.count > 200 ? 1 : 0 }, refused: { _, _ in })
      }
      #expect(count == 76)
    }
    #expect(found == [])
  }

  @Test func `a token refused by its payload or by an expectation leaves no secret behind`() throws {
    let found = try findings { engine, token in
      var workspace = makeWorkspace()
      let policy = VerificationPolicy(expectations: Expectations(currencyCode: "840"))
      #expect(engine.fault(token, under: policy, in: &workspace) == TokenFault(.currencyMismatch))
    }
    #expect(found == [])
  }

  @Test func `an unsigned token, opened or refused, leaves no secret behind`() throws {
    let found = try findings { engine, token in
      guard let form = Gateway.worldline.forms.first(where: { !$0.isSigned }) else { return }
      let request = form.request(around: token)
      var workspace = makeWorkspace()
      for currency in [nil, "840"] {
        let policy = VerificationPolicy.reading(.worldline, Expectations(currencyCode: currency))
        let count = try? engine.decryptUnsigned(
          request.span, at: mintingTime, under: policy, in: &workspace, signed: { _ in 0 },
          unsigned: { opened in opened.plaintext.count })
        #expect((count ?? 0 > 200) == (currency == nil))
      }
    }
    #expect(found == [])
  }

  @Test func `an unwrapped key and what led to it are gone once they are wiped`() throws {
    let scan = MemoryScan()
    let wrapped = try #require(Hex.decode(SealedWrappedKey.wrapped))
    let unwrapping = try Unwrapping(pem: FixedRSAKeys.merchant2048.pem)
    let (used, searched) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread {
      for _ in 0..<3 {
        unwrapping.unwrap(wrapped)
        unwrapping.wipe()
      }
      used.signal()
      searched.wait()
    }.start()
    used.wait()
    defer { searched.signal() }
    // Sixteen octets: no second place to look from that a freed block keeps.
    scan.addNumber(SealedWrappedKey.key, named: "content key", offsets: [0, 4])
    scan.addNumber(SealedWrappedKey.encodedSeed, named: "encoded seed")
    scan.addNumber(SealedWrappedKey.encodedBlock, named: "encoded block")
    scan.addNumber(SealedWrappedKey.seed, named: "seed")
    #expect(try scan.findings() == [])

    let expected = Array(scan.reveal(SealedWrappedKey.key))
    unwrapping.unwrap(wrapped)
    #expect(unwrapping.holds(expected))
  }

  @Test func `the search finds what is there`() throws {
    let scan = MemoryScan()
    let masked = String(repeating: "0123456789abcdef", count: 4)
    let copy = Array(scan.reveal(masked))
    scan.addNumber(masked, named: "copy")
    #expect(try !scan.findings().isEmpty)
    withExtendedLifetime(copy) {}
  }
}
