/// Elements that have only one valid encoding, and contents of object identifiers (RFC 5652, 5754).
enum CMSBytes {
  /// OBJECT IDENTIFIER id-signedData, 1.2.840.113549.1.7.2.
  static var signedData: InlineArray<11, UInt8> {
    [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
  }

  /// OBJECT IDENTIFIER id-data, 1.2.840.113549.1.7.1.
  static var data: InlineArray<11, UInt8> {
    [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
  }

  /// AlgorithmIdentifier SHA-256 (2.16.840.1.101.3.4.2.1) without parameters.
  static var sha256Absent: InlineArray<13, UInt8> {
    [0x30, 0x0B, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
  }

  /// AlgorithmIdentifier SHA-256 with parameters NULL.
  static var sha256Null: InlineArray<15, UInt8> {
    [0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00]
  }

  /// Contents of the object identifier 1.2.840.113549.1.9, the arc of the attribute types (RFC 2985).
  static var attributeTypes: InlineArray<8, UInt8> { [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09] }
}

/// The signed attributes that a payment token may have, by the last byte of their object identifiers.
enum SignedAttribute: UInt8 {
  case contentType = 3
  case messageDigest = 4
  case signingTime = 5
  /// cmsAlgorithmProtection (RFC 6211).
  case algorithmProtection = 52
}
