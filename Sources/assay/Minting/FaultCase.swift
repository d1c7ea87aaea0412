import Gateways
import HostIO
import Minting
import NamedCases
import PaymentToken
import Reports
import TestCases

/// A named case of `assay mint`: a token with one fault or oddity.
enum FaultCase {
  static func named(_ name: String) throws(CommandError) -> CaseRecipe {
    guard let recipe = CaseRecipe.named(name) else {
      let ending = Suggestion.ending(for: name, among: CaseRecipe.all.map(\.name))
      throw .usage("there is no case \(Text.harmless(name))\(ending)", see: "assay mint --list-faults")
    }
    return recipe
  }

  /// The expected verdict: `accept`, `accept unsigned`, or a code and its member.
  static func verdict(_ recipe: CaseRecipe) -> String {
    switch recipe.expected {
    case .accept: "accept"
    case .acceptUnsigned: "accept unsigned"
    case .reject(let fault): ([fault.code.rawValue] + (fault.member.map { [$0.path] } ?? [])).joined(separator: " ")
    }
  }

  /// Mints a case with every key of the minter's merchants, and returns the version of its token.
  static func files(
    _ recipe: CaseRecipe, by minter: Minter
  ) throws(CommandError) -> (files: MintedFiles, version: TokenVersion) {
    let made = try CommandError.of { try minter.make(recipe) }
    let files = MintedFiles(
      tokens: [made.test.request], named: made.test.request == made.bareToken ? "token" : "request",
      roots: made.anchors,
      keys: TestKey.all(of: minter), revoked: made.test.context.policy.revoked,
      options: try options(of: made.test))
    return (files, made.version)
  }

  private static func envelopeOptions(of test: TestCase) throws(CommandError) -> [String] {
    switch test.context.policy.envelope {
    case .automatic(let list):
      guard EnvelopeSelection.automatic(list) == .automatic else {
        throw CommandError(.usage, "\(test.name) is about a caller's own choice of envelopes.")
      }
      return ["--envelope", "auto"] + (test.context.policy.isUnsigned ? ["--unsigned"] : [])
    case .named(let envelope):
      // The option is only for envelopes in parts; for others the policy changes nothing.
      let isUnsigned = test.context.policy.isUnsigned && envelope.isInParts
      return ["--envelope", envelope.name] + (isUnsigned ? ["--unsigned"] : [])
    }
  }

  /// Refuses cases whose expectations only a library's caller can have, such as a currency of four digits.
  private static func checkAcceptance(_ options: [String], of test: TestCase) throws(CommandError) {
    do {
      _ = try VerificationOptions(ParsedArguments(options, for: DecryptCommand.definition))
    } catch {
      throw CommandError(.usage, "\(test.name) is about a caller's own choice of expectations: \(error.message)")
    }
  }

  private static func options(of test: TestCase) throws(CommandError) -> [String] {
    var options = try envelopeOptions(of: test)
    switch test.context.policy.freshness {
    case .signingTime:
      options += ["--at", "signing-time"]
    case .windowOff:
      options += ["--at", test.context.now.rfc3339, "--window", "off"]
    case .window(let seconds, let replay):
      guard replay == nil, test.context.prelude.isEmpty else {
        throw CommandError(.usage, "\(test.name) is about replays, which need more than one token.")
      }
      options += ["--at", test.context.now.rfc3339]
      if seconds != 300 { options += ["--window", String(seconds)] }
    }
    let expected = test.context.policy.expectations
    if let currency = expected.currencyCode { options += ["--expect-currency", currency] }
    if let amount = expected.transactionAmount { options += ["--expect-amount", String(amount)] }
    if let data = expected.applicationData { options += ["--expect-application-data", data.hex] }
    try checkAcceptance(options, of: test)
    return options
  }
}
