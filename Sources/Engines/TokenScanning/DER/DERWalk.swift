extension DERScanner {
  /// Checks all elements up to the limit, with their contents, by the rules for strict DER (5.3-5.5).
  ///
  /// - Parameter depth: the nesting depth of a constructed element at this level.
  package consuming func walk(depth: Int) throws(MalformedDER) {
    // The ends of the constructed elements around the position, outermost first.
    var ends = InlineArray<17, Int>(repeating: limit)
    var level = 0
    while true {
      while position == ends[level] {
        guard level > 0 else { return }
        level -= 1
      }
      let element = try element(before: ends[level])
      guard element.isConstructed else {
        try checkPrimitive(element)
        continue
      }
      try checkConstructed(element, depth: depth + level)
      level += 1
      ends[level] = element.end
      enter(element)
    }
  }

  /// Reads a SEQUENCE at a nesting depth of at most `maximumDepth` and checks its contents.
  mutating func walkSequence(depth: Int) throws(MalformedDER) -> DERElement {
    let element = try element(DERTag.sequence)
    try inside(element).walk(depth: depth + 1)
    return element
  }

  private func checkConstructed(_ element: DERElement, depth: Int) throws(MalformedDER) {
    guard depth <= Self.maximumDepth else { throw MalformedDER() }
    let isUniversal = element.tag & 0xC0 == 0
    guard !isUniversal || element.tag == DERTag.sequence || element.tag == DERTag.set else { throw MalformedDER() }
  }

  /// Checks the contents of a primitive whose universal type has a canonical form.
  func checkPrimitive(_ element: DERElement) throws(MalformedDER) {
    let content = element.content
    let isCanonical =
      switch element.tag {
      case DERTag.boolean: content.count == 1 && (input[content.lowerBound] == 0 || input[content.lowerBound] == 0xFF)
      case DERTag.integer: isCanonicalInteger(content)
      case DERTag.bitString: isCanonicalBitString(content)
      case DERTag.null: content.isEmpty
      case DERTag.objectIdentifier: isCanonicalObjectIdentifier(content)
      case 0x00, 0x10, 0x11: false
      default: true
      }
    guard isCanonical else { throw MalformedDER() }
  }

  private func isCanonicalInteger(_ content: Range<Int>) -> Bool {
    guard let first = content.first else { return false }
    guard content.count > 1 else { return true }
    let isNegative = input[first + 1] & 0x80 != 0
    return input[first] != (isNegative ? 0xFF : 0x00)
  }

  private func isCanonicalBitString(_ content: Range<Int>) -> Bool {
    guard let first = content.first else { return false }
    let unused = input[first]
    // If no bits follow, the last byte is the number itself, which is below 1 << unused. So only zero passes.
    return unused <= 7 && input[content.upperBound - 1] & (1 << unused - 1) == 0
  }

  private func isCanonicalObjectIdentifier(_ content: Range<Int>) -> Bool {
    // Whether the previous byte ended a number.
    var isEnd = true
    for index in content {
      let byte = input[index]
      if isEnd, byte == 0x80 { return false }
      isEnd = byte & 0x80 == 0
    }
    return isEnd && !content.isEmpty
  }
}
