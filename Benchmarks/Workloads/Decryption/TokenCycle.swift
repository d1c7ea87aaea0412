/// Goes round a set of tokens, opening one after the other, and checks each answer as far as that costs nothing.
final class TokenCycle {
  private let entries: [TokenSet.Entry]
  private let lengths: [Int]
  private let open: Contender.Opener
  private var next: Int

  /// - Parameters:
  ///   - lengths: of the plaintexts, as checked before.
  ///   - start: where to begin, so that threads do not go in step.
  init(_ set: TokenSet, lengths: [Int], start: Int = 0, open: @escaping Contender.Opener) {
    entries = set.entries
    self.lengths = lengths
    self.open = open
    next = start % set.entries.count
  }

  /// Opens so many tokens; false when one was refused or opened to something else.
  func run(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard open(entries[next].token) == lengths[next] else { return false }
      next = next + 1 == entries.count ? 0 : next + 1
    }
    return true
  }
}
