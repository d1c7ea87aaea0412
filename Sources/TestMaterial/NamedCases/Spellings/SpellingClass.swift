/// A class of spellings: ways to write the same request that lead a reader through other code. A column of the matrix
/// that `assay corpus stats` prints.
package enum SpellingClass: String, Hashable, Sendable, CaseIterable {
  case nameOnce, nameEscaped
  case valueOnce, valueEscaped, solidus
  case first, middle, last
  case unknownBefore, unknownAfter, whiteSpace
  case object, text, base64, parts, automatic
  case shortest, long, indefinite, certificateOrder
  case afterAccepted, afterRefused
  case payloadName, payloadValue, payloadOrder, payloadUnknown, payloadSpace

  /// The heading of its column, four characters at most.
  package var heading: String { facts.heading }
  /// What its spellings are.
  package var meaning: String { facts.meaning }
  /// The part of a request that its spellings rewrite.
  package var part: Part { facts.part }

  private var facts: (part: Part, heading: String, meaning: String) {
    switch self {
    case .nameOnce: (.json, "n1", "one character of a member's name as \\uXXXX")
    case .nameEscaped: (.json, "n*", "every character of the members' names as \\uXXXX")
    case .valueOnce: (.json, "v1", "one character of the value concerned as \\uXXXX")
    case .valueEscaped: (.json, "v*", "every character of the value concerned as \\uXXXX")
    case .solidus: (.json, "v/", "the solidus of the value concerned as \\/")
    case .first: (.json, "fst", "the member concerned is the first of its object")
    case .middle: (.json, "mid", "the member concerned is neither the first nor the last of its object")
    case .last: (.json, "lst", "the member concerned is the last of its object")
    case .unknownBefore: (.json, "u+m", "an unknown member is the first")
    case .unknownAfter: (.json, "m+u", "an unknown member is the last")
    case .whiteSpace: (.json, "ws", "white space of every kind")
    case .object: (.envelope, "obj", "in an envelope, as an object")
    case .text: (.envelope, "txt", "in an envelope, as a string of JSON")
    case .base64: (.envelope, "b64", "in an envelope, as a string of base64")
    case .parts: (.envelope, "prt", "in an envelope, in parts")
    case .automatic: (.envelope, "aut", "the envelope is chosen by the shape of the request")
    case .shortest: (.signature, "def", "the wrappers of the CMS have shortest lengths")
    case .long: (.signature, "lng", "the wrappers of the CMS have long-form lengths")
    case .indefinite: (.signature, "ind", "the wrappers of the CMS have indefinite lengths")
    case .certificateOrder: (.signature, "crt", "the certificates of the CMS are in the other order")
    case .afterAccepted: (.state, "acc", "after an accepted token")
    case .afterRefused: (.state, "rej", "after a refused token")
    case .payloadName: (.payload, "pn", "names in the payload as \\uXXXX")
    case .payloadValue: (.payload, "pv", "strings in the payload as \\uXXXX")
    case .payloadOrder: (.payload, "po", "the payload's members in another order")
    case .payloadUnknown: (.payload, "pu", "unknown members in the payload")
    case .payloadSpace: (.payload, "ps", "white space in the payload")
    }
  }

  /// What one vector with a spelling stands for.
  package enum Scope: String, Hashable, Sendable {
    /// One place of a rule.
    case place
    /// One place of all rules of a stage.
    case member
    /// All places of a rule with the same verdict.
    case rule
    /// All rules of a stage with the same verdict.
    case stage
  }

  /// What one vector with such a spelling stands for in the committed corpus; the exhaustive corpus has all vectors.
  ///
  /// Each member is read by code of its own, in which a single escape and the place among other members matter. The
  /// code around the members is the same whichever of them the rule concerns. A value that is all escapes, and a token
  /// in base64 or in parts, are the same for all rules of a stage once they are decoded. So is what earlier tokens
  /// leave behind. These are the largest vectors.
  package var scope: Scope {
    switch self {
    case .valueOnce, .solidus, .first, .middle, .last: .place
    case .valueEscaped: .member
    case .base64, .parts, .afterAccepted, .afterRefused: .stage
    default: .rule
    }
  }

  /// The part of a request that its spellings rewrite.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case json, envelope, signature, state, payload
  }
}

/// Why a spelling does not apply to a case: each reason has its explanation.
package enum Inapplicability: String, Error, Hashable, Sendable, CaseIterable {
  case early, absent, unreadable, limit, rule, general, context

  /// Its letter in the matrix.
  package var letter: Character { words.letter }
  /// Its explanation below the matrix.
  package var explanation: String { words.explanation }

  private var words: (letter: Character, explanation: String) {
    switch self {
    case .early: ("e", "decided before a reader reaches what the spelling rewrites")
    case .absent: ("a", "its requests have no such part")
    case .unreadable: ("u", "too far from JSON or BER to be written in another way with the same fault")
    case .limit: ("l", "the rewritten request would be beyond a limit on size, nesting or members")
    case .rule: ("r", "the rule is about what the spelling rewrites")
    case .general: ("g", "the rule concerns no single member")
    case .context: ("c", "its envelope, policy, roots or time leave no room for the spelling")
    }
  }
}
