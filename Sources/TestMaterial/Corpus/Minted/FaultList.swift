import HostIO
import NamedCases
import PaymentToken
import Reports
import StrictJSON

/// The named cases that `assay mint --list-faults` lists: all, those of a stage, or those with certain words.
package struct FaultList {
  private let recipes: [CaseRecipe]

  /// - Parameter words: a stage by name or number, the number of a rule, or words that the name, the verdict or the
  ///   note contains; a case must match all of them.
  /// - Throws: `CommandError` if no case has them.
  package init(_ words: [String]) throws(CommandError) {
    recipes = CaseRecipe.all.filter { recipe in words.allSatisfy { FaultList.matches(recipe, $0.lowercased()) } }
    guard recipes.isEmpty else { return }
    let stages = VerificationStage.allCases.map { "\($0)" }
    let known = stages + TokenFault.Code.allCases.map(\.rawValue) + CaseRecipe.all.map(\.name)
    let ending = Suggestion.ending(for: words.joined(separator: " "), among: known)
    throw CommandError(
      .usage, "no case has \(Text.harmless(words.joined(separator: " and "))) in its stage, code, rule or name\(ending)"
    )
  }

  private static func matches(_ recipe: CaseRecipe, _ word: String) -> Bool {
    if let stage = VerificationStage.allCases.first(where: { "\($0)".lowercased() == word || "\($0.rawValue)" == word })
    {
      return recipe.stage == stage
    }
    return recipe.clause == word
      || [recipe.name, recipe.verdict, recipe.note].contains { $0.lowercased().contains(word) }
  }

  /// The document `assay.mint-faults/1`.
  package var json: JSON {
    [
      "schema": "assay.mint-faults/1",
      "faults": recipes.map { recipe in
        JSON([
          "name": recipe.name, "clause": recipe.clause, "expected": recipe.verdict, "note": recipe.note,
        ])
      },
    ]
  }

  /// A group for each stage and verdict: a line for the group, then a line for each case.
  package var text: String {
    let width = recipes.map(\.name.count).max() ?? 0
    var groups: [String] = []
    for stage in VerificationStage.allCases {
      for isRefused in [true, false] {
        let members = recipes.filter { $0.stage == stage && $0.expected.isRefusal == isRefused }
        guard !members.isEmpty else { continue }
        let lines = members.map { recipe in
          "  \(Text.padded(recipe.name, to: width))  \(Text.padded(recipe.clause, to: 4))  \(recipe.verdict)\n"
        }
        groups.append("\(stage.rawValue) \(stage), \(isRefused ? "rejected" : "accepted"):\n" + lines.joined())
      }
    }
    return groups.joined(separator: "\n")
  }
}

extension CaseRecipe {
  /// The expected verdict in words: `accept`, `accept unsigned`, or a code and its member.
  package var verdict: String {
    switch expected {
    case .accept: "accept"
    case .acceptUnsigned: "accept unsigned"
    case .reject(let fault): ([fault.code.rawValue] + (fault.member.map { [$0.path] } ?? [])).joined(separator: " ")
    }
  }

  /// The stage of the rule that decides.
  fileprivate var stage: VerificationStage? {
    clause.split(separator: ".").first.flatMap { Int($0) }.flatMap(VerificationStage.init(rawValue:))
  }
}
