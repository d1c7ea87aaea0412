import Gateways
import Minting
import PaymentToken
import TestCases

/// A named case that is to be written in other ways.
package struct SpellingSubject: Sendable {
  package let recipe: CaseRecipe
  /// The draft that the case was made of.
  let draft: CaseDraft
  /// The case in its own spelling.
  package let made: MintedCase
  /// The request as trees; nil where it is too far from JSON.
  let carried: CarriedToken?

  /// Mints the case.
  ///
  /// - Throws: `MintingError` for any failure.
  package init(_ recipe: CaseRecipe, by minter: Minter) throws(MintingError) {
    self.init(try minter.draft(of: recipe), of: recipe)
  }

  /// The case as its draft makes it.
  init(_ draft: CaseDraft, of recipe: CaseRecipe) {
    self.recipe = recipe
    self.draft = draft
    made = draft.minter.made(draft, of: recipe)
    carried = CarriedToken(made.test.input)
  }

  /// The rule that decides.
  var clause: String { recipe.clause }

  /// The expected fault; nil for acceptance.
  var fault: TokenFault? { if case .reject(let fault) = recipe.expected { fault } else { nil } }

  /// The stage of the rule, 0 to 14.
  var stage: Int { Int(clause.prefix { $0 != "." }) ?? 0 }

  /// Whether the verdict falls in this stage or later.
  func reaches(_ stage: VerificationStage) -> Bool { fault.map { $0.stage >= stage } ?? true }

  /// The member that the rule concerns; nil if it concerns the whole text, or the request around the token.
  var member: TokenMember? { Self.member(of: clause, fault, made.version) }

  /// The member that a rule concerns.
  static func member(of clause: String, _ fault: TokenFault?, _ version: TokenVersion) -> TokenMember? {
    if let member = fault?.member { return member }
    switch clause {
    case "3.2": return .version
    case "14.4": return .transactionId
    case "14.1", "3.4": return .applicationData
    case "14.0": return nil
    default: break
    }
    switch Int(clause.prefix { $0 != "." }) ?? 0 {
    case 5...9: return .signature
    case 10: return .publicKeyHash
    case 11: return version.hasEphemeralKey ? .ephemeralPublicKey : .wrappedKey
    case 12...14: return .data
    default: return nil
    }
  }

  /// Whether the whole request is read as a token: as Apple's envelope, or because no other one is recognized in it.
  private var isBareToken: Bool {
    let envelope = made.test.input.context.policy.envelope
    if case .automatic = envelope { return fault?.code == .malformedJSON }
    return envelope.bareName != nil
  }

  /// Throws for sizes beyond rules 0.1 and 1.1, and for all cases that are about a size: a rewritten request has lost
  /// the white space that makes it large.
  func checkSizes(token: Int = 0, request: Int = 0) throws(Inapplicability) {
    guard !["0.1", "1.1"].contains(clause), fault?.code != .tokenTooLarge else { throw .rule }
    guard (isBareToken ? max(token, request) : token) <= RuleLimits.token, request <= Envelope.maximumRequestSize else {
      throw .limit
    }
  }

  /// The case in a spelling, or why the spelling does not apply.
  ///
  /// - Throws: `MintingError` when minting fails.
  package func spelled(_ spelling: Spelling) throws(MintingError) -> Result<MintedCase, Inapplicability> {
    do {
      guard case .payload(let write) = spelling.step else {
        return .success(try made(try input(in: spelling), spelling.name))
      }
      let other = try withPayload(write).made.test
      return .success(try made(other.input, spelling.name, expected: other.expected))
    } catch let reason as Inapplicability {
      return .failure(reason)
    } catch let error as MintingError {
      throw error
    } catch { throw .recipe("\(error)") }
  }

  /// The case's input in a spelling. For a spelling of the payload it lacks the expected plaintext, which changes too.
  func input(in spelling: Spelling) throws -> TestInput {
    switch spelling.step {
    case .payload(let write): return try withPayload(write).made.test.input
    case .around(let wrap): return try wrap(self, made.test.input)
    case .whole(let write): return try write(self)
    case .trees(let edit, let space):
      try checkSizes()
      guard var carried else { throw Inapplicability.unreadable }
      try edit(self, &carried)
      let request = carried.written(space: space)
      try checkSizes(token: carried.tokenSize(space: space), request: request.count)
      return TestInput(request, made.test.context)
    }
  }

  /// The case in several spellings at once: from each list the first that applies and changes anything. Spellings are
  /// applied by kind: first those of the payload, then those of the trees, then those around the token; within a kind,
  /// in the order of the lists. Lists of which none applies are left out of the case and of its name.
  ///
  /// - Parameter largest: the most bytes that the request may have.
  /// - Returns: nil if no spelling applies, or the request would be too large.
  package func combined(_ choices: [[Spelling]], largest: Int) throws(MintingError) -> MintedCase? {
    var subject = self
    var names = Self.firsts(of: choices) { spelling in
      guard case .payload(let write) = spelling.step, let other = try? subject.withPayload(write) else { return false }
      subject = other
      return true
    }
    var input = subject.made.test.input
    if let (rewritten, request) = subject.rewritten(choices) {
      names += rewritten
      input.request = request
    }
    names += Self.firsts(of: choices) { spelling in
      guard case .around(let wrap) = spelling.step, let wrapped = try? wrap(subject, input) else { return false }
      input = wrapped
      return true
    }
    guard !names.isEmpty, input.request.count <= largest else { return nil }
    return try? made(input, names.joined(separator: "+"), expected: subject.made.test.expected)
  }

  /// The names of the spellings that `apply` applies: of each list the first for which it returns true.
  private static func firsts(of choices: [[Spelling]], _ apply: (Spelling) -> Bool) -> [String] {
    choices.compactMap { $0.first(where: apply)?.name }
  }

  /// The request in the first spelling of each list that changes its trees, and their names; nil if none does.
  private func rewritten(_ choices: [[Spelling]]) -> (names: [String], request: [UInt8])? {
    guard var trees = carried, (try? checkSizes()) != nil else { return nil }
    var written = trees.written()
    var space: [UInt8] = []
    let names = Self.firsts(of: choices) { spelling in
      guard case .trees(let edit, let ownSpace) = spelling.step else { return false }
      guard ownSpace.isEmpty else {
        guard (try? checkSizes(token: trees.tokenSize(space: ownSpace))) != nil else { return false }
        space = ownSpace
        return true
      }
      var edited = trees
      guard (try? edit(self, &edited)) != nil else { return false }
      let text = edited.written()
      guard text != written, (try? checkSizes(token: edited.tokenSize(space: space))) != nil else { return false }
      (trees, written) = (edited, text)
      return true
    }
    guard !names.isEmpty else { return nil }
    return (names, space.isEmpty ? written : trees.written(space: space))
  }

  /// The case with another request or context, under the name of the spelling.
  func made(_ input: TestInput, _ spelling: String, expected: TestVerdict? = nil) throws(Inapplicability) -> MintedCase
  {
    guard input != made.test.input else { throw .absent }
    guard input.context.isForOtherPrograms else { throw .context }
    var test = made.test
    test.id = "\(recipe.name)--\(spelling)"
    test.name = test.id
    test.input = input
    if let expected { test.expected = expected }
    let isAccepted = test.expected?.isAccepted == true
    test.standing = Spelling.standing(of: test.name, accepted: isAccepted, by: clause) ?? test.standing
    return MintedCase(
      test: test, traits: made.traits, version: made.version, bareToken: made.bareToken, anchors: made.anchors,
      isSingleToken: false)
  }
}
