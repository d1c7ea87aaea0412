import TestCases

/// The name of a case, or a part of one, with the standing and the traits that the case declares.
///
/// A case declares them with its name: `.standing(.holder, .apple, .strictness, "the-leaf-alone")`. The rest follows
/// from its rule (`Standing.ofRule`, `VectorFlag`). A name that is made of parts, `"\(form)-\(part)"`, inherits from
/// them, so that a family of cases can declare them in its table. The whole name takes precedence. Nothing is derived
/// from the text of a name.
package struct CaseName: Hashable, Sendable {
  /// In kebab case.
  package private(set) var text: String
  /// Determines the case's random bytes and its number: the text, unless the case was renamed.
  package private(set) var seed: String
  /// How severe the wrong verdict is, if that does not follow from the rule alone.
  private(set) var ownStanding: Standing?
  /// What the case shows beyond its rule.
  private(set) var traits: Set<CaseTrait> = []

  init(_ text: String) {
    self.text = text
    seed = text
  }

  /// A name with this standing; nil changes nothing.
  static func standing(_ standing: Standing?, _ name: CaseName) -> CaseName {
    var name = name
    name.ownStanding = standing ?? name.ownStanding
    return name
  }

  /// A name with the standing of these three answers.
  static func standing(
    _ maker: Standing.Maker, _ basis: Standing.Basis, _ severity: Standing.Severity, _ name: CaseName
  ) -> CaseName {
    standing(Standing(maker, basis, severity), name)
  }

  /// Both verdicts are acceptable: what the case is refused or accepted for is a choice of this project.
  static func choice(_ maker: Standing.Maker, _ name: CaseName) -> CaseName {
    standing(maker, .project, .choice, name)
  }

  /// Only this project requires the refusal: accepting the case has no effect on a payment.
  static func strict(_ maker: Standing.Maker, _ name: CaseName) -> CaseName {
    standing(maker, .project, .strictness, name)
  }

  /// A name with a trait; nil changes nothing.
  static func with(_ trait: CaseTrait?, _ name: CaseName) -> CaseName {
    var name = name
    if let trait { name.traits.insert(trait) }
    return name
  }

  /// A new name for a case, or for a part of its name, that has the random bytes and the number of the old one.
  package static func renamed(from old: String, _ name: CaseName) -> CaseName {
    var name = name
    name.seed = old
    return name
  }

  /// The name of a regression.
  static func regression(_ name: CaseName) -> CaseName { .with(.regression, "regression-\(name)") }

  /// The name of a forgery: it begins with `forgery-` and the letter.
  static func forgery(_ letter: Forgery, _ name: CaseName) -> CaseName {
    .with(.forgery(letter), "forgery-\(letter.rawValue)-\(name)")
  }

  /// The same case under another name, whose standing takes precedence.
  func renamed(_ name: CaseName) -> CaseName {
    var other = name
    other.ownStanding = name.ownStanding ?? ownStanding
    other.traits.formUnion(traits)
    return other
  }
}

extension CaseName: ExpressibleByStringInterpolation, CustomStringConvertible {
  package var description: String { text }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  package init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.name
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var name = CaseName("")

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      name.text += literal
      name.seed += literal
    }

    package mutating func appendInterpolation(_ part: CaseName) {
      name.text += part.text
      name.seed += part.seed
      name.ownStanding = part.ownStanding ?? name.ownStanding
      name.traits.formUnion(part.traits)
    }

    package mutating func appendInterpolation(_ value: some Any) { appendLiteral("\(value)") }
  }
}

/// What a case shows beyond its rule.
package enum CaseTrait: Hashable, Sendable {
  /// A classic forgery, by its letter.
  case forgery(Forgery)
  /// A forgery without a letter: the corpus has its vector among the forgeries.
  case nearForgery
  /// A bug that an engine once had: its vector is a file of its own.
  case regression
  /// The token is for another key than the one that publicKeyHash names.
  case keyMixUp
  /// A secret, key or identifier begins with zero bytes.
  case leadingZero
  /// The token names the other version than it was minted as.
  case otherVersion
  /// A required signature is missing, or a signature is verified although the policy is unsigned.
  case signatureDemanded
  /// A bound at one of many places: see `CaseRecipe.boundaries`.
  case boundary
  /// A bound that the committed corpus has, too.
  case committedBoundary
  /// Only the exhaustive corpus has it. Its large request repeats the bound of rule 0.1 or of rule 1.1 for one more
  /// envelope, selection or size.
  case exhaustiveOnly
}

/// The classic forgeries, and valid tokens that some decryptors take for one: see `VectorFlag.forgeries`.
package enum Forgery: String, Hashable, Sendable, CaseIterable {
  case a, b, c, d, e, f, g, h, i, j, k, l, m

  /// How severe it is to accept one; nil for valid tokens.
  package var standing: Standing? {
    switch self {
    case .a, .b, .c, .d, .e, .f, .g: .forgery
    case .h: Standing(.holder, .apple, .critical)
    case .i, .l: nil
    case .j: Standing(.apple, .standard("sp800-38d-7.2"), .high)
    case .k: Standing(.apple, .rfc(5480, "2.1.1"), .high)
    case .m: Standing(.holder, .apple, .high)
    }
  }
}
