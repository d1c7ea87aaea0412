package import CPKCS11

/// Attributes of an object that is looked for or made.
package struct AttributeTemplate {
  private var entries: [(type: CK_ULONG, octets: [UInt8])] = []

  /// A template without attributes.
  package init() {}

  /// Adds an attribute of octets.
  package mutating func add(_ type: CK_ULONG, octets: [UInt8]) { entries.append((type, octets)) }

  /// Adds an attribute that is a CK_ULONG.
  package mutating func add(_ type: CK_ULONG, number: CK_ULONG) {
    add(type, octets: withUnsafeBytes(of: number) { Array($0) })
  }

  /// Adds an attribute that is a CK_BBOOL.
  package mutating func add(_ type: CK_ULONG, flag: Bool) { add(type, octets: [flag ? 1 : 0]) }

  /// Calls `body` with the attributes as the module wants them and their number; it changes none.
  package func withAttributes<Result>(_ body: (UnsafeMutablePointer<CK_ATTRIBUTE>?, CK_ULONG) -> Result) -> Result {
    var values = entries.flatMap(\.octets)
    return values.withUnsafeMutableBytes { storage in
      var offset = 0
      var attributes: [CK_ATTRIBUTE] = []
      for entry in entries {
        let start = storage.baseAddress.map { $0 + offset }
        attributes.append(CK_ATTRIBUTE(type: entry.type, pValue: start, ulValueLen: CK_ULONG(entry.octets.count)))
        offset += entry.octets.count
      }
      return attributes.withUnsafeMutableBufferPointer { body($0.baseAddress, CK_ULONG($0.count)) }
    }
  }
}
