import TestCases

/// The verdict on a contender in sentences, the most important first; each continues one that begins with its name.
package struct ContenderVerdict: Hashable, Sendable {
  /// The patterns that its tests show.
  package let patterns: [Pattern]
  /// The sentences; never empty.
  package let sentences: [String]
  /// That tests were skipped after failures, as a sentence of its own; nil if none were.
  let omission: String?

  /// The verdict as whole sentences.
  func lines(_ name: String) -> [String] {
    let lines = sentences.enumerated().map { index, sentence in
      (index == 0 ? "\(name) " : "It ") + sentence + (sentence.hasSuffix("?") ? "" : ".")
    }
    return lines + (omission.map { [$0] } ?? [])
  }

  package init(_ score: Score) {
    var implied: Set<Pattern> = []
    var claimed = Set(Pattern.allCases.filter { score.evidence[$0]?.isClaimed == true })
    // Of one that claims no check of signatures it is no fault.
    if score.identity?.checksSignatures == false { claimed.subtract(Pattern.noSignature.implied) }
    let acceptsAll =
      score.identity?.checksSignatures != false && score.forged.total >= 6 && score.forged.shown == 0
    if acceptsAll || claimed.isSuperset(of: [.noDigest, .droppedResult]) { claimed.insert(.noSignature) }
    patterns = Pattern.allCases.filter { pattern in
      guard claimed.contains(pattern), !implied.contains(pattern) else { return false }
      implied.formUnion(pattern.implied)
      return true
    }
    let skipped = score.tally.notAsked
    omission = skipped == 0 ? nil : "\(skipped) of \(score.records.count) tests were not run."
    let (sound, forged) = (score.sound, score.forged)
    let undecided = (score.tally.kinds[.error] ?? 0) + (score.tally.kinds[.declined] ?? 0)
    if score.tally.decided == 0 {
      sentences = [
        score.identity?.supports.contains("signature") == true && score.identity?.verifies == false
          ? "claims to check signatures, but not under the roots that it is given: nothing can be tested"
          : "decided nothing"
      ]
    } else if undecided == score.tally.decided {
      sentences = ["decided none of \(undecided) \(undecided == 1 ? "test" : "tests")"]
    } else if sound.total >= 4, sound.shown * 2 < sound.total {
      sentences = [
        "accepts \(sound.shown) of \(sound.total) sound tokens: nothing can be concluded"
          + (sound.shown == 0 ? Self.hint(score) : "")
      ]
    } else {
      let found = patterns.isEmpty ? [Self.without(score, forged)] : patterns.map(\.sentence)
      sentences = (Self.unclaimed(score).map { [$0] } ?? []) + found
    }
  }

  /// What a program does not claim to check, where that is the most important thing to know.
  private static func unclaimed(_ score: Score) -> String? {
    guard let supports = score.identity?.supports, !supports.contains("signature") else { return nil }
    return "claims no check of signatures: it was asked no forgery that needs one"
  }

  /// What to look at first if every sound token was refused.
  private static func hint(_ score: Score) -> String {
    let question =
      score.identity?.verifies == true ? " Does it trust rootsPem, and check dates at `at`?" : ""
    return "." + question + (score.firstRefusal.map { " Its first reason: \($0)" } ?? "")
  }

  /// The sentence where no pattern explains the findings.
  private static func without(_ score: Score, _ forged: Evidence) -> String {
    let accepted = forged.total - forged.shown
    if accepted > 0 { return "accepts \(accepted) of \(forged.total) forgeries" }
    let severe = score.severities.filter { $0.key <= .interoperability }.values.reduce(0, +)
    let wrong = "decides \(severe) \(severe == 1 ? "test" : "tests") wrongly"
    if severe > 0 { return forged.total > 0 ? "refuses all forgeries, and \(wrong)" : wrong }
    let lenient = score.tally.kinds[.accepted] ?? 0
    guard forged.total > 0 else {
      return lenient == 0
        ? "decides rightly; no forgery was among the tests"
        : "accepts \(lenient) tokens that must be refused; no forgery was among the tests, so nothing can be concluded"
    }
    return score.tally.findings == 0 ? "decides rightly" : "decides rightly, and is more lenient than the rules"
  }
}
