import Gateways
import Minting
import PaymentToken
import TestCases

/// A named case that is to be written in other ways.
package struct SpellingSubject: Sendable {
  let minter: Minter
  package let recipe: CaseRecipe
  /// The draft that the case was made of.
  let draft: CaseDraft
  /// The case as it is.
  package let made: MintedCase
  /// The request as trees; nil where it is too far from JSON.
  let carried: CarriedToken?

  /// Mints the case.
  ///
  /// - Throws: `MintingError` for any failure.
  package init(_ recipe: CaseRecipe, by minter: Minter) throws(MintingError) {
    self.minter = minter
    self.recipe = recipe
    draft = try minter.draft(of: recipe)
    made = minter.made(draft, of: recipe)
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

  /// The case in a spelling, or why the spelling does not apply.
  ///
  /// - Throws: `MintingError` when minting fails.
  package func spelled(_ spelling: Spelling) throws(MintingError) -> Result<MintedCase, Inapplicability> {
    do {
      return .success(try spelling.apply(self))
    } catch let reason as Inapplicability {
      return .failure(reason)
    } catch let error as MintingError {
      throw error
    } catch { throw .recipe("\(error)") }
  }

  /// The case with another request or context, under the name of the spelling.
  func made(_ input: TestInput, _ spelling: String, expected: TestVerdict? = nil) throws(Inapplicability) -> MintedCase
  {
    guard input != made.test.input else { throw .absent }
    guard input.context.isExpressible else { throw .context }
    var test = made.test
    test.id = "\(recipe.name)--\(spelling)"
    test.name = test.id
    test.input = input
    if let expected { test.expected = expected }
    return MintedCase(
      test: test, version: made.version, bareToken: made.bareToken, anchors: made.anchors, isSingleToken: false)
  }

  /// The case with another request.
  func made(request: [UInt8], _ spelling: String) throws(Inapplicability) -> MintedCase {
    try made(TestInput(request, made.test.context), spelling)
  }
}
