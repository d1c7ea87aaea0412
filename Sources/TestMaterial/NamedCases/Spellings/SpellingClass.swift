/// A class of spellings: ways to write the same request that lead a reader through other code.
package enum SpellingClass: String, Hashable, Sendable, CaseIterable {
  /// One character of a member's name as `\uXXXX`; every character of the members' names.
  case nameOnce, nameEscaped
  /// Of the value concerned: one character as `\uXXXX`, every character, the solidus as `\/`.
  case valueOnce, valueEscaped, solidus
  /// The member concerned is the first of its object, neither the first nor the last, or the last.
  case first, middle, last
  /// An unknown member is the first, or the last; white space of every kind.
  case unknownBefore, unknownAfter, whiteSpace
  /// In an envelope as an object, as a string of JSON, as a string of base64, or in parts; the envelope is chosen by
  /// the shape of the request.
  case object, text, base64, parts, automatic
  /// The wrappers of the CMS have shortest, long-form or indefinite lengths; its certificates are in the other order.
  case shortest, long, indefinite, certificateOrder
  /// After an accepted token, after a refused token.
  case afterAccepted, afterRefused
  /// In the payload: names as `\uXXXX`, strings as `\uXXXX`, members in another order, unknown members, white space.
  case payloadName, payloadValue, payloadOrder, payloadUnknown, payloadSpace

  /// The part of a request that its spellings rewrite.
  package var part: Part {
    switch self {
    case .nameOnce, .nameEscaped, .valueOnce, .valueEscaped, .solidus, .first, .middle, .last, .unknownBefore,
      .unknownAfter, .whiteSpace:
      .json
    case .object, .text, .base64, .parts, .automatic: .envelope
    case .shortest, .long, .indefinite, .certificateOrder: .signature
    case .afterAccepted, .afterRefused: .state
    case .payloadName, .payloadValue, .payloadOrder, .payloadUnknown, .payloadSpace: .payload
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

/// Why a spelling does not apply to a case.
package enum Inapplicability: Error, Hashable, Sendable {
  /// The case is decided before a reader reaches what the spelling rewrites.
  case early
  /// Its request has no such part.
  case absent
  /// It is too far from JSON or BER to be written in another way with the same fault.
  case unreadable
  /// The rewritten request would be beyond a limit on size, nesting or members.
  case limit
  /// The rule is about what the spelling rewrites.
  case rule
  /// The rule concerns no single member.
  case general
  /// Its envelope, policy, roots or time leave no room for the spelling.
  case context
}
