/// The identifier octet of an ASN.1 value with a tag number below 31 (X.690 section 8.1.2).
package struct DERTag: Hashable, Sendable {
  /// The identifier octet itself.
  package let octet: UInt8

  /// The tag with this identifier octet.
  package init(octet: UInt8) {
    self.octet = octet
  }

  /// BOOLEAN
  package static let boolean = DERTag(octet: 0x01)
  /// INTEGER
  package static let integer = DERTag(octet: 0x02)
  /// BIT STRING
  package static let bitString = DERTag(octet: 0x03)
  /// OCTET STRING
  package static let octetString = DERTag(octet: 0x04)
  /// NULL
  package static let null = DERTag(octet: 0x05)
  /// OBJECT IDENTIFIER
  package static let objectIdentifier = DERTag(octet: 0x06)
  /// UTF8String
  package static let utf8String = DERTag(octet: 0x0C)
  /// UTCTime
  package static let utcTime = DERTag(octet: 0x17)
  /// GeneralizedTime
  package static let generalizedTime = DERTag(octet: 0x18)
  /// SEQUENCE and SEQUENCE OF
  package static let sequence = DERTag(octet: 0x30)
  /// SET and SET OF
  package static let set = DERTag(octet: 0x31)

  /// The constructed context-specific tag `[number]`, 0...30.
  package static func constructedContext(_ number: UInt8) -> DERTag { DERTag(octet: 0xA0 | number) }

  /// The primitive context-specific tag `[number]`, 0...30.
  package static func primitiveContext(_ number: UInt8) -> DERTag { DERTag(octet: 0x80 | number) }

  /// Whether the contents are themselves values.
  package var isConstructed: Bool { octet & 0x20 != 0 }

  /// Whether the class is universal.
  package var isUniversal: Bool { octet & 0xC0 == 0 }

  /// The tag number; 31 announces a longer one, which no reader here accepts.
  package var number: UInt8 { octet & 0x1F }

  /// Rules 5.1 and 5.4: a number below 31; universal SEQUENCE and SET constructed, every other universal type
  /// primitive, universal 0 nowhere.
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
