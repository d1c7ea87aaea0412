/// One value as it was read: its tag, its contents bytes and the whole encoding.
package struct DERElement: Hashable, Sendable {
  /// The identifier byte.
  package let tag: DERTag
  /// The contents bytes, without identifier and length.
  package let contents: ArraySlice<UInt8>
  /// Identifier, length and contents bytes.
  package let encoded: ArraySlice<UInt8>

  /// A value from its parts, unchecked.
  package init(tag: DERTag, contents: ArraySlice<UInt8>, encoded: ArraySlice<UInt8>) {
    self.tag = tag
    self.contents = contents
    self.encoded = encoded
  }

  /// A reader of the values inside.
  package var reader: DERReader { DERReader(contents) }

  /// Calls `body` with a reader of the values inside; `body` has to read all of them.
  ///
  /// - Throws: what `body` throws, and `DERError.trailingData` when it leaves something.
  package func readAll<Result>(_ body: (inout DERReader) throws(DERError) -> Result) throws(DERError) -> Result {
    var inside = reader
    let result = try body(&inside)
    try inside.finish()
    return result
  }

  /// The bytes of a BIT STRING that has no unused bits.
  ///
  /// - Throws: `DERError.unexpectedValue` for any other tag and when bits are unused.
  package func wholeBitString() throws(DERError) -> ArraySlice<UInt8> {
    guard tag == .bitString, contents.first == 0 else { throw .unexpectedValue }
    return contents.dropFirst()
  }

  /// The value of a BOOLEAN (its contents are canonical once read).
  package var isTrue: Bool { contents.first == 0xFF }
}

/// Why bytes are not the DER that was asked for.
package enum DERError: Error, Hashable, Sendable {
  /// The bytes end within a value.
  case truncated
  /// A tag number of 31 or more, universal 0, or a universal type in the wrong form (rules 5.1, 5.4).
  case badTag
  /// An indefinite length, one that is not in its shortest form, or one of more than four bytes (rule 5.3).
  case badLength
  /// Contents that are not canonical for their universal type (rule 5.5).
  case badContents
  /// Too many constructed values within one another (rule 5.1).
  case tooDeep
  /// Well encoded, but not the type or value expected here.
  case unexpectedValue
  /// Values follow where none may.
  case trailingData
}
