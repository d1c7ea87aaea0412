import COpenSSL
import CSodium
import FastDecryption
import Minting
import Testing

/// Where secrets are while they are used, and what is left of them in a workspace's objects.
@Suite struct SecretLayoutTests {
  @Test func `the secrets of a workspace do not overlap`() {
    guard let secrets = SecretBuffer() else { fatalError("no memory") }
    // The KDF's input: counter, Z, algorithm and party information.
    let derivation = (UInt(bitPattern: secrets.sharedSecret) - 4, UInt(4 + 32 + 19 + 32))
    let others = [
      (secrets.key, UInt(32)), (secrets.unwrapped, 16), (secrets.fallback, 16), (secrets.encoded, 512),
    ]
    let parts = ([derivation] + others.map { (UInt(bitPattern: $0.0), $0.1) }).sorted { $0.0 < $1.0 }
    for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.0 + part.1 <= next.0) }
    secrets.wipe()
  }

  @Test func `an agreement leaves nothing secret in its numbers, its point and libcrypto's block`() throws {
    let (own, peer) = (try pair(9), try pair(7))
    guard var agreement = P256KeyAgreement() else { fatalError("no memory") }
    var secret = [UInt8](repeating: 0, count: 32)
    let isSet = agreement.setPeer(peer.point)
    let isDerived = agreement.deriveSecret(scalar: own.scalar, into: &secret)
    #expect(isSet && isDerived)
    #expect(try secret == own.sharedSecret(with: peer.point))

    let (scalar, x, product) = (agreement.scalar, agreement.x, agreement.product)
    #expect(BN_is_zero(scalar) == 1 && BN_is_zero(x) == 1)
    let group = try #require(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1))
    defer { EC_GROUP_free(group) }
    #expect(EC_POINT_cmp(group, product, EC_GROUP_get0_generator(group), nil) == 0)
    // libcrypto copies the scalar to a block of 33 bytes.
    let spare = agreement.spare
    let left = UnsafeRawBufferPointer(start: try #require(spare), count: 33)
    #expect(left.allSatisfy { $0 == 0 })
    // Keeps the agreement alive until here.
    let isSetAgain = agreement.setPeer(own.point)
    #expect(isSetAgain)
  }

  private func pair(_ number: UInt8) throws -> KeyPair {
    try KeyPair(.p256, wideScalar: [UInt8](repeating: number, count: 32))
  }

  @Test func `a workspace initializes libsodium before it allocates`() async {
    await #expect(processExitsWith: .success) {
      guard let workspace = Workspace() else { fatalError("a workspace needs libsodium initialized by someone else") }
      // 1 means that libsodium was initialized already.
      #expect(sodium_init() == 1)
      _ = consume workspace
    }
  }
}
