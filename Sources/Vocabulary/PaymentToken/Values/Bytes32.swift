/// Exactly 32 bytes: a SHA-256 digest, a transaction identifier or a publicKeyHash.
///
/// A trivially copyable value, so caches and results need no allocation for it.
@frozen
public struct Bytes32: Hashable, Sendable, BitwiseCopyable {
  /// The 32 bytes as they lie in memory, eight in each word, for callers who hash or compare a part of them.
  public let words: (UInt64, UInt64, UInt64, UInt64)

  /// The number of bytes, 32.
  public static var count: Int { 32 }

  /// Copies 32 bytes out of `bytes`, starting at `offset`; nil when fewer are left.
  @inlinable
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, offset <= bytes.count - 32 else { return nil }
    let raw = bytes.bytes
    words = (
      raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self),
      raw.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self),
      raw.unsafeLoadUnaligned(fromByteOffset: offset + 16, as: UInt64.self),
      raw.unsafeLoadUnaligned(fromByteOffset: offset + 24, as: UInt64.self)
    )
  }

  /// Copies exactly 32 bytes; nil for any other length.
  @inlinable
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.init(bytes.span)
  }

  /// Decodes 64 hexadecimal digits of either case; nil for anything else.
  public init?(hex: String) {
    guard let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes)
  }

  /// The bytes as an array.
  public var bytes: [UInt8] {
    withUnsafeBytes { Array($0) }
  }

  /// Lower-case hexadecimal, 64 digits.
  public var hex: String { Hex.encode(bytes) }

  /// Calls `body` with the 32 bytes in memory.
  @inlinable
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // Passed as a value: some compilers lose the stores into a variable that is passed as `&` (decision 11).
    Swift.withUnsafeBytes(of: self) { body($0) }
  }

  /// Whether all 32 bytes are equal.
  @inlinable
  public static func == (left: Bytes32, right: Bytes32) -> Bool {
    // One expression without branches, for speed: these values are not secret.
    (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1)
      | (left.words.2 ^ right.words.2) | (left.words.3 ^ right.words.3) == 0
  }

  /// Hashes the 32 bytes.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}
