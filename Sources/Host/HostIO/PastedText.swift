import Reports

/// Arguments that hold a token or a key instead of naming its file, as in `assay decrypt "$(cat token.json)"`. Messages
/// never repeat them: shells' histories and logs are read by others.
///
/// Base64 is distinguished from words by how often its characters change between capital, small letter and digit: two
/// in three neighbours differ in base64, and one in three in names written in camel case.
package enum PastedText {
  /// Whether an argument looks like the content of a file rather than its name.
  package static func isContent(_ argument: String) -> Bool {
    let text = argument.drop { $0.isWhitespace }
    if text.contains(where: \.isNewline) || ["{", "[", "\"", "%7B", "-----BEGIN"].contains(where: text.hasPrefix) {
      return true
    }
    // Line ends as JSON and logs write them.
    let lines = ["\\n", "\\r", "\\t"].reduce(String(text)) { $0.replacing($1, with: " ") }
    let bytes = Array(lines.utf8)[...]
    return hasBase64(bytes) || (isEncoded(bytes) && !FileWriter.exists(argument))
  }

  /// An argument for a message: as given, or its size if it looks like content.
  package static func shown(_ argument: String) -> String {
    isContent(argument) ? size(argument.utf8) : Text.harmless(argument)
  }

  private static func size(_ content: some Collection<UInt8>) -> String {
    "(\(content.count) bytes that look like a token or a key)"
  }

  /// A message without what arguments hold of tokens and keys, whole or in part, and without their control characters.
  /// So the code that writes a message need not check it.
  package static func redacted(_ message: String, arguments: some Sequence<String>) -> String {
    let values = arguments.map(value)
    // A message may repeat one side of `FILE=ID`.
    let sides = values.filter(isContent).flatMap { $0.split(separator: "=", maxSplits: 3).map(String.init) }.filter(
      isContent)
    let foreign = (values + sides).filter { !$0.isEmpty && $0 != shown($0) }
    // The longest first: one may be a part of another.
    let whole = foreign.sorted { $0.utf8.count > $1.utf8.count }.reduce(message) { message, argument in
      [argument, Text.harmless(argument)].reduce(message) { replacing($1, in: $0, by: shown(argument)) }
    }
    let contents = foreign.filter(isContent)
    return contents.isEmpty ? whole : withoutParts(of: contents, in: whole)
  }

  /// The value of an argument `--name=value`; other arguments as they are.
  private static func value(_ argument: String) -> String {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "="), !isContent(String(argument[..<equals]))
    else { return argument }
    return String(argument[argument.index(after: equals)...])
  }

  /// The message without words of base64 and hexadecimal that have a long run in common with `contents`.
  private static func withoutParts(of contents: [String], in message: String) -> String {
    let wanted = Set(words(of: message).filter(isOfBase64).flatMap(runs))
    if wanted.isEmpty { return message }
    var found: Set<ArraySlice<UInt8>> = []
    for content in contents {
      for run in runs(of: Array(content.utf8)[...]) where wanted.contains(run) { found.insert(run) }
    }
    let parts = words(of: message).map { word in
      isOfBase64(word) && runs(of: word).contains(where: found.contains) ? Array(size(word).utf8)[...] : word
    }
    return String(decoding: parts.joined(), as: UTF8.self)
  }

  /// Splits a text into pieces of base64 characters only and of other characters only.
  private static func words(of text: String) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      words.append(rest.prefix { isOfBase64($0) == isOfBase64(first) })
      rest = rest.dropFirst(words[words.count - 1].count)
    }
    return words
  }

  private static func isOfBase64(_ word: ArraySlice<UInt8>) -> Bool { word.first.map(isOfBase64) ?? false }

  /// All runs of `encodedLength` bytes.
  private static func runs(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    guard text.count >= encodedLength else { return [] }
    return (text.startIndex...text.endIndex - encodedLength).map { text[$0..<$0 + encodedLength] }
  }

  /// Compares bytes, because a part may begin or end within a character of the text. The search is linear.
  private static func replacing(_ part: String, in text: String, by other: String) -> String {
    guard part.utf8.count <= text.utf8.count else { return text }
    return String(decoding: Array(text.utf8).replacing(Array(part.utf8), with: Array(other.utf8)), as: UTF8.self)
  }

  // MARK: Base64 and hexadecimal

  /// Text of this length without a dot is no file name.
  private static let longest = 200
  /// The minimum length of padded base64 that counts as content: that of 28 bytes.
  private static let paddedLength = 40
  /// The number of characters in pieces of base64 that count as content: a private key on P-256 has 43, a name that
  /// mktemp(1) makes 10.
  private static let encodedLength = 24
  /// Shorter pieces of base64 look like words.
  private static let pieceLength = 8
  /// Longer than the hash of a commit.
  private static let hexadecimalLength = 41
  /// The digits of a private key on P-256, if they follow letters: the hash of a commit has fewer.
  private static let scalarDigits = 64
  /// The minimum number of digits of such a key in groups, some of which may lack leading zeros: dates and addresses in
  /// a name have fewer.
  private static let groupedDigits = 56
  /// The length of such a key in base64 without padding.
  private static let scalarLength = 43
  /// The hexadecimal digits of 64 bits.
  private static let longestGroup = 16

  private static func hasBase64(_ text: ArraySlice<UInt8>) -> Bool {
    if text.allSatisfy(isOfBase64) {
      let isPadded = text.last == UInt8(ascii: "=") && text.count.isMultiple(of: 4)
      if text.count >= (isPadded ? paddedLength : longest) { return true }
    }
    let pieces = text.split { kind($0) == .other }
    return pieces.filter(isBase64).reduce(0) { $0 + $1.count } >= encodedLength
  }

  /// Whether a text is digits, base32, base64 of a private key, or base64 in groups of one length. A file may have such
  /// a name as well, so an argument is shown if the file exists.
  private static func isEncoded(_ text: ArraySlice<UInt8>) -> Bool {
    if hasDigits(text) || text.split(whereSeparator: { kind($0) == .other }).contains(where: isBase32) { return true }
    let words = text.split { !isOfBase64($0) || "=%&".utf8.contains($0) }
    if words.contains(where: isScalar) { return true }
    let groups = text.split { $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isWhitespace }
    guard let first = groups.first?.count, let last = groups.last?.count, groups.count > 2, last <= first,
      first <= longestGroup, groups.dropLast().allSatisfy({ $0.count == first })
    else { return false }
    let joined = Array(groups.joined())[...]
    return hasBase64(joined) || isEncoded(joined)
  }

  /// Whether hexadecimal or decimal digits stand in a row, or in groups as programs print numbers: `0x45e6`, `45:e6`,
  /// `\x45\xe6`, `0x45, (byte) 0xe6`, `69, 230`. The groups of a UUID differ in length, and `/` is in paths.
  private static func hasDigits(_ text: ArraySlice<UInt8>) -> Bool {
    var (inRow, prefixed, group, last) = (0, 0, 0, 0)
    var (hasNumber, isPrefixed, isSpaced, isBehindLetter) = (false, false, true, false)
    for byte in text + [0] {
      if Character(Unicode.Scalar(byte)).isHexDigit {
        (group, hasNumber) = (group + 1, hasNumber || kind(byte) == .digit)
        continue
      }
      let isMark = group == 1 && byte | 0x20 == UInt8(ascii: "x")
      if group > 0, !isMark {
        if !isSpaced, group != last || group > longestGroup, max(group, last) > 3 { inRow = 0 }
        (inRow, last, isSpaced) = (inRow + group, group, true)
        if isPrefixed { prefixed += group }
        let isLong = group >= hexadecimalLength && !isBehindLetter
        let limit = isBehindLetter ? scalarDigits : groupedDigits
        if hasNumber, isLong || max(inRow, prefixed) >= limit { return true }
      }
      (group, isPrefixed) = (0, isMark)
      isBehindLetter = kind(byte) != .other && byte | 0x20 != UInt8(ascii: "x")
      // Letters of prefixes and suffixes: `0x45`, `45h`, `0x45UL`.
      if " \t\r\n:,;xhulXHUL".utf8.contains(byte) { continue }
      if kind(byte) == .other, byte != UInt8(ascii: "/") {
        isSpaced = false
      } else {
        (inRow, last, isSpaced) = (0, 0, true)
      }
    }
    return false
  }

  private static func isBase64(_ piece: ArraySlice<UInt8>) -> Bool {
    guard piece.count >= pieceLength else { return false }
    let kinds = piece.map(kind)
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
    return Set(kinds).count == 3 && changes * 5 >= piece.count * 2
  }

  /// A UUID beside another word may be as long, but has four hyphens.
  private static func isScalar(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count == scalarLength, word.count(where: { $0 == UInt8(ascii: "-") }) < 4 else { return false }
    let kinds = word.map(kind)
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 && $0 != .other && $1 != .other }
    return Set(kinds).subtracting([.other]).count == 3 && changes * 3 >= word.count
  }

  /// Whether a piece is letters of one case and many digits: a fifth of base32 is digits, but a name has them in one
  /// place or two. A word with a digest behind it has mostly hexadecimal digits.
  private static func isBase32(_ piece: ArraySlice<UInt8>) -> Bool {
    guard piece.count >= hexadecimalLength else { return false }
    let kinds = piece.map(kind)
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
    return Set(kinds).count == 2 && kinds.contains(.digit) && changes * 10 >= piece.count
      && piece.count { Character(Unicode.Scalar($0)).isHexDigit } * 4 < piece.count * 3
  }

  private enum Kind { case capital, small, digit, other }

  private static func kind(_ byte: UInt8) -> Kind {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .small
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    default: .other
    }
  }

  /// Whether a byte occurs in base64, in its URL alphabet, or in percent-encoded base64 in a URL.
  private static func isOfBase64(_ byte: UInt8) -> Bool { kind(byte) != .other || "+/=-_%&".utf8.contains(byte) }
}
