/// An extension of a certificate (RFC 5280 section 4.2).
package struct CertificateExtension: Hashable, Sendable {
  /// The contents bytes of the object identifier, see `ObjectIdentifiers`.
  package let oid: [UInt8]
  /// Whether the extension is marked critical.
  package let critical: Bool
  /// The contents of the OCTET STRING.
  package let value: [UInt8]

  /// An extension from its parts.
  package init(oid: [UInt8], critical: Bool, value: [UInt8]) {
    self.oid = oid
    self.critical = critical
    self.value = value
  }
}

/// basicConstraints (RFC 5280 section 4.2.1.9).
package struct BasicConstraints: Hashable, Sendable {
  /// cA; false when absent.
  package let isAuthority: Bool
  /// pathLenConstraint, not negative; `Int.max` stands for every greater value.
  package let pathLength: Int?

  /// Constraints from their parts.
  package init(isAuthority: Bool, pathLength: Int?) {
    self.isAuthority = isAuthority
    self.pathLength = pathLength
  }
}

/// keyUsage (RFC 5280 section 4.2.1.3).
package struct KeyUsage: Hashable, Sendable {
  /// The bytes of the BIT STRING after the count of unused bits; bit 0 is the first byte's highest.
  package let bytes: [UInt8]

  /// A usage from the bytes after the count of unused bits.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether a bit is present and set.
  package func contains(bit: Int) -> Bool {
    guard bit >= 0, bit / 8 < bytes.count else { return false }
    return bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
  }

  /// Bit 0: the key may sign data other than certificates.
  package var digitalSignature: Bool { contains(bit: 0) }

  /// Bit 5: the key may sign certificates.
  package var keyCertSign: Bool { contains(bit: 5) }
}
