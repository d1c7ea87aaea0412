/// The identifier byte of an ASN.1 value with a tag number below 31 (X.690 section 8.1.2).
package struct DERTag: Hashable, Sendable {
  /// The identifier byte itself.
  package let byte: UInt8

  /// The tag with this identifier byte.
  package init(byte: UInt8) {
    self.byte = byte
  }

  /// BOOLEAN
  package static let boolean = DERTag(byte: 0x01)
  /// INTEGER
  package static let integer = DERTag(byte: 0x02)
  /// BIT STRING
  package static let bitString = DERTag(byte: 0x03)
  /// OCTET STRING
  package static let octetString = DERTag(byte: 0x04)
  /// NULL
  package static let null = DERTag(byte: 0x05)
  /// OBJECT IDENTIFIER
  package static let objectIdentifier = DERTag(byte: 0x06)
  /// UTF8String
  package static let utf8String = DERTag(byte: 0x0C)
  /// UTCTime
  package static let utcTime = DERTag(byte: 0x17)
  /// GeneralizedTime
  package static let generalizedTime = DERTag(byte: 0x18)
  /// SEQUENCE and SEQUENCE OF
  package static let sequence = DERTag(byte: 0x30)
  /// SET and SET OF
  package static let set = DERTag(byte: 0x31)

  /// The constructed context-specific tag `[number]`, 0...30.
  package static func constructedContext(_ number: UInt8) -> DERTag { DERTag(byte: 0xA0 | number) }

  /// The primitive context-specific tag `[number]`, 0...30.
  package static func primitiveContext(_ number: UInt8) -> DERTag { DERTag(byte: 0x80 | number) }

  /// Whether the contents are themselves values.
  package var isConstructed: Bool { byte & 0x20 != 0 }

  /// Whether the class is universal.
  package var isUniversal: Bool { byte & 0xC0 == 0 }

  /// The tag number. 31 marks a longer form, which is never accepted.
  package var number: UInt8 { byte & 0x1F }

  /// Rules 5.1 and 5.4: the number is below 31; universal SEQUENCE and SET are constructed, other universal types
  /// primitive, and universal 0 is not allowed.
  package var isAllowed: Bool {
    guard number != 31 else { return false }
    guard isUniversal else { return true }
    switch number {
    case 0: return false
    case 16, 17: return isConstructed
    default: return !isConstructed
    }
  }
}
