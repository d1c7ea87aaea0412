import Foundation
import MerchantKeys
import PaymentToken
import ReferenceDecryption
import TestSupport
import Testing

@Suite(.enabled(if: RealTokens.available))
struct RealTokenTests {
  @Test func `every genuine token that came with its key opens to its exact plaintext`() throws {
    let engine = try Genuine.engine()
    let tokens = RealTokens.all.filter { $0.expected != nil }
    #expect(tokens.count == 5)
    for token in tokens {
      let (result, trace) = engine.decryptTraced(token.token.span, at: .farAway, under: .archival)
      let opened = try result.get()
      #expect(opened.plaintext == token.expected, "\(token.name)")
      #expect(opened.signedAt == token.signedAt)
      #expect(opened.verifiedAt == token.signedAt)
      #expect(trace.stages.allSatisfy { $0.outcome == .passed })
      #expect(trace.facts.contains(.crossCheck(.agreed)))
    }
  }

  @Test func `a genuine token of an unknown merchant passes stages 1 to 9`() throws {
    let token = try Genuine.token("samuilolegovich")
    let (result, trace) = try Genuine.engine().decryptTraced(token.token.span, at: .farAway, under: .archival)
    #expect(throws: TokenFault(.unknownMerchantKey)) { try result.get() }
    #expect(trace[.signingTime]?.outcome == .passed)
    #expect(trace[.merchantKey]?.outcome == .failed(TokenFault(.unknownMerchantKey)))
    #expect(trace[.decryption]?.outcome == .notReached)
    #expect(trace.facts.contains(.crossCheck(.agreed)))
    #expect(trace.facts.contains(.signingTime(try #require(token.signedAt))))
  }

  @Test func `the sample with explicit curve parameters has an ephemeral key of the wrong length`() throws {
    let token = try Genuine.token("authorizenet")
    #expect(try Genuine.engine().fault(token.token) == TokenFault(.invalidLength, member: .ephemeralPublicKey))
  }

  @Test func `an expired leaf is reported before a signing time outside the window`() throws {
    let token = try Genuine.token("halturin")
    let engine = try Genuine.engine()
    #expect(engine.fault(token.token, at: .farAway, VerificationPolicy()) == TokenFault(.certificateExpired))
    #expect(
      engine.fault(token.token, at: .farAway, VerificationPolicy(freshness: .windowOff))
        == TokenFault(.certificateExpired))
    let early = UnixTime(secondsSinceEpoch: 0)
    #expect(engine.fault(token.token, at: early, VerificationPolicy()) == TokenFault(.certificateNotYetValid))
  }

  @Test func `the window includes both of its ends`() throws {
    let token = try Genuine.token("halturin")
    let engine = try Genuine.engine()
    let signedAt = try #require(token.signedAt).secondsSinceEpoch
    for (distance, isInside) in [(0, true), (300, true), (-300, true), (301, false), (-301, false)] {
      let now = UnixTime(secondsSinceEpoch: signedAt + Int64(distance))
      let fault = engine.fault(token.token, at: now, VerificationPolicy())
      #expect(fault == (isInside ? nil : TokenFault(.signingTimeOutsideWindow)), "\(distance)")
    }
    let exactly = VerificationPolicy(freshness: .window(seconds: 0))
    #expect(engine.fault(token.token, at: UnixTime(secondsSinceEpoch: signedAt), exactly) == nil)
    let later = UnixTime(secondsSinceEpoch: signedAt + 1)
    #expect(engine.fault(token.token, at: later, exactly) == TokenFault(.signingTimeOutsideWindow))
    let off = VerificationPolicy(freshness: .windowOff)
    #expect(engine.fault(token.token, at: UnixTime(secondsSinceEpoch: signedAt + 1_000_000), off) == nil)
  }

  @Test func `without the root there is no chain`() throws {
    let token = try Genuine.token("payu")
    let engine = try Genuine.engine(anchors: TrustAnchors(certificates: []))
    #expect(engine.fault(token.token) == TokenFault(.untrustedChain))
  }

  @Test func `a root that is not a certificate is rejected with its index`() throws {
    let anchors = TrustAnchors(certificates: TrustAnchors.apple.certificates + [[0x30, 0x00]])
    #expect(throws: EngineError.malformedRoot(index: 1)) { _ = try Genuine.engine(anchors: anchors) }
  }

  @Test func `a wrong merchant ID makes decryption fail`() throws {
    let token = try Genuine.token("payu")
    let file = KeyFile(name: "key", bytes: try #require(token.privateKeyPEM))
    let keys = try MerchantKeySet(files: [file], merchantIDs: [.uncertified(merchantID: "merchant.another")])
    #expect(try Genuine.engine(keys).fault(token.token) == TokenFault(.decryptionFailed))
  }

  @Test func `leaf and intermediate are revoked by certificate and by key`() throws {
    let token = try Genuine.token("payu")
    let engine = try Genuine.engine()
    let trace = engine.decryptTraced(token.token.span, at: .farAway, under: .archival).trace
    var digests: [Bytes32] = []
    for fact in trace.facts {
      switch fact {
      case .leaf(let summary), .intermediate(let summary): digests += [summary.fingerprint, summary.publicKeyHash]
      default: continue
      }
    }
    #expect(Set(digests).count == 4)
    for digest in digests {
      let policy = VerificationPolicy(freshness: .signingTime, revoked: RevokedCertificates([digest]))
      #expect(engine.fault(token.token, policy) == TokenFault(.certificateRevoked))
      // Revocation is reported before the dates.
      let expired = VerificationPolicy(revoked: RevokedCertificates([digest]))
      #expect(engine.fault(token.token, at: .farAway, expired) == TokenFault(.certificateRevoked))
    }
    let other = VerificationPolicy(freshness: .signingTime, revoked: RevokedCertificates([SHA256Zero.bytes]))
    #expect(engine.fault(token.token, other) == nil)
  }

  @Test func `every member may be written with escapes`() throws {
    let token = try Genuine.token("halturin")
    let text = String(decoding: token.token, as: UTF8.self)
      .replacingOccurrences(of: "/", with: "\\/").replacingOccurrences(of: "\"version\"", with: "\"\\u0076ersion\"")
    #expect(try Genuine.engine().result(Array(text.utf8)).get().plaintext == token.expected)
  }

  @Test func `a flipped bit is rejected or changes nothing`() throws {
    let token = try Genuine.token("halturin")
    let engine = try Genuine.engine()
    var accepted = 0
    for index in stride(from: 0, to: token.token.count, by: 3) {
      var changed = token.token
      changed[index] ^= 1 << UInt8(index % 8)
      guard case .success(let opened) = engine.result(changed) else { continue }
      accepted += 1
      #expect(opened.plaintext == token.expected, "byte \(index)")
    }
    // Such bits are the case of hexadecimal digits, or are in the names of unknown members.
    #expect((1..<20).contains(accepted), "\(accepted)")
  }
}

enum SHA256Zero {
  static let bytes = Bytes32([UInt8](repeating: 0, count: 32))!
}
