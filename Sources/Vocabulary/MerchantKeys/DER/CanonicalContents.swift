extension DERElement {
  /// Whether the contents are in the canonical form of their universal type (rule 5.5).
  package var hasCanonicalContents: Bool {
    switch tag {
    case .boolean: contents.count == 1 && (contents.first == 0 || contents.first == 0xFF)
    case .integer: DERElement.isCanonicalInteger(contents)
    case .bitString: DERElement.isCanonicalBitString(contents)
    case .null: contents.isEmpty
    case .objectIdentifier: DERElement.isCanonicalObjectIdentifier(contents)
    default: true
    }
  }

  /// At least one byte, and the first nine bits are not all equal (X.690 section 8.3.2).
  private static func isCanonicalInteger(_ contents: ArraySlice<UInt8>) -> Bool {
    guard let first = contents.first else { return false }
    guard let second = contents.dropFirst().first else { return true }
    let isNegative = second & 0x80 != 0
    return first != (isNegative ? 0xFF : 0)
  }

  /// The number of unused bits (0...7; 0 if no bytes follow), then bytes whose unused bits are zero (X.690 11.2).
  private static func isCanonicalBitString(_ contents: ArraySlice<UInt8>) -> Bool {
    guard let unused = contents.first, unused <= 7 else { return false }
    guard contents.count > 1, let last = contents.last else { return unused == 0 }
    return last & ((1 << unused) - 1) == 0
  }

  /// At least one subidentifier, each in its fewest bytes and complete (X.690 section 8.19.2).
  private static func isCanonicalObjectIdentifier(_ contents: ArraySlice<UInt8>) -> Bool {
    guard let last = contents.last, last < 0x80 else { return false }
    var beginsSubidentifier = true
    for byte in contents {
      if beginsSubidentifier && byte == 0x80 { return false }
      beginsSubidentifier = byte < 0x80
    }
    return true
  }
}
