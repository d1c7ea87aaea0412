/// Whether modules that are optimised in a release are so in this build: an unoptimised one evaluates assertions.
///
/// Not in a test target, which Package.swift never optimises.
public enum Optimisation {
  public static let isOn: Bool = {
    var evaluates = false
    assert({ evaluates = true }() == ())
    return !evaluates
  }()
}
