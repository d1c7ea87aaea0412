/// The bytes are not BER as Apple's signatures use it (rules 5.1-5.5).
package struct MalformedBER: Error {}

/// One ASN.1 value and what it is made of (ITU-T X.690).
package struct BERValue {
  /// The first byte: class, constructed or primitive, tag number.
  package let identifier: UInt8
  /// Identifier, length and contents (and the end-of-contents bytes of an indefinite length).
  package let encoding: ArraySlice<UInt8>
  /// The contents bytes alone.
  package let contents: ArraySlice<UInt8>
  /// The values in a constructed one; none in a primitive one.
  package let children: [BERValue]
  /// 5.3: here and everywhere inside, lengths are definite and in their shortest form.
  package let isDefiniteAndShortest: Bool

  package static let booleanTag: UInt8 = 0x01
  package static let integerTag: UInt8 = 0x02
  package static let bitStringTag: UInt8 = 0x03
  package static let octetStringTag: UInt8 = 0x04
  package static let nullTag: UInt8 = 0x05
  package static let oidTag: UInt8 = 0x06
  package static let utcTimeTag: UInt8 = 0x17
  package static let generalizedTimeTag: UInt8 = 0x18
  package static let sequenceTag: UInt8 = 0x30
  package static let setTag: UInt8 = 0x31

  /// The identifier of a context-specific constructed value.
  package static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }

  /// The identifier of a context-specific primitive value.
  package static func primitiveContext(_ number: UInt8) -> UInt8 { 0x80 | number }
}

extension BERValue {
  /// Reads one value and nothing after it, by rules 5.1, 5.4 and 5.5; lengths as 5.2 allows them for wrappers.
  ///
  /// - Throws: `MalformedBER`.
  package init(_ bytes: some Sequence<UInt8>) throws(MalformedBER) {
    var reader = BERReader(bytes: Array(bytes))
    self = try reader.value(before: reader.bytes.count, depth: 1)
    guard reader.position == reader.bytes.count else { throw MalformedBER() }
  }

  /// The same with all lengths by rule 5.3.
  ///
  /// - Throws: `MalformedBER`.
  package init(strict bytes: some Sequence<UInt8>) throws(MalformedBER) {
    try self.init(bytes)
    guard isDefiniteAndShortest else { throw MalformedBER() }
  }
}

/// A recursive descent, at most 16 constructed values deep.
private struct BERReader {
  let bytes: [UInt8]
  var position = 0

  private static let deepest = 16

  /// One value that ends at or before `end`; `depth` is its own if it is constructed (5.1).
  mutating func value(before end: Int, depth: Int) throws(MalformedBER) -> BERValue {
    let start = position
    let identifier = try byte(before: end)
    try checkIdentifier(identifier)
    let isConstructed = identifier & 0x20 != 0
    guard !isConstructed || depth <= BERReader.deepest else { throw MalformedBER() }
    let (length, isShortest) = try readLength(before: end)
    guard let length else {
      guard isConstructed else { throw MalformedBER() }
      return try indefinite(identifier, from: start, before: end, depth: depth)
    }
    guard length <= end - position else { throw MalformedBER() }
    let contents = bytes[position..<position + length]
    var children: [BERValue] = []
    if isConstructed {
      while position < contents.endIndex {
        children.append(try value(before: contents.endIndex, depth: depth + 1))
      }
    } else {
      try checkContents(contents, of: identifier)
      position = contents.endIndex
    }
    return BERValue(
      identifier: identifier, encoding: bytes[start..<position], contents: contents, children: children,
      isDefiniteAndShortest: isShortest && children.allSatisfy(\.isDefiniteAndShortest))
  }

  /// 5.2: values up to the end-of-contents bytes 00 00.
  private mutating func indefinite(
    _ identifier: UInt8, from start: Int, before end: Int, depth: Int
  ) throws(MalformedBER) -> BERValue {
    let contentsStart = position
    var children: [BERValue] = []
    while !bytes[position..<end].starts(with: [0x00, 0x00]) {
      children.append(try value(before: end, depth: depth + 1))
    }
    let contents = bytes[contentsStart..<position]
    position += 2
    return BERValue(
      identifier: identifier, encoding: bytes[start..<position], contents: contents, children: children,
      isDefiniteAndShortest: false)
  }

  private mutating func byte(before end: Int) throws(MalformedBER) -> UInt8 {
    guard position < end else { throw MalformedBER() }
    defer { position += 1 }
    return bytes[position]
  }

  /// 5.1 and 5.4.
  private func checkIdentifier(_ identifier: UInt8) throws(MalformedBER) {
    let number = identifier & 0x1F
    guard number < 31 else { throw MalformedBER() }
    let isUniversal = identifier & 0xC0 == 0
    guard isUniversal else { return }
    let isConstructed = identifier & 0x20 != 0
    guard number != 0, isConstructed == (number == 16 || number == 17) else { throw MalformedBER() }
  }

  /// 5.2: nil for the indefinite form; at most four length bytes.
  private mutating func readLength(before end: Int) throws(MalformedBER) -> (length: Int?, isShortest: Bool) {
    let first = try byte(before: end)
    if first < 0x80 { return (Int(first), true) }
    if first == 0x80 { return (nil, false) }
    let count = Int(first & 0x7F)
    guard count <= 4 else { throw MalformedBER() }
    var length = 0
    for _ in 0..<count { length = length << 8 | Int(try byte(before: end)) }
    let fewestBytes = (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    return (length, length >= 0x80 && count == fewestBytes)
  }

  /// 5.5.
  private func checkContents(_ contents: ArraySlice<UInt8>, of identifier: UInt8) throws(MalformedBER) {
    let isCanonical =
      switch identifier {
      case BERValue.booleanTag: contents.elementsEqual([0x00]) || contents.elementsEqual([0xFF])
      case BERValue.integerTag: isCanonicalInteger(contents)
      case BERValue.bitStringTag: isCanonicalBitString(contents)
      case BERValue.nullTag: contents.isEmpty
      case BERValue.oidTag: isCanonicalOID(contents)
      default: true
      }
    guard isCanonical else { throw MalformedBER() }
  }

  private func isCanonicalInteger(_ contents: ArraySlice<UInt8>) -> Bool {
    guard let first = contents.first else { return false }
    guard let second = contents.dropFirst().first else { return true }
    return !(first == 0x00 && second < 0x80) && !(first == 0xFF && second >= 0x80)
  }

  private func isCanonicalBitString(_ contents: ArraySlice<UInt8>) -> Bool {
    guard let unused = contents.first, unused <= 7 else { return false }
    guard let last = contents.dropFirst().last else { return unused == 0 }
    return last & ((1 << unused) - 1) == 0
  }

  private func isCanonicalOID(_ contents: ArraySlice<UInt8>) -> Bool {
    guard let last = contents.last, last < 0x80 else { return false }
    var isFirstOfSubidentifier = true
    for byte in contents {
      if isFirstOfSubidentifier && byte == 0x80 { return false }
      isFirstOfSubidentifier = byte < 0x80
    }
    return true
  }
}
