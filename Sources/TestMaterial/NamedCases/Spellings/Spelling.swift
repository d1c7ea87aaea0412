import Minting
import PaymentToken
import TestCases

/// A way to write a request differently that must not change its verdict, and the conditions under which it applies.
///
/// A constructed case is a named case in another spelling: if an engine applies a rule in one spelling but not in the
/// other, its verdict differs from the expected one.
package struct Spelling: Sendable {
  /// The end of its cases' names, in kebab case: it follows the name of the named case and two hyphens.
  package let name: String
  /// Its class.
  package let column: SpellingClass
  /// Whether it rewrites two parts at once. The committed corpus has none of these.
  private(set) package var isCompound = false
  /// What it rewrites.
  let step: Step

  /// A part of a case, and the function that rewrites it, which throws where it does not apply. Steps of the first
  /// three kinds can be combined.
  enum Step: Sendable {
    /// The payload's text before it is encrypted.
    case payload(@Sendable ([UInt8]) throws -> [UInt8])
    /// The request's trees; then white space before and after each structural character.
    case trees(Edit, space: [UInt8])
    /// The context, or the request around the token that another spelling has made.
    case around(Wrap)
    /// All at once.
    case whole(@Sendable (SpellingSubject) throws -> TestInput)
  }

  typealias Edit = @Sendable (SpellingSubject, inout CarriedToken) throws -> Void
  typealias Wrap = @Sendable (SpellingSubject, TestInput) throws -> TestInput

  static func trees(
    _ name: String, _ column: SpellingClass, space: [UInt8] = [], _ edit: @escaping Edit
  ) -> Spelling {
    Spelling(name: name, column: column, step: .trees(edit, space: space))
  }

  static func around(_ name: String, _ column: SpellingClass, _ wrap: @escaping Wrap) -> Spelling {
    Spelling(name: name, column: column, step: .around(wrap))
  }

  /// Every spelling, in the order of the columns.
  package static let all: [Spelling] = json + envelopes + signatures + states + payloads

  /// The standing that its spelling gives to a valid token: accepting lengths of more bytes than necessary is a choice.
  /// Nil if the spelling gives none, or if the rule applies before the signature is read.
  ///
  /// - Parameters:
  ///   - caseName: the case's name, with its spelling.
  ///   - clause: the rule that decides.
  package static func standing(of caseName: String, accepted isAccepted: Bool, by clause: String) -> Standing? {
    let stage = Int(clause.prefix { $0 != "." }) ?? 0
    guard isAccepted, stage >= 5, all(in: caseName).contains(where: { $0.column == .long }) else { return nil }
    return Standing(.holder, .project, .choice)
  }

  /// The spellings that a vector's name ends in; none for a named case.
  package static func all(in caseName: String) -> [Spelling] {
    guard let mark = caseName.firstRange(of: "--") else { return [] }
    return caseName[mark.upperBound...].split(separator: "+").compactMap { named(String($0)) }
  }
}
