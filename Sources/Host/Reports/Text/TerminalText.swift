/// Text on a terminal. A table that is too wide first breaks the texts in its cells, then leaves columns out and says
/// which; any other line is broken between words. Without a width nothing is broken or left out.
extension Text {
  /// The columns of the terminal that a report is laid out for; nil for a pipe or a file, which programs read.
  @TaskLocal static var width: Int?

  /// A report laid out for a terminal of `width` columns.
  package static func fitted(to width: Int, _ report: () -> String) -> String {
    let lines = $width.withValue(width, operation: report).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { wrapped(line: $0, to: width) }.joined(separator: "\n").replacing(unbreakable, with: " ")
  }

  /// Stands for a space at which no line is broken: a noncharacter, which no text contains.
  private static let unbreakable = Unicode.Scalar(0xFDD0 as UInt32).map { String($0) } ?? "\u{A0}"

  /// Text in which no line is broken: a command to copy, a path, JSON, a row of a matrix.
  package static func unbroken(_ text: String) -> String {
    width == nil ? text : text.replacing(" ", with: unbreakable)
  }

  /// A message in which no command and none of these words is broken. A command stands between backquotes, or begins
  /// with `assay` and reaches to the end of the clause.
  package static func unbrokenCommands(_ message: String, keeping words: some Sequence<String>) -> String {
    if width == nil { return message }
    let kept = words.filter { $0.contains(" ") }.reduce(message) { $0.replacing($1, with: unbroken($1)) }
    return kept.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      if !index.isMultiple(of: 2) { return unbroken(String(part)) }
      var isCommand = false
      let words = part.split(separator: " ", omittingEmptySubsequences: false).map { word in
        isCommand = (isCommand || word == "assay") && word.last.map { !".,:;?)".contains($0) } ?? false
        return word + (isCommand ? unbreakable : " ")
      }
      return String(words.joined().dropLast())
    }.joined(separator: "`")
  }

  /// Text whose lines are broken between words if they are longer than `width`. What follows a break is indented to the
  /// last column that begins before it; a column that begins in the right half goes to a line of its own. The lines of
  /// a sentence that was broken already are joined first.
  package static func wrapped(_ text: String, to width: Int) -> String {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isEnded = lines.last.map { $0.count <= width || $0.first == " " || $0.last == "." } ?? true
      if isEnded || line.isEmpty || line.first == " " {
        lines.append(line)
      } else {
        lines[lines.count - 1] += " " + line
      }
    }
    return lines.map { wrapped(line: $0, to: width) }.joined(separator: "\n")
  }

  private static func wrapped(line: Substring, to width: Int) -> String {
    if fits(line, from: 0, in: width) { return String(line) }
    let margin = line.prefix { $0 == " " }.count
    let start = margin <= width / 2 ? margin : 4
    var (lines, rest, indent) = ([String](), line.dropFirst(margin), start)
    var column = indent > 0 ? indent + 2 : 0
    while !fits(rest, from: indent, in: width), let gap = lastGap(of: rest, from: indent, in: width) {
      guard gap.column > width / 2 else {
        column = gap.column
        break
      }
      lines.append(trimmed(spaces(indent) + rest[..<gap.start]))
      (rest, indent, column) = (rest[gap.end...], start + 2, start + 4)
    }
    return (lines + broken(rest, from: indent, next: column, in: width)).joined(separator: "\n")
  }

  /// The words of a text in lines, of which the first begins at `indent` and the others at `next`.
  private static func broken(_ text: Substring, from indent: Int, next: Int, in width: Int) -> [String] {
    var (lines, line, count, isEmpty) = ([String](), spaces(indent), indent, true)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let size = shownCount(word)
      // A word that is longer than the line stays whole, and where it is if a new line would give it no more room.
      if !isEmpty, count + 1 + size > width, next + size <= width || count > next {
        lines.append(trimmed(line))
        (line, count, isEmpty) = (spaces(next), next, true)
      }
      if isEmpty && word.isEmpty { continue }
      line += (isEmpty ? "" : " ") + word
      (count, isEmpty) = (count + size + (isEmpty ? 0 : 1), false)
    }
    return lines + [trimmed(line)]
  }

  /// Whether no more than `width` columns are shown. Stops at the first character beyond them.
  private static func fits(_ text: Substring, from indent: Int, in width: Int) -> Bool {
    var shown = Shown(count: indent)
    for character in text {
      shown.take(character)
      if shown.count > width { return false }
    }
    return true
  }

  /// The last gap of two or more spaces that begins within `width` columns and has text behind it, and the column of
  /// that text. Stops at the first text beyond `width`.
  private static func lastGap(
    of text: Substring, from indent: Int, in width: Int
  ) -> (start: Substring.Index, end: Substring.Index, column: Int)? {
    var shown = Shown(count: indent)
    var gap: (start: Substring.Index, end: Substring.Index, column: Int)?
    var spaces: (start: Substring.Index, count: Int)?
    for index in text.indices {
      if text[index] == " " {
        spaces = (spaces?.start ?? index, (spaces?.count ?? 0) + 1)
      } else {
        if let spaces, spaces.count > 1 { gap = (spaces.start, index, shown.count) }
        spaces = nil
        if shown.count > width { break }
      }
      shown.take(text[index])
    }
    return gap
  }

  /// Counts characters, without the escape sequences of colours.
  private struct Shown {
    var count: Int
    private var isColour = false

    init(count: Int) { self.count = count }

    mutating func take(_ character: Character) {
      if character == "\u{1B}" { isColour = true }
      if !isColour { count += 1 }
      if character == "m" { isColour = false }
    }
  }

  private static func shownCount(_ text: Substring) -> Int {
    var shown = Shown(count: 0)
    for character in text { shown.take(character) }
    return shown.count
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  fileprivate static func trimmed(_ line: String) -> String { String(line.reversed().drop { $0 == " " }.reversed()) }
}

/// Lines of columns of equal width.
struct TextTable {
  private let rows: [[String]]
  private let names: [String]
  /// Whether all columns except the first are figures, aligned on the right. If not, the last column is not padded.
  private let alignsRight: Bool
  private var widths: [Int]
  /// The columns that are shown.
  private var columns: [Int]
  /// The columns whose cells are broken between words.
  private var broken: Set<Int> = []
  /// Whether the first column is on lines of its own, above the others.
  private var isStacked = false
  private var leftOut: [String] = []

  init(_ rows: [[String]], names: [String], alignsRight: Bool) {
    (self.rows, self.names, self.alignsRight) = (rows, names, alignsRight)
    columns = Array(0..<(rows.map(\.count).max() ?? 0))
    let last = alignsRight ? nil : columns.last
    widths = columns.map { column in
      let width = rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
      // A name in a foreign file may be as long as the file: it exceeds its column, so that other rows are not padded
      // to it.
      return column == last ? width : min(120, width)
    }
  }

  /// The columns that share a line.
  private var beside: ArraySlice<Int> { isStacked ? columns.dropFirst() : columns[...] }

  private func isTooWide(for room: Int) -> Bool {
    beside.reduce(isStacked ? 2 : 0) { $0 + widths[$1] } + 2 * (beside.count - 1) > room
  }

  /// Breaks texts, then leaves out the first of `dropping`, until the lines are no longer than `room`.
  mutating func fit(to room: Int, dropping: [String]) {
    guard isTooWide(for: room), let first = columns.first else { return }
    isStacked = columns.count > 1 && widths[first] > room / 2
    let natural = widths
    var dropping = dropping[...]
    while true {
      breakTexts(for: room)
      guard isTooWide(for: room), let name = dropping.popFirst() else { return }
      columns.removeAll { names[$0] == name }
      leftOut.append(name)
      widths = natural
    }
  }

  /// Makes the widest column narrower by one, as often as necessary and possible.
  private mutating func breakTexts(for room: Int) {
    let least = beside.map { leastWidth(of: $0, room) }
    while isTooWide(for: room) {
      let candidates = zip(beside, least).filter { $0 != columns.first && widths[$0] > $1 }
      guard let widest = candidates.max(by: { widths[$0.0] < widths[$1.0] })?.0 else { break }
      widths[widest] -= 1
      broken.insert(widest)
    }
  }

  /// The minimum width of a column: its longest word up to half of the line, but 12 at least, or 20 for figures.
  private func leastWidth(of column: Int, _ room: Int) -> Int {
    let words = rows.flatMap { column < $0.count ? $0[column].split(separator: " ") : [] }
    return max(alignsRight ? 20 : 12, min(words.map(\.count).max() ?? 0, (room - 4) / 2))
  }

  var lines: [String] {
    let lines = rows.flatMap { row in
      isStacked ? Array(row.prefix(1)) + self.lines(row).map { "  " + $0 } : self.lines(row)
    }
    if leftOut.isEmpty { return lines }
    return lines + ["Left out: \(leftOut.joined(separator: ", ")). A wider terminal, a pipe or --json shows all."]
  }

  private func lines(_ row: [String]) -> [String] {
    let shown = beside.filter { $0 < row.count }
    let cells = shown.map { column in
      guard broken.contains(column) else { return [row[column][...]] }
      return Text.wrapped(row[column], to: widths[column]).split(separator: "\n")
    }
    return (0..<(cells.map(\.count).max() ?? 0)).map { line in
      let text = zip(shown, cells).map { column, cell in
        let text = line < cell.count ? String(cell[line]) : ""
        let space = String(repeating: " ", count: max(0, widths[column] - text.count))
        if alignsRight { return column == 0 ? text + space : space + text }
        return column == shown.last ? text : text + space
      }.joined(separator: "  ")
      return line == 0 ? text : Text.trimmed(text)
    }
  }
}
