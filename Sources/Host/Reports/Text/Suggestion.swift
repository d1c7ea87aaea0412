/// Finds the known word that a mistyped one probably stands for: the one of the smallest edit distance, whatever the
/// case of its letters. The distance counts insertions, deletions, replacements and swaps of neighbours (optimal string
/// alignment).
package enum Suggestion {
  /// Longer words are not compared: no known word is as long, and each letter is compared with all of a known word.
  package static let longestWord = 128

  /// The known word that was probably meant; nil if none is close. Of equally close words the first wins.
  package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased().utf8)
    // A third of the letters may be wrong. Two letters are too few to tell.
    if typed.count > longestWord { return nil }
    let limit = typed.count < 3 ? 0 : max(1, typed.count / 3)
    var best: (word: String, distance: Int)?
    for candidate in known {
      let letters = Array(candidate.lowercased().utf8)
      guard abs(letters.count - typed.count) <= limit else { continue }
      let distance = distance(from: typed, to: letters)
      if distance <= limit, distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// The end of a sentence that names an unknown word: `; did you mean X?`, or a full stop if no known word is close.
  package static func ending(for word: String, among known: some Sequence<String>) -> String {
    nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? "."
  }

  private static func distance(from left: [UInt8], to right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var smallest = min(last[column + 1] + 1, current[column] + 1, replaced)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          smallest = min(smallest, beforeLast[column - 1] + 1)
        }
        current.append(smallest)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
