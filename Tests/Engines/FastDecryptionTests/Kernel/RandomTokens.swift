import Minting
import PaymentToken

/// Random tokens of EC_v1 from a seed: of several merchants and signers, in all styles, half of them invalid.
struct RandomTokens {
  /// A token, and its plaintext if it is valid.
  struct Sample {
    let token: [UInt8]
    let plaintext: [UInt8]?
  }

  /// The number of leaves, fewer than there are tables.
  private static let signerCount = 6

  let minter: Minter
  private let signers: [TokenSigner]
  private var numbers: SeededGenerator
  private var position: UInt64 = 0

  init(seed: UInt64) throws {
    let minter = try Minter(seed: seed, at: mintingTime)
    var leaves = minter.generator.stream("leaves")
    signers = try (0..<Self.signerCount).map { _ in TokenSigner(try minter.pki.withAnotherLeaf(from: &leaves)) }
    numbers = minter.generator.stream("paths")
    self.minter = minter
  }

  mutating func next() throws -> Sample {
    position += 1
    var layers = try minter.layers(.random(index: position, from: &numbers))
    layers.signer = signers[number(in: signers.indices)]
    let kind = number(in: 0..<16)
    if kind < 3 { change(&layers, kind) }
    try layers.sign()
    switch kind {
    case 3: layers.data[number(in: layers.data.indices)] ^= bit
    case 4, 5: layers.signature[layers.signature.count - number(in: 1..<73)] ^= bit
    case 6: layers.signature[number(in: layers.signature.indices)] ^= bit
    case 7:
      var token = layers.token
      token[number(in: token.indices)] ^= bit
      return Sample(token: token, plaintext: nil)
    default: break
    }
    return Sample(token: layers.token, plaintext: kind < 8 ? nil : layers.plaintext)
  }

  /// Makes the fault before signing: in the encrypted data, the ephemeral point, or publicKeyHash.
  private mutating func change(_ layers: inout TokenLayers, _ kind: Int) {
    switch kind {
    case 0: layers.data[number(in: layers.data.indices)] ^= bit
    case 1: layers.ephemeralPublicKey[number(in: 27..<91)] ^= bit
    default: layers.publicKeyHash[number(in: 0..<32)] ^= bit
    }
  }

  private var bit: UInt8 { mutating get { 1 << UInt8(number(in: 0..<8)) } }

  /// A number within the range.
  mutating func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }
}
