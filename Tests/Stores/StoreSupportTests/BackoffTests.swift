import StoreSupport
import Testing

@Suite struct BackoffTests {
  /// Draws the same number every time.
  private struct Constant: RandomNumberGenerator {
    var number: UInt64
    func next() -> UInt64 { number }
  }

  @Test func `the bound doubles up to the largest, and begins again after an answer`() {
    var backoff = Backoff(initial: .milliseconds(2), maximum: .milliseconds(9))
    var largest = Constant(number: .max)
    let waits = (1...4).map { _ in backoff.next(using: &largest) }
    #expect(waits == [2, 4, 8, 9].map { .milliseconds($0) })
    backoff.reset()
    #expect(backoff.next(using: &largest) == .milliseconds(2))
  }

  @Test func `a wait is drawn from zero to the bound`() {
    var backoff = Backoff(initial: .milliseconds(8), maximum: .milliseconds(8))
    var smallest = Constant(number: 1)
    #expect(backoff.next(using: &smallest) == .zero)
    let waits = (0..<200).map { _ in backoff.next() }
    #expect(waits.allSatisfy { $0 >= .zero && $0 <= .milliseconds(8) })
    // Fails with a probability below 2^-199.
    #expect(waits.contains { $0 < .milliseconds(4) } && waits.contains { $0 > .milliseconds(4) })
  }
}
