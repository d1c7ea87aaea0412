/// What one search for a token inside an input may cost, counted in bytes that recognizers are given.
///
/// Each recognizer reads what it is given a fixed number of times. But it looks at many places of a text, takes layers
/// off at each, and what is left is searched in the same way: without one limit for all of that, the cost would grow
/// with every layer as a power. What is not found within the limit is unknown text. An explanation makes a fixed number
/// of searches.
package final class SearchBudget {
  /// The bytes that are still to be given.
  private var rest: Int
  private let limit: Int

  /// The bytes that were given, within the limit.
  package var spent: Int { limit - max(rest, 0) }

  /// Sixteen times the input, and as much for a small one as four layers with several readings of each need.
  init(for count: Int) {
    limit = 16 * count + 16_384
    rest = limit
  }

  /// Takes `count` bytes; false if they are not left. A look at a few bytes has a cost as well.
  func spend(_ count: Int) -> Bool {
    rest -= max(count, 64)
    return rest >= 0
  }

  /// What a search in an input costs.
  package static func spent(on input: [UInt8]) -> Int {
    let budget = SearchBudget(for: input.count)
    _ = InputForm(input, layers: 0, budget)
    return budget.spent
  }
}
