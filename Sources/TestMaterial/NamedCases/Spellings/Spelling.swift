import Minting
import PaymentToken
import TestCases

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
  /// A rewriting of the request's trees, which others can precede and follow; nil for spellings of another kind.
  let edit: Edit?
  /// Rewrites the context or the request around the token that another spelling has made; nil for other kinds.
  let wrap: Wrap?
  /// Rewrites the payload before it is encrypted; nil for other kinds.
  let payload: Payload?

  /// A rewriting of the request's trees.
  typealias Edit = @Sendable (SpellingSubject, inout CarriedToken) throws -> Void
  /// A rewriting of a request in its context.
  typealias Wrap = @Sendable (SpellingSubject, TestInput) throws -> TestInput
  /// A rewriting of the payload's text.
  typealias Payload = @Sendable ([UInt8]) throws -> [UInt8]

  init(
    _ name: String, _ column: SpellingClass, isCompound: Bool = false, edit: Edit? = nil, wrap: Wrap? = nil,
    payload: Payload? = nil, _ apply: @escaping @Sendable (SpellingSubject) throws -> MintedCase
  ) {
    self.name = name
    self.column = column
    self.isCompound = isCompound
    self.edit = edit
    self.wrap = wrap
    self.payload = payload
    self.apply = apply
  }

  /// Every spelling, in the order of the columns.
  package static let all: [Spelling] = json + envelopes + signatures + states + payloads

  /// The standing of a valid token for its spelling: lengths of more bytes than necessary are a choice. Nil if the
  /// spelling changes nothing, and where the rule comes before the signature is read.
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
