/// SplitMix64 (Steele, Lea and Flood 2014): a fast reproducible generator for orders, resampling and fuzzing. Never
/// used for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// The stream of a seed. The streams of neighbouring seeds are unrelated.
  @inlinable public init(seed: UInt64) {
    state = seed
  }

  /// One of many streams of a seed.
  public init(seed: UInt64, stream: UInt64) {
    var first = SplitMix64(seed: seed)
    state = first.next() ^ stream &* 0xD134_2543_DE82_EF95
  }

  /// The next word of the stream.
  @inlinable public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
