#if Redis || PostgreSQL

/// The times between connections: random up to a bound that doubles ("full jitter"), so that the clients of a server
/// that comes back do not come at once.
package struct Backoff {
  private let shortest: Duration
  private let longest: Duration
  private var generator: any RandomNumberGenerator
  /// Connections that have failed in a row.
  private var failures = 0

  /// - Parameter seed: nil for the system's generator.
  package init(shortest: Duration, longest: Duration, seed: UInt64? = nil) {
    (self.shortest, self.longest) = (shortest, longest)
    generator = seed.map { SplitMix64(state: $0) } ?? SystemRandomNumberGenerator()
  }

  /// After a connection that became ready.
  package mutating func reset() { failures = 0 }

  /// How long to wait after a connection has failed.
  package mutating func next() -> Duration {
    failures += 1
    var bound = shortest
    for _ in 0..<failures where bound < longest { bound = bound + bound }
    return min(bound, longest) * Double.random(in: 0...1, using: &generator)
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
