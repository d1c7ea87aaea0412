/// The contents of object identifiers in certificates (RFC 5280, 5480, 8017; Apple's markers).
enum CertificateBytes {
  /// idECPublicKey, 1.2.840.10045.2.1.
  static var idECPublicKey: InlineArray<7, UInt8> {
    [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  }

  /// prime256v1, 1.2.840.10045.3.1.7.
  static var prime256v1: InlineArray<8, UInt8> {
    [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
  }

  /// secp384r1, 1.3.132.0.34.
  static var secp384r1: InlineArray<5, UInt8> {
    [0x2B, 0x81, 0x04, 0x00, 0x22]
  }

  /// rsaEncryption, 1.2.840.113549.1.1.1.
  static var rsaEncryption: InlineArray<9, UInt8> {
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
  }

  /// ecdsaWithSHA256, 1.2.840.10045.4.3.2.
  static var ecdsaWithSHA256: InlineArray<8, UInt8> {
    [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
  }

  /// ecdsaWithSHA384, 1.2.840.10045.4.3.3.
  static var ecdsaWithSHA384: InlineArray<8, UInt8> {
    [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
  }

  /// sha256WithRSAEncryption, 1.2.840.113549.1.1.11.
  static var sha256WithRSAEncryption: InlineArray<9, UInt8> {
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
  }

  /// sha384WithRSAEncryption, 1.2.840.113549.1.1.12.
  static var sha384WithRSAEncryption: InlineArray<9, UInt8> {
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0C]
  }

  /// basicConstraints, 2.5.29.19.
  static var basicConstraints: InlineArray<3, UInt8> {
    [0x55, 0x1D, 0x13]
  }

  /// keyUsage, 2.5.29.15.
  static var keyUsage: InlineArray<3, UInt8> {
    [0x55, 0x1D, 0x0F]
  }

  /// subjectKeyIdentifier, 2.5.29.14.
  static var subjectKeyIdentifier: InlineArray<3, UInt8> {
    [0x55, 0x1D, 0x0E]
  }

  /// leafMarker, 1.2.840.113635.100.6.29.
  static var leafMarker: InlineArray<9, UInt8> {
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x1D]
  }

  /// intermediateMarker, 1.2.840.113635.100.6.2.14.
  static var intermediateMarker: InlineArray<10, UInt8> {
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x02, 0x0E]
  }
}
