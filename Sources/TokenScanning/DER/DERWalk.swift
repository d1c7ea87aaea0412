extension DERScanner {
  /// Checks everything up to the limit by the rules for strict DER, contents included (5.3-5.5).
  ///
  /// - Parameter depth: the nesting that an element here has when it is constructed.
  package consuming func walk(depth: Int) throws(MalformedDER) {
    while !isAtEnd {
      try walkElement(depth: depth)
    }
  }

  /// Reads one element and checks it with everything inside.
  @discardableResult
  mutating func walkElement(depth: Int) throws(MalformedDER) -> DERElement {
    let element = try element()
    guard element.isConstructed else {
      try checkPrimitive(element)
      return element
    }
    guard depth <= Self.maximumDepth else { throw MalformedDER() }
    let isUniversal = element.tag & 0xC0 == 0
    guard !isUniversal || element.tag == DERTag.sequence || element.tag == DERTag.set else { throw MalformedDER() }
    try inside(element).walk(depth: depth + 1)
    return element
  }

  /// Checks a primitive's contents where its universal type has a canonical form.
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
    guard content.count > 1 else { return unused == 0 }
    return unused <= 7 && input[content.upperBound - 1] & (1 << unused - 1) == 0
  }

  private func isCanonicalObjectIdentifier(_ content: Range<Int>) -> Bool {
    guard let last = content.last, input[last] & 0x80 == 0 else { return false }
    var begins = true
    for index in content {
      if begins, input[index] == 0x80 { return false }
      begins = input[index] & 0x80 == 0
    }
    return true
  }
}
