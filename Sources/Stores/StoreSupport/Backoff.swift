/// The waits between connections: random, up to a bound that doubles ("full jitter"), so that the clients of a
/// restarted server do not all connect at once.
package struct Backoff {
  private let initial: Duration
  private let maximum: Duration
  private var bound: Duration

  /// The first bound and the largest.
  package init(initial: Duration, maximum: Duration) {
    (self.initial, self.maximum, bound) = (initial, maximum, initial)
  }

  /// Resets the bound, because the server has answered.
  package mutating func reset() { bound = initial }

  /// How long to wait after a connection has failed.
  package mutating func next() -> Duration {
    var generator = SystemRandomNumberGenerator()
    return next(using: &generator)
  }

  /// The same, drawn from a generator.
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    defer { bound = min(bound + bound, maximum) }
    return bound * Double.random(in: 0...1, using: &generator)
  }
}
