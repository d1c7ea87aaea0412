import Corpus
import Minting
import NamedCases
import TestSupport
import Testing

@Suite struct RegisterPlacementTests {
  /// The bytes of a register of AVX-512. What is at each of its offsets is also at those of smaller registers.
  private static let width = 64

  /// The constructs that do not occur in every form at every offset around the ends of registers: of a string from its
  /// beginning and from its end, and of the text modulo the width.
  private static func holes(in placements: [RegisterPlacement]) -> [RegisterConstruct] {
    let ends = Set(0...2 * width + 1)
    let byText = Dictionary(grouping: placements, by: \.text)
    return ScannedText.allCases.flatMap { text in
      text.constructs.filter { construct in
        text.forms(of: construct).contains { form in
          let here = (byText[text] ?? []).filter { $0.construct == construct && $0.form == form }
          let before = Set(here.map(\.before))
          if construct == .length { return !before.isSuperset(of: 0...3 * width) }
          return !before.isSuperset(of: ends) || !ends.isSubset(of: here.map(\.after))
            || Set(here.map { $0.beginning % width }).count < width
        }
      }
    }
  }

  @Test func `every construct is at every offset around the ends of registers, and a planted hole is seen`() throws {
    let minter = try Minter(seed: VectorGenerator.seed, at: VectorGenerator.time)
    let placements = try ScannedText.allCases.flatMap { text in
      let cases = try RegisterCases(text, by: minter)
      return RegisterBoundary.all(in: text).map { cases.placement(of: $0) }
    }
    #expect(Self.holes(in: placements).isEmpty)
    // The figure in Corpus/README.md.
    #expect(placements.count == 52_118 && CaseRecipe.registerBoundaries.count == 52_118)
    let fewer = placements.filter {
      !($0.text == .name && $0.construct == .quote && $0.form == .broken(0) && $0.before == 64)
    }
    #expect(Self.holes(in: fewer) == [.quote])
    // Without a whole form, its construct is missing in every text.
    let without = placements.filter { $0.form != .broken(2) || $0.construct != .fourBytes }
    #expect(Self.holes(in: without) == ScannedText.allCases.map { _ in .fourBytes })
  }
}
