import Gateways
import NamedCases
import PaymentToken
import StrictJSON
import TestCases

/// Chooses the vectors of the suite `core`: for each aim below, the first that serves it.
///
/// Vectors are tried in order of severity, the worst first, and then by the age of the named cases, the oldest of which
/// are the simplest. A vector is chosen if it serves an aim that no vector before it serves. So the choice does not
/// depend on files or numbers, and choosing again from the chosen vectors gives the same ones.
struct CoreSelection {
  /// The names of the chosen vectors.
  private(set) var names: Set<String> = []

  /// What the suite must contain.
  private enum Aim: Hashable {
    /// A classic forgery of one version.
    case forgery(String)
    /// A rule with its severity, who can exploit its absence, and the refusal; a critical rule for each version.
    case rule(Standing.Severity, Standing.Maker, clauses: [String], TokenFault.Code?, isRSA: Bool)
    /// A class of bugs with severe effects.
    case bug(Standing.Severity, Standing.Maker, flags: Set<String>, TokenFault.Code?)
    /// A certificate that has expired.
    case expired(isIntermediate: Bool)
    /// Signed bytes that decryption does not use: only a decryptor that compares the digest rejects altered ones.
    case digestAlone(TokenMember)
    /// Zeros at the beginning of a secret or identifier.
    case leadingZero(clauses: [String], isRSA: Bool)
    /// A payment in a currency of `currencies`: the amount and the currency, alone and compared with an order.
    case currency(String, clauses: [String], TokenFault.Code?)
    /// A plain token for a merchant's key.
    case plainToken(isRSA: Bool)
    /// Input that crashes decryptors.
    case crash(flag: String)
    /// Both sides of a rule.
    case clause(String, isAccepted: Bool)
    case code(TokenFault.Code?)
    case flag(String)
  }

  init(of groups: [TestGroup]) {
    let cases = groups.filter { $0.setting.keys.allSatisfy { $0.holder == .merchant } }.flatMap(\.cases)
    let positions = Dictionary(
      CaseRecipe.byAge.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let ranked = cases.filter(Self.isEligible).map { test in
      (test: test, rank: (test.standing?.severity ?? .choice, positions[test.name] ?? .max, test.name))
    }
    var served: Set<Aim> = []
    for test in ranked.sorted(by: { $0.rank < $1.rank }).map(\.test) {
      let aims = Self.aims(of: test)
      if !aims.isSubset(of: served) { names.insert(test.name) }
      served.formUnion(aims)
    }
  }

  /// A strict test (`CorpusSuite.isStrict`) of a bare signed token that any program can run. The request is small, or
  /// may crash some programs. Constructed vectors are left out: they repeat named cases.
  private static func isEligible(_ test: TestCase) -> Bool {
    let policy = test.context.policy
    let isConstructed = test.name.contains("--") || test.name.hasPrefix("boundary-")
    let isOfEnvelopes = test.clauses.contains { $0.hasPrefix("0.") }
    guard !test.name.isEmpty, !isConstructed, !isOfEnvelopes, policy.envelope == .named(.apple), !policy.isUnsigned,
      test.context.isForOtherPrograms
    else { return false }
    return CorpusSuite.isStrict(test) && (test.request.count <= largestRequest || CorpusSuite.mayCrash(test))
  }

  /// In bytes; a plain token has 3,500.
  private static let largestRequest = 6_000

  /// The members that decryption does not use, as names of cases write them.
  private static let digestAlone: [(TokenMember, word: String)] = [
    (.transactionId, "transaction-id"), (.applicationData, "application-data"),
  ]

  /// Currencies without decimals, with three, and with a code that begins with a zero, each with the rules of which
  /// `core` has a test in it.
  private static let currencies = ["392": ["13.2", "14.2", "14.3"], "414": ["13.2", "14.2", "14.3"], "036": ["13.2"]]

  /// The currency that the order of a test has, or else the payment.
  private static func currency(of test: TestCase) -> String? {
    if let code = test.context.policy.expectations.currencyCode { return code }
    guard let plaintext = test.expected?.plaintext else { return nil }
    return (try? JSON(reading: plaintext.span))?["currencyCode"]?.string
  }

  private static func aims(of test: TestCase) -> Set<Aim> {
    guard let standing = test.standing else { return [] }
    let code = test.expected?.fault?.code
    let isRSA = test.name.hasPrefix("rsa-")
    // These flags do not identify a bug.
    let flags = Set(test.flags).subtracting(["MustAccept", "RSAv1"])
    var aims: Set<Aim> = [.code(code)]
    for clause in test.clauses { aims.insert(.clause(clause, isAccepted: code == nil)) }
    for flag in flags {
      aims.insert(.flag(flag))
      if CorpusSuite.mayCrash(test) { aims.insert(.crash(flag: flag)) }
    }
    if code == nil, flags == ["MerchantKey"] { aims.insert(.plainToken(isRSA: isRSA)) }
    if CaseRecipe.named(test.name)?.isForgery == true { aims.insert(.forgery(test.name)) }
    if flags.contains("LeadingZero") { aims.insert(.leadingZero(clauses: test.clauses, isRSA: isRSA)) }
    if let currency = currency(of: test), currencies[currency]?.contains(where: test.clauses.contains) == true {
      aims.insert(.currency(currency, clauses: test.clauses, code))
    }
    if code == .certificateExpired, !isRSA {
      aims.insert(.expired(isIntermediate: test.name.hasPrefix("intermediate")))
    }
    if standing.isForgery, flags == ["SignedContent"], !isRSA {
      for (member, word) in digestAlone where test.name.contains(word) { aims.insert(.digestAlone(member)) }
    }
    guard standing.severity <= .high else { return aims }
    aims.insert(
      .rule(
        standing.severity, standing.maker, clauses: test.clauses, code,
        isRSA: isRSA && standing.severity == .critical))
    aims.insert(.bug(standing.severity, standing.maker, flags: flags, code))
    return aims
  }
}

extension VectorGenerator {
  /// The file of the suite `core`, from the groups of all generated files.
  ///
  /// Its tests have numbers of their own. Its keys have no certificates: these would only repeat the public key and the
  /// merchant identifier.
  func core(of groups: [TestGroup]) -> CorpusFile {
    var chosen: [TestGroup] = []
    for var group in CorpusSuite.core.groups(of: groups) {
      for index in group.setting.keys.indices where group.setting.keys[index].holder == .merchant {
        group.setting.keys[index].certificatePem = nil
      }
      for test in group.cases { chosen.add(TestGroup(setting: group.setting, cases: [test])) }
    }
    var number = 0
    for index in chosen.indices {
      for place in chosen[index].cases.indices {
        number += 1
        chosen[index].cases[place].id = String(number)
      }
    }
    return CorpusFile(path: CorpusSuite.corePath, bytes: VectorWriter.write(file(of: chosen)))
  }
}
