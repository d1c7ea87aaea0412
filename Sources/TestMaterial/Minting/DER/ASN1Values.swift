import PaymentToken

extension ASN1Node {
  /// Bytes that are already encoded, or deliberately malformed.
  package static func raw(_ bytes: [UInt8]) -> ASN1Node {
    ASN1Node(identifier: [], body: .primitive(bytes))
  }

  /// SEQUENCE or SEQUENCE OF.
  package static func sequence(_ children: [ASN1Node]) -> ASN1Node {
    ASN1Node(identifier: [0x30], body: .constructed(children))
  }

  /// SET or SET OF, in the order given.
  package static func set(_ children: [ASN1Node]) -> ASN1Node {
    ASN1Node(identifier: [0x31], body: .constructed(children))
  }

  /// A constructed value of the context class, tag number below 31.
  package static func context(_ number: UInt8, _ children: [ASN1Node]) -> ASN1Node {
    ASN1Node(identifier: [0xA0 | number], body: .constructed(children))
  }

  /// A primitive value of the context class, tag number below 31.
  package static func contextPrimitive(_ number: UInt8, _ bytes: [UInt8]) -> ASN1Node {
    ASN1Node(identifier: [0x80 | number], body: .primitive(bytes))
  }

  /// A primitive value of one identifier byte.
  package static func primitive(_ identifier: UInt8, _ bytes: [UInt8]) -> ASN1Node {
    ASN1Node(identifier: [identifier], body: .primitive(bytes))
  }

  /// NULL.
  package static let null = primitive(0x05, [])

  /// BOOLEAN, TRUE as FF.
  package static func boolean(_ value: Bool) -> ASN1Node {
    primitive(0x01, [value ? 0xFF : 0x00])
  }

  /// A small non-negative INTEGER.
  package static func integer(_ value: Int) -> ASN1Node {
    unsigned(withUnsafeBytes(of: UInt64(value).bigEndian) { Array($0) })
  }

  /// A non-negative INTEGER from its big-endian magnitude, leading zeros allowed.
  package static func unsigned(_ magnitude: [UInt8]) -> ASN1Node {
    let digits = Array(magnitude.drop { $0 == 0 })
    guard let first = digits.first else { return primitive(0x02, [0]) }
    return primitive(0x02, first >= 0x80 ? [0] + digits : digits)
  }

  /// An OBJECT IDENTIFIER from its arcs.
  package static func oid(_ arcs: [UInt64]) -> ASN1Node {
    var bytes: [UInt8] = []
    for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
      var septets = [UInt8(arc & 0x7F)]
      var rest = arc >> 7
      while rest > 0 {
        septets.append(0x80 | UInt8(rest & 0x7F))
        rest >>= 7
      }
      bytes += septets.reversed()
    }
    return primitive(0x06, bytes)
  }

  /// OCTET STRING, primitive.
  package static func octetString(_ bytes: [UInt8]) -> ASN1Node { primitive(0x04, bytes) }

  /// A BIT STRING of whole bytes, or with unused bits at the end.
  package static func bitString(_ bytes: [UInt8], unusedBits: UInt8 = 0) -> ASN1Node {
    primitive(0x03, [unusedBits] + bytes)
  }

  /// UTF8String.
  package static func utf8String(_ text: String) -> ASN1Node { primitive(0x0C, Array(text.utf8)) }

  /// PrintableString; the alphabet is not checked.
  package static func printableString(_ text: String) -> ASN1Node { primitive(0x13, Array(text.utf8)) }

  /// UTCTime of this text, valid or not.
  package static func utcTime(_ text: String) -> ASN1Node { primitive(0x17, Array(text.utf8)) }

  /// GeneralizedTime of this text, valid or not.
  package static func generalizedTime(_ text: String) -> ASN1Node { primitive(0x18, Array(text.utf8)) }

  /// The form RFC 5280 asks for: UTCTime from 1950 to 2049, GeneralizedTime otherwise.
  package static func time(_ time: UnixTime) -> ASN1Node {
    (1950...2049).contains(time.civil.year) ? utcTime(time.utcTimeText) : generalizedTime(time.generalizedTimeText)
  }
}

extension UnixTime {
  /// `YYYYMMDDhhmmssZ`.
  package var generalizedTimeText: String {
    String(
      decoding: rfc3339.utf8.filter { ![UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "T")].contains($0) },
      as: UTF8.self)
  }

  /// `YYMMDDhhmmssZ`.
  package var utcTimeText: String { String(generalizedTimeText.dropFirst(2)) }

  /// The time this many seconds later, or earlier when negative.
  package func advanced(by seconds: Int64) -> UnixTime {
    UnixTime(secondsSinceEpoch: secondsSinceEpoch &+ seconds)
  }
}
