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

  /// Refuses cases that are about a size: a rewritten request has lost the white space that makes it large.
  func checkSizeIsFree() throws(Inapplicability) {
    guard !["0.1", "1.1"].contains(clause), fault?.code != .tokenTooLarge else { throw .rule }
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

  /// The case in several spellings at once: first those of the trees, in their order, then those of what is around the
  /// token. Spellings that do not apply are left out of it and of its name; nil if none is left.
  ///
  /// - Throws: `MintingError` when minting fails.
  package func combined(_ spellings: [Spelling]) throws(MintingError) -> MintedCase? {
    var names: [String] = []
    var input = made.test.input
    let edits = spellings.filter { $0.edit != nil }
    if !edits.isEmpty, (try? checkSizeIsFree()) != nil, var trees = carried {
      var space: [UInt8] = []
      for spelling in edits {
        var edited = trees
        guard (try? spelling.edit?(self, &edited)) != nil else { continue }
        trees = edited
        names.append(spelling.name)
        if spelling.column == .whiteSpace { space = Array(" \t\r\n".utf8) }
      }
      input.request = trees.written(space: space)
      guard input.request.count <= 60_000 else { return nil }
    }
    for spelling in spellings {
      guard let wrapped = try? spelling.wrap?(self, input) else { continue }
      input = wrapped
      names.append(spelling.name)
    }
    return names.isEmpty ? nil : try? made(input, names.joined(separator: "+"))
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
