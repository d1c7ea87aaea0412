import FastDecryption
import Minting
import NamedCases
import PaymentToken
import TestSupport
import Testing

/// A token that must be refused is also refused when any one of libcrypto's allocations fails.
@Suite struct OutOfMemoryTests {
  @Test func `no allocation that fails makes an untrusted chain trusted or a forged signature genuine`() async {
    await #expect(processExitsWith: .success) {
      #expect(OpenSSLAllocator.install())
      let fixture = try Fixture(seed: 57)
      let minter = fixture.minter
      // The leaf is named as the genuine one and signed by another key.
      var forged = minter.pki
      forged.intermediateKey = minter.foreign.intermediateKey
      try forged.issueLeaf()
      var signer = TokenSigner(forged)
      signer.certificates[1] = minter.pki.intermediate
      let untrusted = try fixture.token(signedBy: signer)
      let otherSigner = try fixture.tokenOfOtherSigner(in: [minter.pki.leaf, minter.pki.intermediate])
      let offCurve = try minter.make(try #require(CaseRecipe.named("leaf-key-off-the-curve"))).bareToken
      // Without memory no point is known to be on its curve and no chain to be trusted, so a token may get the fault of
      // an earlier stage than its own. Without memory to ask libcrypto whether it works, there is no verdict.
      for (token, faults) in [
        (untrusted, [TokenFault(.untrustedChain), TokenFault(.malformedSignature), TokenFault(.keyUnavailable)]),
        (offCurve, [TokenFault(.malformedSignature)]),
        (
          otherSigner,
          [.signatureMismatch, .untrustedChain, .malformedSignature, .keyUnavailable].map { TokenFault($0) }
        ),
      ] {
        var failures = 0
        while failures < 10_000 {
          let engine = try fixture.engine()
          var workspace = makeWorkspace()
          var fault: TokenFault?
          let hasFailed = OpenSSLAllocator.failing(failures) { fault = engine.fault(token, in: &workspace) }
          #expect(fault.map { faults.contains($0) } == true)
          if !hasFailed { break }
          failures += 1
        }
        #expect(failures > 5 && failures < 10_000, "\(failures) allocations")
      }
    }
  }

  @Test func `an agreement without memory gives no secret or the right one`() async {
    await #expect(processExitsWith: .success) {
      #expect(OpenSSLAllocator.install())
      let own = try KeyPair(.p256, wideScalar: [UInt8](repeating: 9, count: 32))
      let peer = try KeyPair(.p256, wideScalar: [UInt8](repeating: 7, count: 32))
      let expected = try own.sharedSecret(with: peer.point)
      var failures = 0
      while failures < 1_000 {
        guard var agreement = P256KeyAgreement() else { fatalError("no memory") }
        var secret = [UInt8](repeating: 0, count: 32)
        let isSet = agreement.setPeer(peer.point)
        var isDerived = false
        let hasFailed = OpenSSLAllocator.failing(failures) {
          isDerived = agreement.deriveSecret(scalar: own.scalar, into: &secret)
        }
        #expect(isSet && (!isDerived || secret == expected))
        if !hasFailed {
          #expect(isDerived)
          break
        }
        failures += 1
      }
      #expect(failures > 2 && failures < 1_000, "\(failures) allocations")
    }
  }
}
