import NamedCases
public import PaymentToken

/// What a request is decided under: the time, the caller's policy, and the requests that were decided before it.
public struct Circumstances: Hashable, Sendable {
  /// The verification time.
  public var now: UnixTime
  /// The caller's demands, as a value.
  package var policy: PolicyRecipe
  /// Requests decided first, under the same time, policy and replay store; their verdicts do not count.
  public var prelude: [[UInt8]] = []

  /// The token itself or any envelope by its shape, a window of 300 seconds, nothing else asked for.
  public init(now: UnixTime, envelope: EnvelopeSelection = .named(.apple)) {
    self.now = now
    policy = PolicyRecipe()
    policy.envelope = envelope
  }
}

/// One input: a request and its circumstances.
public struct Sample: Hashable, Sendable {
  public var request: [UInt8]
  public var circumstances: Circumstances

  public init(_ request: [UInt8], _ circumstances: Circumstances) {
    self.request = request
    self.circumstances = circumstances
  }
}
