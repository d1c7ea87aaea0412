import Differential
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// The named cases of the minter through both engines: each code, each forgery, and valid tokens.
@Suite struct MintedCaseTests {
  private static let now = UnixTime(secondsSinceEpoch: 1_795_000_000)

  @Test func `both engines give every named case its one right answer`() throws {
    let minter = try Minter(seed: 7, at: Self.now)
    let keys = try minter.merchantKeySet()
    var count = 0
    // The first ring takes the first case of each rule and every third one: `assay corpus lint` decides them all as
    // vectors.
    var rules: Set<String> = []
    for (number, recipe) in CaseRecipe.all.enumerated()
    where rules.insert(recipe.clause).inserted || Ring.isDeep || number.isMultiple(of: 3) {
      let minted = try minter.make(recipe)
      let engines = try Engines(keys: keys, anchors: minted.trustAnchors)
      let comparison = Comparison(of: minted.test.input, by: engines.pair)
      let name = Comment(rawValue: "\(minted.test.name) (\(recipe.clause)): \(recipe.note)")
      for verdict in [comparison.first, comparison.second] {
        #expect(TestVerdict(verdict) == minted.test.expected, name)
      }
      #expect(comparison.agrees, name)
      count += 1
    }
    print("\(count) named cases")
    #expect(Ring.isDeep ? count == CaseRecipe.all.count : count > CaseRecipe.all.count / 3)
  }

  @Test(arguments: 1...4) func `a fault of certificates is found whatever the order of their extensions`(
    _ order: Int
  ) throws {
    let sorted = try Minter(seed: 7, at: Self.now)
    // The extensions are reversed, or rotated so that each of the markers comes first once.
    let minter = try sorted.ordering { extensions in
      order == 1 ? extensions.reversed() : Array(extensions.dropFirst(order) + extensions.prefix(order))
    }
    let keys = try Engines.keys(of: sorted)
    var count = 0
    let recipes = CaseRecipe.all.filter { recipe in ["5.1", "6.", "7."].contains(where: recipe.clause.hasPrefix) }
    // The first ring tries each case in one of the orders.
    for (number, recipe) in recipes.enumerated() where Ring.isDeep || number % 4 == order - 1 {
      let minted = try minter.make(recipe)
      let engines = try Engines(keys: keys, anchors: minted.trustAnchors)
      let comparison = Comparison(of: minted.test.input, by: engines.pair)
      let name = Comment(rawValue: "\(minted.test.name) (\(recipe.clause)): \(recipe.note)")
      #expect(TestVerdict(comparison.first) == minted.test.expected, name)
      #expect(comparison.agrees, name)
      count += 1
    }
    #expect(count > (Ring.isDeep ? 400 : 100))
  }
}
