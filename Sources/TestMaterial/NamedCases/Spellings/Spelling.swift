import Minting
import PaymentToken

/// One way to write a request that must not change its verdict, with the conditions under which this is so.
///
/// A constructed case is a named case in another spelling: a rule that holds in one spelling and is broken in its twin
/// shows as a verdict that differs from the expected one.
package struct Spelling: Sendable {
  /// What its cases are called after the name of the named case and two hyphens; in kebab case.
  package let name: String
  /// Its column in the matrix.
  package let column: SpellingClass
  /// Whether it rewrites two parts at once. The committed corpus has none of these.
  package let isCompound: Bool
  /// Rewrites a case, or throws why it does not apply.
  let apply: @Sendable (SpellingSubject) throws -> MintedCase

  init(
    _ name: String, _ column: SpellingClass, isCompound: Bool = false,
    _ apply: @escaping @Sendable (SpellingSubject) throws -> MintedCase
  ) {
    self.name = name
    self.column = column
    self.isCompound = isCompound
    self.apply = apply
  }

  /// Every spelling, in the order of the columns.
  package static let all: [Spelling] = json + carriages + signatures + states + payloads

  /// The name of the spelling that a vector's name ends in; nil for a named case.
  package static func name(in caseName: String) -> String? {
    caseName.firstRange(of: "--").map { String(caseName[$0.upperBound...]) }
  }
}
