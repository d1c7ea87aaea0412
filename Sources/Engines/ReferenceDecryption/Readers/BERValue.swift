import MerchantKeys

/// The bytes are not BER as Apple's signatures use it (rules 5.1 to 5.5).
package struct MalformedBER: Error {
  /// The broken rule, such as `5.5`.
  package let rule: String
  /// The offset in bytes of the value that breaks it, or, for a malformed length (5.2), of a byte of that length.
  let offset: Int
}

/// One ASN.1 value and the values inside it (ITU-T X.690).
package struct BERValue {
  /// The identifier byte: class, constructed or primitive, tag number.
  package let tag: DERTag
  /// Identifier, length and contents, and the end-of-contents bytes of an indefinite length.
  package let encoding: ArraySlice<UInt8>
  /// The contents bytes alone.
  package let contents: ArraySlice<UInt8>
  /// The values inside a constructed value; empty for a primitive one.
  package let children: [BERValue]
  /// 5.3: the length of this value and of all values inside it is definite and in its shortest form.
  package let isDefiniteAndShortest: Bool

  /// The same value as a `DERElement`, for the rules that `MerchantKeys` checks.
  var element: DERElement { DERElement(tag: tag, contents: contents, encoded: encoding) }
}

extension BERValue {
  /// Reads one value by rules 5.1, 5.4 and 5.5. Every length may have the forms of 5.2. Nothing may follow the value.
  ///
  /// - Throws: `MalformedBER`.
  package init(_ bytes: some Sequence<UInt8>) throws(MalformedBER) {
    var reader = BERReader(bytes: Array(bytes))
    self = try reader.value(before: reader.bytes.count, depth: 1)
    guard reader.position == reader.bytes.count else { throw MalformedBER(rule: "5.1", offset: reader.position) }
  }

  /// Reads one value whose lengths all keep rule 5.3.
  ///
  /// - Throws: `MalformedBER`.
  package init(strict bytes: some Sequence<UInt8>) throws(MalformedBER) {
    try self.init(bytes)
    guard isDefiniteAndShortest else { throw MalformedBER(rule: "5.3", offset: offsetOfLooseLength) }
  }
}

extension BERValue {
  /// The offset of the first innermost value that breaks rule 5.3, inside this one or this one itself.
  var offsetOfLooseLength: Int {
    children.first { !$0.isDefiniteAndShortest }?.offsetOfLooseLength ?? encoding.startIndex
  }
}

/// A recursive descent parser, at most 16 constructed values deep.
private struct BERReader {
  let bytes: [UInt8]
  var position = 0

  private static let maximumDepth = 16

  /// Reads a value that ends at or before `end`. `depth` is its nesting depth if it is constructed (5.1).
  mutating func value(before end: Int, depth: Int) throws(MalformedBER) -> BERValue {
    let start = position
    func breaks(_ rule: String) -> MalformedBER { MalformedBER(rule: rule, offset: start) }
    let tag = DERTag(byte: try byte(before: end))
    // 5.1 and 5.4
    guard tag.isAllowed else { throw breaks(tag.number == 31 ? "5.1" : "5.4") }
    guard !tag.isConstructed || depth <= BERReader.maximumDepth else { throw breaks("5.1") }
    let (length, isShortest) = try readLength(before: end)
    guard let length else {
      guard tag.isConstructed else { throw breaks("5.3") }
      return try indefinite(tag, from: start, before: end, depth: depth)
    }
    guard length <= end - position else { throw breaks("5.2") }
    let contents = bytes[position..<position + length]
    var children: [BERValue] = []
    if tag.isConstructed {
      while position < contents.endIndex {
        children.append(try value(before: contents.endIndex, depth: depth + 1))
      }
    } else {
      position = contents.endIndex
    }
    let value = BERValue(
      tag: tag, encoding: bytes[start..<position], contents: contents, children: children,
      isDefiniteAndShortest: isShortest && children.allSatisfy(\.isDefiniteAndShortest))
    // 5.5
    guard value.element.hasCanonicalContents else { throw breaks("5.5") }
    return value
  }

  /// 5.2: reads values up to the end-of-contents bytes 00 00.
  private mutating func indefinite(
    _ tag: DERTag, from start: Int, before end: Int, depth: Int
  ) throws(MalformedBER) -> BERValue {
    let contentsStart = position
    var children: [BERValue] = []
    while !bytes[position..<end].starts(with: [0x00, 0x00]) {
      children.append(try value(before: end, depth: depth + 1))
    }
    let contents = bytes[contentsStart..<position]
    position += 2
    return BERValue(
      tag: tag, encoding: bytes[start..<position], contents: contents, children: children,
      isDefiniteAndShortest: false)
  }

  private mutating func byte(before end: Int) throws(MalformedBER) -> UInt8 {
    guard position < end else { throw MalformedBER(rule: "5.2", offset: position) }
    defer { position += 1 }
    return bytes[position]
  }

  /// 5.2: nil for the indefinite form; at most four length bytes.
  private mutating func readLength(before end: Int) throws(MalformedBER) -> (length: Int?, isShortest: Bool) {
    let first = try byte(before: end)
    if first < 0x80 { return (Int(first), true) }
    if first == 0x80 { return (nil, false) }
    let count = Int(first & 0x7F)
    guard count <= 4 else { throw MalformedBER(rule: "5.2", offset: position - 1) }
    var length = 0
    for _ in 0..<count { length = length << 8 | Int(try byte(before: end)) }
    let fewestBytes = (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    return (length, length >= 0x80 && count == fewestBytes)
  }
}
