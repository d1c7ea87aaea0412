/// What a comparison says of one benchmark.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  /// Slower, beyond chance and beyond the floor: a finding.
  case regressed
  /// Faster, beyond chance and beyond the floor.
  case improved
  /// The difference lies within the floor, as surely as a regression would have to lie beyond it.
  case unchanged
  /// Too noisy to say either.
  case inconclusive
  /// There once, and not any more: a finding.
  case missing

  /// Whether something has to be done.
  public var isFinding: Bool { self == .regressed || self == .missing }
}
