import MerchantKeys
import PaymentToken

extension DistinguishedName {
  /// Whether an attribute shows Apple's name to a reader, in its own letters or in letters that look like them.
  ///
  /// Confusable letters are folded as in the skeletons of Unicode Technical Standard 39, for the letters of this name.
  var bearsNameOfApple: Bool {
    texts.contains { text in
      Self.skeleton(text).split { !$0.isLetter }.contains { Self.names.contains(String($0)) }
    }
  }

  /// The first one to three words in the names of Apple's authorities, joined, and folded by `skeleton`.
  private static let names: Set<String> = [
    "apple", "appleca", "appleinc", "applelnc", "applepay", "appleroot", "applerootca", "appleapplication",
    "appleworldwide",
  ]

  private static func skeleton(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !isInvisible(scalar) {
      folded.append(lookalikes[scalar] ?? halfWidth(scalar))
    }
    return String(folded).streamSafe.lowercased()
  }

  /// Whether a scalar is skipped: invisible ones, combining marks, and controls such as the zeros of UTF-16 text.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return scalar.properties.isDefaultIgnorableCodePoint
      || [.nonspacingMark, .spacingMark, .enclosingMark, .control].contains(category)
  }

  /// The ASCII character of a fullwidth form (U+FF01 to U+FF5E); any other scalar is returned unchanged.
  private static func halfWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }

  /// Cyrillic, Greek and other characters that look like the letters of the name.
  private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{0430}": "a", "\u{0410}": "a", "\u{03B1}": "a", "\u{0391}": "a", "\u{0251}": "a",
    "\u{0440}": "p", "\u{0420}": "p", "\u{03C1}": "p", "\u{03A1}": "p",
    "\u{04CF}": "l", "\u{04C0}": "l", "\u{0406}": "l", "\u{0399}": "l", "\u{01C0}": "l", "I": "l", "1": "l", "|": "l",
    "\u{0435}": "e", "\u{0415}": "e", "\u{0395}": "e", "\u{212E}": "e",
  ]
}
