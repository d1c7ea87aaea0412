#if Redis || PostgreSQL

/// The times between connections: random up to a bound that doubles ("full jitter"), so that the clients of a restarted
/// server do not all connect at once.
package struct Backoff {
  private let initial: Duration
  private let maximum: Duration
  private var bound: Duration
  private var generator: any RandomNumberGenerator

  /// - Parameter seed: nil for the system's generator.
  package init(initial: Duration, maximum: Duration, seed: UInt64? = nil) {
    (self.initial, self.maximum, bound) = (initial, maximum, initial)
    generator = seed.map { SplitMix64(state: $0) } ?? SystemRandomNumberGenerator()
  }

  /// Resets the bound, because the server has answered.
  package mutating func reset() { bound = initial }

  /// How long to wait after a connection has failed.
  package mutating func next() -> Duration {
    defer { bound = min(bound + bound, maximum) }
    return bound * Double.random(in: 0...1, using: &generator)
  }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

#endif
