import PaymentToken

/// The attributes of a Name (RFC 5280 section 4.1.2.4). The maker of a certificate chooses the text: it may contain
/// anything.
package struct DistinguishedName {
  private let name: [UInt8]
  private let attributes: [(oid: [UInt8], tag: DERTag, value: String)]

  /// Reads a Name, the whole TLV. Attributes that cannot be read are left out.
  package init(_ name: [UInt8]) {
    var attributes: [([UInt8], DERTag, String)] = []
    if var sets = try? DERReader.single(name[...]).reader {
      while let set = try? sets.read() {
        var inside = set.reader
        while let attribute = try? inside.read() {
          var parts = attribute.reader
          guard let oid = try? parts.read(), let value = try? parts.read() else { continue }
          attributes.append((Array(oid.contents), value.tag, String(streamSafe: value.contents)))
        }
      }
    }
    self.name = name
    self.attributes = attributes
  }

  /// The text of the first attribute with this OID (contents bytes, see `ObjectIdentifiers`); nil when there is none.
  package func firstText(_ oid: [UInt8]) -> String? { attributes.first { $0.oid == oid }?.value }

  /// The values of all attributes.
  package var texts: [String] { attributes.map(\.value) }

  /// The common name; nil when there is none.
  package var commonName: String? { firstText(ObjectIdentifiers.commonName) }

  /// The common name, or all attributes when there is none; never empty.
  package var text: String {
    if let commonName { return commonName }
    let texts = attributes.map { "\(DistinguishedName.label($0.oid) ?? "?")=\($0.value)" }
    return texts.isEmpty ? "(no name)" : texts.joined(separator: ", ")
  }

  /// How this name differs from another one whose ``text`` looks the same: `O is A, and in the leaf B`. Nil if the
  /// texts differ in more than white space and Unicode form, or if the names are equal.
  ///
  /// - Parameter place: where the other name is.
  package func difference(from other: DistinguishedName, in place: String) -> String? {
    guard Self.looks(text, like: other.text), name != other.name else { return nil }
    guard attributes.map(\.oid) == other.attributes.map(\.oid) else {
      return "the types or the order of its attributes are not those in \(place)"
    }
    for (own, another) in zip(attributes, other.attributes) {
      let label = DistinguishedName.label(own.oid) ?? "an attribute"
      if Self.looks(own.value, like: another.value), !own.value.utf8.elementsEqual(another.value.utf8) {
        return "the bytes of \(label) are not those in \(place), which differ in white space or the form of Unicode"
      }
      if own.value != another.value { return "\(label) is \(own.value), and in \(place) \(another.value)" }
      guard own.tag == another.tag else {
        let (type, otherType) = (DistinguishedName.words(own.tag), DistinguishedName.words(another.tag))
        return "\(label) is \(type), and in \(place) \(otherType)"
      }
    }
    return "the sets of its attributes are not those in \(place)"
  }

  /// Whether the texts are equal apart from white space and Unicode normalization, which Swift's `==` ignores.
  private static func looks(_ text: String, like other: String) -> Bool {
    text.split(whereSeparator: \.isWhitespace) == other.split(whereSeparator: \.isWhitespace)
  }

  private static func words(_ tag: DERTag) -> String {
    let names: [UInt8: String] = [
      12: "a UTF8String", 19: "a PrintableString", 20: "a TeletexString", 22: "an IA5String", 28: "a UniversalString",
      30: "a BMPString",
    ]
    return names[tag.number] ?? "of another type"
  }

  private static func label(_ oid: [UInt8]) -> String? { labels.first { $0.oid == oid }?.label }

  /// The usual labels of the types under 2.5.4 and of userId (RFC 4519).
  private static let labels: [(oid: [UInt8], label: String)] = [
    ([0x55, 0x04, 0x06], "C"), ([0x55, 0x04, 0x0A], "O"), ([0x55, 0x04, 0x0B], "OU"), (ObjectIdentifiers.userID, "UID"),
    (ObjectIdentifiers.commonName, "CN"),
  ]
}
