import FastDecryption
import Minting
import PaymentToken
import Testing

/// Roots are read by the rules for certificates in tokens, and each is exactly one certificate.
@Suite struct RootTests {
  @Test func `a root with a byte after it is refused, and named by its position`() throws {
    let fixture = try Fixture(seed: 59)
    let root = fixture.minter.pki.root
    for bytes in [root + [0], Array(root.dropLast()), root + root, []] {
      #expect(throws: EngineError.malformedRoot(index: 1)) {
        try fixture.engine(TrustAnchors(certificates: [root, bytes]))
      }
    }
    _ = try fixture.engine(TrustAnchors(certificates: [root, root]))
  }

  @Test func `a root of 65,536 bytes is loaded, and one byte more is refused`() throws {
    let fixture = try Fixture(seed: 60)
    let pki = fixture.minter.pki
    _ = try fixture.engine(TrustAnchors(certificates: [try pki.rootPadded(to: 65_536)]))
    let larger = try pki.rootPadded(to: 65_537)
    #expect(throws: EngineError.malformedRoot(index: 0)) { try fixture.engine(TrustAnchors(certificates: [larger])) }
  }
}
