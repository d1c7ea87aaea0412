import PaymentToken

/// The attributes of a Name (RFC 5280 section 4.1.2.4). The maker of a certificate chooses the text: it may contain
/// anything.
package struct DistinguishedName {
  private let attributes: [(oid: [UInt8], value: String)]

  /// Reads a Name, the whole TLV. Attributes that cannot be read are left out.
  package init(_ name: [UInt8]) {
    var attributes: [([UInt8], String)] = []
    if var sets = try? DERReader.single(name[...]).reader {
      while let set = try? sets.read() {
        var inside = set.reader
        while let attribute = try? inside.read() {
          var parts = attribute.reader
          guard let oid = try? parts.read(), let value = try? parts.read() else { continue }
          attributes.append((Array(oid.contents), String(streamSafe: value.contents)))
        }
      }
    }
    self.attributes = attributes
  }

  /// The text of the first attribute of a type (contents bytes, see ``ObjectIdentifiers``); nil when there is none.
  package func firstText(_ oid: [UInt8]) -> String? { attributes.first { $0.oid == oid }?.value }

  /// The values of all attributes.
  package var texts: [String] { attributes.map(\.value) }

  /// The common name; nil when there is none.
  package var commonName: String? { firstText(ObjectIdentifiers.commonName) }

  /// The common name, or all attributes when there is none; never empty.
  package var text: String {
    if let commonName { return commonName }
    let texts = attributes.map { attribute in
      "\(DistinguishedName.labels.first { $0.oid == attribute.oid }?.label ?? "?")=\(attribute.value)"
    }
    return texts.isEmpty ? "(no name)" : texts.joined(separator: ", ")
  }

  /// The usual labels of the types under 2.5.4 and of userId (RFC 4519).
  private static let labels: [(oid: [UInt8], label: String)] = [
    ([0x55, 0x04, 0x06], "C"), ([0x55, 0x04, 0x0A], "O"), ([0x55, 0x04, 0x0B], "OU"), (ObjectIdentifiers.userID, "UID"),
  ]
}
