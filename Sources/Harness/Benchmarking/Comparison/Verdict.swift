/// The verdict of a comparison about one benchmark.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  /// Slower, significantly and by more than the floor: a finding.
  case regressed
  /// Faster, significantly and by more than the floor.
  case improved
  /// The difference is within the floor with the same confidence.
  case unchanged
  /// Too noisy to decide.
  case inconclusive
  /// Present in the base only: a finding.
  case missing

  /// Whether it is a finding.
  public var isFinding: Bool { self == .regressed || self == .missing }
}
