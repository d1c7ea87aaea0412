import MerchantKeys

/// A Name (RFC 5280 section 4.1.2.4) in words. The text comes from whoever made the certificate: it may hold anything.
struct DistinguishedName {
  private let attributes: [(label: String, value: String)]

  /// Reads the whole TLV; what cannot be read is left out.
  init(_ name: [UInt8]) {
    var attributes: [(String, String)] = []
    if var sets = try? DERReader.single(name[...]).reader {
      while let set = try? sets.read() {
        var inside = set.reader
        while let attribute = try? inside.read() {
          var parts = attribute.reader
          guard let oid = try? parts.read(), let value = try? parts.read() else { continue }
          let label = DistinguishedName.labels.first { $0.oid == Array(oid.contents) }?.label ?? "?"
          attributes.append((label, String(decoding: value.contents, as: UTF8.self)))
        }
      }
    }
    self.attributes = attributes
  }

  /// The first CN; nil when there is none.
  var commonName: String? { attributes.first { $0.label == "CN" }?.value }

  /// The first UID, where Apple puts the merchant ID; nil when there is none.
  var userID: String? { attributes.first { $0.label == "UID" }?.value }

  /// The CN, or all attributes when there is none; never empty.
  var text: String {
    if let commonName { return commonName }
    return attributes.isEmpty ? "(no name)" : attributes.map { "\($0.label)=\($0.value)" }.joined(separator: ", ")
  }

  /// Contents bytes of the types under 2.5.4 and of 0.9.2342.19200300.100.1.1 (RFC 4519).
  private static let labels: [(oid: [UInt8], label: String)] = [
    ([0x55, 0x04, 0x03], "CN"), ([0x55, 0x04, 0x06], "C"), ([0x55, 0x04, 0x0A], "O"), ([0x55, 0x04, 0x0B], "OU"),
    ([0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x01], "UID"),
  ]
}
