import MerchantKeys

extension DistinguishedName {
  /// Whether an attribute shows the name of Apple to a reader, also in letters that only look like it.
  ///
  /// Confusable letters are folded as in the skeletons of Unicode Technical Standard 39, for the letters of this name.
  var bearsNameOfApple: Bool {
    texts.contains { text in
      Self.skeleton(text).split { !$0.isLetter }.contains { Self.names.contains(String($0)) }
    }
  }

  /// The words that Apple's names of authorities begin with, also where no space follows.
  private static let names: Set<String> = [
    "apple", "appleca", "appleinc", "applelnc", "applepay", "appleroot", "applerootca", "appleapplication",
    "appleworldwide",
  ]

  private static func skeleton(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !isInvisible(scalar) {
      folded.append(lookalikes[scalar] ?? halfWidth(scalar))
    }
    return String(folded).lowercased()
  }

  /// Combining marks too, and the zeros of UTF-16 read as UTF-8, which would keep letters from being compared.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return scalar.properties.isDefaultIgnorableCodePoint || category == .nonspacingMark || category == .control
  }

  /// Fullwidth forms of ASCII, U+FF01 to U+FF5E.
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
