import CSodium

/// Deterministic bytes from one printed seed: ChaCha20 (RFC 8439) under a key derived from the seed and a stream's
/// name.
///
/// All random choices of minting come from such streams. Streams of different names are independent: when a recipe
/// draws more bytes, no other recipe's token changes. Not a source of secrets: whoever knows the seed knows every key.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private static let blockSize = 256

  private let key: [UInt8]
  private var blocks: UInt64 = 0
  private var block: [UInt8] = []
  private var position = 0

  /// The unnamed stream of a seed.
  public init(seed: UInt64) {
    self.init(key: Hashing.sha256(Array("assay seed".utf8) + SeededGenerator.bytes(seed)))
  }

  private init(key: [UInt8]) {
    self.key = key
  }

  /// An independent stream of the same seed; bytes drawn before do not affect it.
  ///
  /// - Parameters:
  ///   - name: what the bytes are for.
  ///   - index: distinguishes streams of the same name.
  public func stream(_ name: String, _ index: UInt64 = 0) -> SeededGenerator {
    SeededGenerator(key: Hashing.sha256(key + SeededGenerator.bytes(index) + Array(name.utf8)))
  }

  /// The next eight bytes as a number.
  public mutating func next() -> UInt64 {
    bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The next `count` bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    while result.count < count {
      if position == block.count { refill() }
      let taken = min(count - result.count, block.count - position)
      result += block[position..<position + taken]
      position += taken
    }
    return result
  }

  private mutating func refill() {
    var next = [UInt8](repeating: 0, count: SeededGenerator.blockSize)
    let nonce = SeededGenerator.bytes(blocks) + [0, 0, 0, 0]
    _ = crypto_stream_chacha20_ietf(&next, UInt64(next.count), nonce, key)
    block = next
    position = 0
    blocks += 1
  }

  private static func bytes(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }
}
