/// How long a worker has been at one input, counted by a process that looks at it again and again.
///
/// A look that comes late counts for one second: while the machine or the watching process stood still, nobody saw what the worker did.
public struct Watchdog: Hashable, Sendable {
  private static let longestLook: UInt64 = 1_000_000_000
  private var begun: UInt64?
  private var looked: UInt64 = 0
  private var counted: UInt64 = 0

  public init() {}

  /// Looks, and tells the seconds counted so far.
  ///
  /// - Parameters:
  ///   - begun: when the worker began its input, as its own stamp says; another stamp is another input.
  ///   - now: nanoseconds of a clock that never goes back.
  public mutating func seconds(since begun: UInt64, now: UInt64) -> Double {
    if self.begun == begun {
      counted += min(now - looked, Self.longestLook)
    } else {
      (self.begun, counted) = (begun, 0)
    }
    looked = now
    return Double(counted) / 1e9
  }
}
