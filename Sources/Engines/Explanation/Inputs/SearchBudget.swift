/// The limit on one search for a token inside an input, counted in bytes that recognizers are given (`SearchTests`).
///
/// A recognizer reads its bytes a fixed number of times. But a text can have layers at many places, and the content of
/// each layer is searched in the same way. Without one limit, each level of layers would multiply the cost by the
/// number of places. What is not found within the limit is unknown text. An explanation makes a fixed number of
/// searches.
package final class SearchBudget {
  /// The bytes that are left, negative once the limit is exceeded.
  private var rest: Int
  private let limit: Int

  /// The bytes that were given, within the limit.
  package var spent: Int { limit - max(rest, 0) }

  /// Sixteen times the input, plus enough for several readings of each of the four layers of a small input.
  init(for count: Int) {
    limit = 16 * count + 16_384
    rest = limit
  }

  /// Takes `count` bytes, at least 64, since short texts take time too. Returns false once the budget is exceeded.
  func spend(_ count: Int) -> Bool {
    rest -= max(count, 64)
    return rest >= 0
  }

  /// The number of bytes that a search in an input spends.
  package static func spent(on input: [UInt8]) -> Int {
    let budget = SearchBudget(for: input.count)
    _ = InputForm(input, layers: 0, budget)
    return budget.spent
  }
}
