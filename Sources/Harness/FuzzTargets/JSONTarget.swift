import PaymentToken
import ReferenceDecryption
import StrictJSON
import TokenScanning

/// The fast engine's scanner against the reference's reader: they must accept the same documents with equal content.
extension FuzzTargets {
  public static func json(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let input = bytes(data, size)
    let fast = JSONReaders.scanned(input.span)
    let reference = try? JSONDocument(WipedBytes(input.span))
    defer { reference?.wipe() }
    requireAgreement("json", fast, reference) { JSONReaders.areSame($0, $1.members, in: input.span) }
    return 0
  }
}

/// Both engines' readers of JSON, and the comparison of what they read.
package enum JSONReaders {
  package typealias Tree = JSONTree<JSONString>

  /// The members of a document as the scanner finds them; nil if it is malformed or no object.
  package static func scanned(_ text: Span<UInt8>) -> [Tree.Member]? {
    do {
      var scanner = JSONScanner(text)
      scanner.skipWhitespace()
      let tree = try Tree(&scanner, depth: 0, JSONLimits(namesRepeat: true))
      try scanner.expectEnd()
      // The scanner's other code path must accept the document too.
      var skipping = JSONScanner(text)
      skipping.skipWhitespace()
      try skipping.skipValue(depth: 0)
      try skipping.expectEnd()
      guard case .object(let members) = tree else { return nil }
      return members
    } catch {
      return nil
    }
  }

  /// Whether the reference reads a text as a document.
  static func isDocument(_ text: [UInt8]) -> Bool {
    guard let document = try? JSONDocument(WipedBytes(text.span)) else { return false }
    document.wipe()
    return true
  }

  /// Whether both have the same structure, names, strings and numbers. The values of Booleans are not compared.
  ///
  /// - Parameter text: what the scanner read.
  package static func areSame(_ fast: [Tree.Member], _ reference: [JSONMember], in text: Span<UInt8>) -> Bool {
    fast.count == reference.count
      && zip(fast, reference).allSatisfy { one, other in
        one.name.bytes(in: text).elementsEqual(other.name) && areSame(one.value, other.value, in: text)
      }
  }

  private static func areSame(_ fast: Tree, _ reference: ReferenceDecryption.JSONValue, in text: Span<UInt8>) -> Bool {
    switch (fast, reference.kind) {
    case (.object(let members), .object(let others)): areSame(members, others, in: text)
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy { areSame($0, $1, in: text) }
    case (.string(let string), .string(let other)): string.bytes(in: text).elementsEqual(other)
    case (.number(let digits), .number): digits.bytes(in: text).elementsEqual(reference.text)
    case (.boolean, .boolean), (.null, .null): true
    default: false
    }
  }
}
