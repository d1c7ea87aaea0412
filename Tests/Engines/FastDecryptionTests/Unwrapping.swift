import FastDecryption
import MerchantKeys
import Minting
import PaymentToken

/// The unwrapping of RSA_v1 alone, with one key.
///
/// `@unchecked Sendable`: tests lend it to one thread at a time.
final class Unwrapping: @unchecked Sendable {
  let pair: RSAKeyPair
  private let keys: MerchantKeySet
  private let index: Int
  private let primitive: RSAKeyUnwrapping
  private let secrets: SecretBuffer

  init(_ key: FixedRSAKeys.Key) throws {
    pair = try key.pair
    keys = try MerchantKeySet(files: [KeyFile(name: "key", bytes: Array(try key.pem.utf8))])
    index = 0
    guard let primitive = RSAKeyUnwrapping(), let secrets = SecretBuffer() else { fatalError("no memory") }
    self.primitive = primitive
    self.secrets = secrets
  }

  /// Unwraps and leaves the key among the secrets.
  func unwrap(_ wrapped: [UInt8]) {
    wrapped.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      keys.withRSAKey(at: index) { primitive.unwrap(start, count: bytes.count, with: $0, in: secrets) }
    }
  }

  /// Overwrites what an unwrapping left.
  func wipe() { secrets.wipe() }

  /// Whether the last unwrapping left this key.
  func holds(_ key: [UInt8]) -> Bool { key.indices.allSatisfy { secrets.key[$0] == key[$0] } }

  /// What the last unwrapping left of the 16 bytes after the key.
  var bytesAfterKey: [UInt8] { Array(UnsafeBufferPointer(start: secrets.key + 16, count: 16)) }

  /// Whether the last unwrapping left a result of the private operation, which is not all zeros. A number that
  /// libcrypto refuses leaves none.
  var hasDecrypted: Bool { pair.modulus.indices.contains { secrets.encoded[$0] != 0 } }

  /// The key that unwrapping leaves: the one that was wrapped, or a random one.
  func result(_ wrapped: [UInt8]) -> [UInt8] {
    unwrap(wrapped)
    defer { secrets.wipe() }
    return Array(UnsafeBufferPointer(start: secrets.key, count: 16))
  }
}

/// Faults of a wrapped key. `range` and `length` are faults of the ciphertext, the others show after decryption.
enum WrappingFault: CaseIterable {
  case labelDigest, firstByte, separator, padding, shortKey, longKey, range, length

  /// A wrapped key with this fault.
  func make(_ unwrapping: Unwrapping, from random: inout SeededGenerator) throws -> [UInt8] {
    var padding = OAEPPadding()
    var message = random.bytes(16)
    switch self {
    case .labelDigest: padding.editBlock = { $0[7] ^= 0x10 }
    case .firstByte: padding.firstByte = 1
    case .separator: padding.editBlock = { $0[$0.count - 17] = 0 }
    case .padding: padding.editBlock = { $0[60] = 0x40 }
    case .shortKey: message.removeLast()
    case .longKey: message.append(0)
    case .range:
      let modulus = unwrapping.pair.modulus
      return [UInt8](repeating: 0xFF, count: 8) + random.bytes(modulus.count - 8)
    case .length: return random.bytes(300)
    }
    return try Self.wrap(message, padding, unwrapping, from: &random)
  }

  /// A wrapped key without a fault.
  static func sound(_ unwrapping: Unwrapping, from random: inout SeededGenerator) throws -> [UInt8] {
    try wrap(random.bytes(16), OAEPPadding(), unwrapping, from: &random)
  }

  private static func wrap(
    _ message: [UInt8], _ padding: OAEPPadding, _ unwrapping: Unwrapping, from random: inout SeededGenerator
  ) throws -> [UInt8] {
    let pair = unwrapping.pair
    return try pair.encrypt(
      encoded: padding.encode(message, seed: random.bytes(32), count: pair.modulus.count))
  }
}
