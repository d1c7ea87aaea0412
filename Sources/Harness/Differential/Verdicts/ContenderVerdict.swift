import Reports
import TestCases

/// The verdict on a contender in sentences, the most important first. Each sentence lacks its subject, the contender.
package struct ContenderVerdict: Hashable, Sendable {
  /// The patterns that its tests show.
  package let patterns: [Pattern]
  /// The sentences; never empty.
  package let sentences: [String]
  /// A sentence that says how many tests were skipped or not reached; nil if none were.
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
    // A program that does not claim to check signatures may lack these checks.
    if score.identity?.checksSignatures == false { claimed.subtract(Pattern.noSignature.implied) }
    if score.validAccepted.count * 2 < score.validAccepted.total { claimed = claimed.filter { !$0.isOfSoundTokens } }
    let acceptsAll =
      score.identity?.checksSignatures != false && score.forgeriesRefused.total >= 6
      && score.acceptedForgeries.count == score.forgeriesRefused.total
    if acceptsAll || claimed.isSuperset(of: [.noDigest, .droppedResult]) { claimed.insert(.noSignature) }
    patterns = Pattern.allCases.filter { pattern in
      guard claimed.contains(pattern), !implied.contains(pattern) else { return false }
      implied.formUnion(pattern.implied)
      return true
    }
    let skipped = score.notRun
    omission =
      skipped == 0 ? nil : "\(skipped) of \(score.tests) \(skipped == 1 ? "was" : "were") not run."
    let decided = score.tally.assessed
    if score.tally.assessed == 0 {
      sentences = [
        score.identity?.supports.contains("signature") == true && score.identity?.verifies == false
          ? "claims to check signatures, but not under the roots that it is given: nothing can be tested"
          : "decided nothing"
      ]
    } else if score.isSilent {
      sentences = [score.couldNotRun ? "could not be run: nothing was compared" : "answered nothing, not even hello"]
    } else if score.tally.verdicts == 0 {
      sentences = ["decided none of \(Text.counted(decided, "test"))"]
    } else if let refusal = Self.refusal(score), score.acceptedForgeries.isEmpty {
      sentences = [refusal]
    } else {
      let isExplained = score.acceptedForgeries.isEmpty || patterns.first?.isOfForgeries == true
      let found =
        (isExplained ? [] : [Self.accepted(score.acceptedForgeries, of: score.forgeriesRefused)])
        + patterns.map(\.sentence)
        + Self.wrongPlaintexts(score, isAlone: score.acceptedForgeries.isEmpty && patterns.isEmpty)
        + [Self.refusal(score)].compactMap { $0 }
      sentences = [Self.unclaimed(score)].compactMap { $0 } + (found.isEmpty ? [Self.without(score)] : found)
    }
  }

  /// That most valid tokens were refused, which leaves nothing to conclude; nil if they were not.
  private static func refusal(_ score: Score) -> String? {
    let (total, refused) = (score.validAccepted.total, score.validTokenFindings[.refusedSound] ?? 0)
    guard total >= 4, refused * 2 > total else { return nil }
    let accepted = total - refused - score.validTokenFindings.filter(\.key.isFailure).values.reduce(0, +)
    return "accepts \(accepted) of \(Text.counted(total, "sound token")): nothing can be concluded"
      + (accepted == 0 ? hint(score) : "")
  }

  /// A sentence about wrong or missing plaintexts, and one about the other severe findings: if the first is not alone,
  /// only about tests without a verdict.
  private static func wrongPlaintexts(_ score: Score, isAlone: Bool) -> [String] {
    guard let wrong = score.validTokenFindings[.wrongPlaintext] else { return [] }
    let missing = score.missingPlaintexts
    let what = missing == 0 ? "another plaintext" : missing < wrong ? "another plaintext or none" : "no plaintext"
    let without = score.tally.assessed - score.tally.verdicts
    let severe = score.severities.filter { $0.key <= .interoperability }.values.reduce(0, +)
    let rest = isAlone ? severe - wrong : without
    return ["returns \(what) for \(wrong) of \(Text.counted(score.validAccepted.total, "sound token"))"]
      + (rest > 0 ? [isAlone ? Self.wrong(score, rest) : "decides \(Text.counted(rest, "test")) not at all"] : [])
  }

  /// What a program does not claim to check, where that is the most important thing to know.
  private static func unclaimed(_ score: Score) -> String? {
    guard let supports = score.identity?.supports, !supports.contains("signature") else { return nil }
    return "claims no check of signatures: it was asked no forgery that needs one"
  }

  /// What to look at first if no valid token was accepted.
  private static func hint(_ score: Score) -> String {
    let question =
      score.identity?.verifies == true ? " Does it trust rootsPem, and check dates at `at`?" : ""
    return "." + question + (score.firstRefusal.map { " Its first reason: \($0)" } ?? "")
  }

  /// The sentence where no forgery was accepted, and no pattern or plaintext explains the findings.
  private static func without(_ score: Score) -> String {
    let (given, forged) = (score.tally.assessed + score.notRun, score.forgeriesRefused)
    if score.tally.verdicts * 2 < given {
      return "decided only \(score.tally.verdicts) of \(Text.counted(given, "test")): nothing can be concluded"
    }
    let severe = score.severities.filter { $0.key <= .interoperability }.values.reduce(0, +)
    if severe > 0 { return refusals(forged) + wrong(score, severe) }
    let lenient = score.tally.kinds[.accepted] ?? 0
    guard forged.total > 0 else {
      return lenient == 0
        ? "\(right(score)); no forgery was among the tests"
        : "accepts \(Text.counted(lenient, "token")) that must be refused; no forgery was among the tests, so nothing "
          + "can be concluded"
    }
    return right(score)
  }

  /// The sentence where no finding is severe. A program that passes a whole suite gets `decides correctly`.
  private static func right(_ score: Score) -> String {
    let isLenient = score.tally.findings > 0
    let unasked = score.tally.unsupported - score.lacking[ExternalIdentity.beyondProtocol, default: 0]
    if score.isOfWholeSuite, unasked + score.notRun == 0 {
      return isLenient ? "decides correctly, and is more lenient than the rules" : "decides correctly"
    }
    return "has no \(isLenient ? "severe " : "")finding in \(score.tally.assessed) of \(score.tests)"
      + (score.unsupported.map { " (\($0))" } ?? "") + (score.isOfWholeSuite ? "" : "; run the corpus")
  }

  private static func accepted(_ names: [String], of forged: Share) -> String {
    "accepts \(names.count) of \(Text.counted(forged.total, "forgery", "forgeries")): \(names.listed(atMost: 3))"
  }

  private static func refusals(_ forged: Share) -> String {
    guard forged.total > 0 else { return "" }
    return forged.count == forged.total
      ? "refuses all forgeries, and "
      : "refuses \(forged.count) of \(Text.counted(forged.total, "forgery", "forgeries")), and "
  }

  /// The severe findings: wrong verdicts, and tests without one.
  private static func wrong(_ score: Score, _ severe: Int) -> String {
    func tests(_ count: Int) -> String { Text.counted(count, "test") }
    let without = score.tally.assessed - score.tally.verdicts
    if severe <= without { return "decides \(tests(without)) not at all" }
    return "decides \(tests(severe - without)) wrongly" + (without > 0 ? " and \(tests(without)) not at all" : "")
  }
}

extension Score {
  /// The number of tests: `1 test`, `40 tests`.
  fileprivate var tests: String { Text.counted(records.count + notReached, "test") }

  /// How many tests are unsupported, and for lack of what: `14 unsupported: RSA_v1 12, unsigned 2`; nil if none are.
  var unsupported: String? {
    guard tally.unsupported > 0 else { return nil }
    return "\(tally.unsupported) unsupported" + (lacking.isEmpty ? "" : ": \(needs)")
  }

  /// What the unsupported tests need, and how many of them: `RSA_v1 12, unsigned 2`.
  var needs: String {
    lacking.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
