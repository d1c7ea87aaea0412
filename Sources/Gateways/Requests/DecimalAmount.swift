/// An amount as decimal text of major units, exact: minor units and how many of their digits stand behind the point.
public struct DecimalAmount: Hashable, Sendable {
  /// The amount in minor units, 0...10^12-1.
  public let minorUnits: Int64
  /// How many digits stand behind the point; ISO 4217 has 0 to 4.
  public let exponent: Int

  /// - Parameters:
  ///   - minorUnits: 0...10^12-1.
  ///   - exponent: 0...4.
  public init(minorUnits: Int64, exponent: Int) {
    self.minorUnits = minorUnits
    self.exponent = exponent
  }

  /// `12.50`; `12` where the currency has no minor unit.
  public var text: String {
    let digits = String(minorUnits)
    guard exponent > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.utf8.count)) + digits
    return "\(padded.dropLast(exponent)).\(padded.suffix(exponent))"
  }
}
