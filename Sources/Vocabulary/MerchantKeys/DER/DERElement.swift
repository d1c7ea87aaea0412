/// An ASN.1 value: its tag, its contents bytes and the whole encoding (X.690).
package struct DERElement: Hashable, Sendable {
  /// The identifier byte.
  package let tag: DERTag
  /// The contents bytes, without identifier and length.
  package let contents: ArraySlice<UInt8>
  /// Identifier, length and contents bytes.
  package let encoded: ArraySlice<UInt8>

  /// A value from its parts, without checks.
  package init(tag: DERTag, contents: ArraySlice<UInt8>, encoded: ArraySlice<UInt8>) {
    self.tag = tag
    self.contents = contents
    self.encoded = encoded
  }

  /// A reader of the values inside this one.
  package var reader: DERReader { DERReader(contents) }

  /// Calls `body` with a reader of the values inside, all of which it must read.
  ///
  /// - Throws: what `body` throws; `DERError.trailingData` if values are left.
  package func readAll<Result>(_ body: (inout DERReader) throws(DERError) -> Result) throws(DERError) -> Result {
    var inside = reader
    let result = try body(&inside)
    try inside.finish()
    return result
  }

  /// The bytes of a BIT STRING that has no unused bits.
  ///
  /// - Throws: `DERError.unexpectedValue` for any other tag, or if bits are unused.
  package func wholeBitString() throws(DERError) -> ArraySlice<UInt8> {
    guard tag == .bitString, contents.first == 0 else { throw .unexpectedValue }
    return contents.dropFirst()
  }

  /// The value of a BOOLEAN, whose contents are canonical once read.
  package var isTrue: Bool { contents.first == 0xFF }
}

/// Why bytes are not the expected DER.
package enum DERError: Error, Hashable, Sendable {
  /// The bytes end within a value.
  case truncated
  /// A tag number of 31 or more, universal 0, or a universal type in the wrong form (rules 5.1, 5.4).
  case badTag
  /// An indefinite length, one that is not in its shortest form, or one of more than four bytes (rule 5.3).
  case badLength
  /// Contents that are not canonical (rule 5.5).
  case badContents
  /// Constructed values are nested too deeply (rule 5.1).
  case tooDeep
  /// Well encoded, but not the expected type or value.
  case unexpectedValue
  /// Other values follow.
  case trailingData
}
