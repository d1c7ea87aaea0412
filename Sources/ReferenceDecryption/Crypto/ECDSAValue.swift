/// The strict form of an ECDSA signature value (rule 8.3).
package enum ECDSAValue {
  /// Whether `value` is exactly a DER SEQUENCE of two INTEGERs, each within 1...`order`-1. OpenSSL would take more.
  package static func isWellFormed(_ value: [UInt8], order: [UInt8]) -> Bool {
    guard let sequence = try? BERValue(strict: value), sequence.identifier == BERValue.sequenceTag,
      sequence.children.count == 2
    else { return false }
    return sequence.children.allSatisfy { integer in
      integer.identifier == BERValue.integerTag && isWithin(integer.contents, order: order)
    }
  }

  /// Whether a canonical INTEGER is positive and below `order`.
  private static func isWithin(_ contents: ArraySlice<UInt8>, order: [UInt8]) -> Bool {
    guard let first = contents.first, first < 0x80 else { return false }
    let magnitude = contents.drop { $0 == 0 }
    guard !magnitude.isEmpty, magnitude.count <= order.count else { return false }
    let padded = Array(repeating: 0, count: order.count - magnitude.count) + magnitude
    return padded.lexicographicallyPrecedes(order)
  }
}
