import FastDecryption
import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

/// Tokens made to be costly, and bounds on the memory that engines take.
@Suite(.serialized) struct ExhaustionTests {
  /// A token whose leaf has `count` extensions more, each with an OID of two bytes, and an invalid signature. With
  /// `repeating`, the last of them repeats the first.
  private func crowded(_ fixture: Fixture, _ count: Int, repeating: Bool) throws -> [UInt8] {
    var pki = fixture.minter.pki
    pki.leafRecipe.extensions += (0..<count).map { index in
      let number = repeating && index == count - 1 ? 0 : index
      return .sequence([
        ASN1Node(identifier: [0x06], body: .primitive([0x81 + UInt8(number / 120), UInt8(number % 120)])),
        ASN1Node(identifier: [0x04], body: .primitive([])),
      ])
    }
    try pki.issueLeaf()
    var signer = TokenSigner(pki)
    signer.certificates[0][signer.certificates[0].count - 1] ^= 1
    return try fixture.token(signedBy: signer)
  }

  @Test func `a repeated extension is found among hundreds`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    for count in [2, 3, 100, 380] {
      #expect(
        engine.fault(try crowded(fixture, count, repeating: false), in: &workspace) == TokenFault(.untrustedChain))
      #expect(
        engine.fault(try crowded(fixture, count, repeating: true), in: &workspace) == TokenFault(.malformedSignature))
    }
  }

  @Test func `threads share an engine and agree on every verdict`() async throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    let sound = try (0..<8).map { try fixture.minter.mint(index: UInt64($0)) }
    let hostile = try HostileTokens.ofEveryStage(fixture)
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask {
          var workspace = makeWorkspace()
          for round in 0..<12 {
            let token = sound[(lane + round) % sound.count]
            #expect((try? engine.verdict(token.bytes, in: &workspace).get()) == token.plaintext)
            let (fault, refused) = hostile[(lane * 3 + round) % hostile.count]
            #expect(engine.fault(refused, in: &workspace) == fault)
            #expect(
              (try? engine.decrypt(token.bytes.span, at: mintingTime, under: VerificationPolicy()))?.plaintext
                == token.plaintext)
          }
        }
      }
    }
  }

  /// The peak resident memory of this program so far, in bytes. getrusage includes that of the process that started it.
  private static var peak: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let words = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ")
    return (words?.dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
  }

  private final class Box: Sendable {}

  // The sanitizer keeps freed blocks aside.
  @Test(.disabled(if: Sanitizer.has("__asan_init")))
  func `buffers, locks and tables are freed with what holds them`() async {
    await #expect(processExitsWith: .success) {
      let pair = try KeyPair(.p256, wideScalar: [UInt8](repeating: 4, count: 32))
      let parsed = P256SignerKey(point: pair.point.span)
      let key = try #require(parsed)
      func useAndFree(workspaces: Int, caches: Int, tables: Int) {
        for _ in 0..<workspaces { _ = makeWorkspace() }
        for _ in 0..<caches { _ = LeastRecentlyUsed<Box>(capacity: 1).count }
        for _ in 0..<tables { KnownSigners(for: .fastest, tables: .atOnce).countUse(of: key) }
      }
      useAndFree(workspaces: 10, caches: 1_000, tables: 10)
      let before = Self.peak
      // A workspace has buffers of about 115 kB, a cache a lock of 48 bytes, and a table 256 KiB.
      useAndFree(workspaces: 100, caches: 400_000, tables: 100)
      #expect(Self.peak - before < 8 << 20, "\(Self.peak - before) bytes")
      let planted = [UInt8](repeating: 1, count: 16 << 20)
      #expect(withExtendedLifetime(planted) { Self.peak - before >= 8 << 20 }, "allocated memory is not measured")
    }
  }

  /// Runs in a process of its own, because the peak of other tests would hide the memory.
  // The sanitizer keeps 256 MB of freed blocks aside, more than the test allows.
  @Test(.disabled(if: Sanitizer.has("__asan_init"))) func `hostile tokens do not fill the memory`() async {
    await #expect(processExitsWith: .success) {
      let fixture = try Fixture()
      let engine = try fixture.engine()
      var workspace = makeWorkspace()
      var token = try fixture.token(signedBy: TokenSigner(fixture.minter.foreign))
      let rounds = ProcessInfo.processInfo.environment["ASSAY_HOSTILE_TOKENS"].flatMap { Int($0) } ?? 2_000
      func attack(_ count: Int) {
        for round in 0..<count {
          // Nearly always another chain: the mutated base64 of the signature contains the certificates.
          let position = token.count / 3 + round % (token.count / 4)
          let original = token[position]
          token[position] = token[position] == 0x41 ? 0x42 : 0x41
          _ = engine.fault(token, in: &workspace)
          token[position] = original
        }
      }
      attack(500)
      let before = Self.peak
      attack(rounds)
      #expect(engine.knownChains == 0)
      #expect(Self.peak - before < 32 << 20, "\(Self.peak - before) bytes")
      // The measurement detects memory beyond the bound.
      let planted = [UInt8](repeating: 1, count: 64 << 20)
      #expect(withExtendedLifetime(planted) { Self.peak - before >= 32 << 20 }, "allocated memory is not measured")
    }
  }
}
