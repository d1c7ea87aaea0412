import StrictJSON
import TestCases

/// Pieces of JSON text at the edges of the grammar, valid and invalid.
package enum JSONTextEdits {
  /// Bytes to insert into strings: forbidden ones, and unusual ones that are allowed.
  package static let insideStrings: [[UInt8]] =
    [
      [0x00], [0x1F], [0x0A], [0x7F], [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x80], [0xC2, 0x22],
      [0xDF, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xEE, 0x80, 0x80], [0xE2, 0x82], [0xEF, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF0, 0x9F, 0x98],
    ]
    + [
      "\\", "\\a", "\\'", "\\0", "\\x41", "\\u", "\\u12", "\\u12G4", "\\U0041", "\\u+041", "\\u 041", "\\u00",
      "\\u0000",
      "\\uD800", "\\uDBFF\\u0041", "\\uDC00", "\\uD800\\uD800", "\\uD83D\\n", "\\uD83D \\uDE00", "\\uD83D\\uDE0",
      "\\uDE00\\uD83D", "\\uD83D\\uDE00", "\\uDBFF\\uDFFF", "\\uDBFF\\uE000", "\\uD7FF", "\\uE000", "\\uFFFF", "\"",
      "\\b\\f\\n\\r\\t\\/\\\\\\\"",
    ].map { Array($0.utf8) }

  /// Invalid values, and valid ones that resemble them.
  static let values: [[UInt8]] = [
    "01", "-", "-0", "+1", ".5", "1.", "1.e1", "1e", "1e+", "1e1.5", "--1", "0x1", "NaN", "Infinity", "1_0", "00",
    "-01", "1E", "1ee1", "1e-", "-.1", "tru", "True", "nul", "nulll", "truefalse", "undefined", "'a'", "null", "true",
    "false", "0", "1", "{}", "[]", "\"\"", "[0]", "{\"a\":0}", "[,]", "[1,]", "{,}", "{\"a\":}", "{\"a\"}",
    "{\"a\":1,}",
    "{\"a\":1,\"a\":2}", "[1 2]", "1e400", "-1e-400", "\"\\u0000\"", "[[]]", "{\"\":{}}", "\"a", "",
  ].map { Array($0.utf8) }

  /// White space, and what parsers may mistake for it.
  static let spaces: [[UInt8]] = [
    [0x20], [0x09], [0x0A], [0x0D], [0x0B], [0x0C], [0xC2, 0xA0], [0x00], [0xEF, 0xBB, 0xBF], Array("//\n".utf8),
    Array("/**/".utf8), [0x20, 0x09, 0x0A, 0x0D], [0x85], [0x1A],
  ]

  /// Nests exactly `depth` containers.
  static func nested(_ depth: Int, using random: inout QuickGenerator) -> JSONPiece {
    var piece: JSONPiece = random.chance(2) ? .array([]) : .object([])
    for _ in 1..<max(1, depth) { piece = random.chance(2) ? .array([piece]) : .object([.init("a", piece)]) }
    return piece
  }

  /// Returns a string of the same content with some characters escaped. Existing escapes stay.
  package static func escaped(_ text: [UInt8], oneIn rate: Int, using random: inout QuickGenerator) -> [UInt8] {
    JSONPiece.respelled(text) { random.chance(rate) ? escape(of: $0, using: &random) : nil }
  }

  static func escape(of scalar: Unicode.Scalar, using random: inout QuickGenerator) -> [UInt8] {
    if scalar == "/", random.chance(2) { return Array("\\/".utf8) }
    return String(Character(scalar)).utf16.flatMap { unit in
      let escape = JSONText.escape(unit)
      return escape.prefix(2) + escape.dropFirst(2).map { random.chance(2) && $0 > 0x60 ? $0 - 0x20 : $0 }
    }
  }
}
