/// Object identifiers, as the contents bytes of their DER encodings (X.690 section 8.19).
package enum ObjectIdentifiers {
  // Keys (RFC 5480, RFC 3279)
  /// id-ecPublicKey, 1.2.840.10045.2.1
  package static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  /// prime256v1 (P-256), 1.2.840.10045.3.1.7
  package static let prime256v1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
  /// secp384r1 (P-384), 1.3.132.0.34
  package static let secp384r1: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x22]
  /// rsaEncryption, 1.2.840.113549.1.1.1
  package static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

  // Signatures (RFC 5758, RFC 4055)
  /// ecdsa-with-SHA256, 1.2.840.10045.4.3.2
  package static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
  /// ecdsa-with-SHA384, 1.2.840.10045.4.3.3
  package static let ecdsaWithSHA384: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
  /// sha256WithRSAEncryption, 1.2.840.113549.1.1.11
  package static let sha256WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
  /// sha384WithRSAEncryption, 1.2.840.113549.1.1.12
  package static let sha384WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0C]

  // Messages (RFC 5652)
  /// id-signedData, 1.2.840.113549.1.7.2
  static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

  // Certificate extensions (RFC 5280 section 4.2.1)
  /// basicConstraints, 2.5.29.19
  package static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
  /// keyUsage, 2.5.29.15
  package static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]
  /// subjectKeyIdentifier, 2.5.29.14
  package static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x0E]

  /// extKeyUsage, 2.5.29.37
  package static let extendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25]
  /// id-kp-serverAuth, 1.3.6.1.5.5.7.3.1
  package static let serverAuthentication: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
  /// id-kp-codeSigning, 1.3.6.1.5.5.7.3.3
  package static let codeSigning: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x03]
  /// id-kp-clientAuth, 1.3.6.1.5.5.7.3.2
  package static let clientAuthentication: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02]

  // Attributes of names (RFC 4519)
  /// commonName, 2.5.4.3
  package static let commonName: [UInt8] = [0x55, 0x04, 0x03]
  /// userId, 0.9.2342.19200300.100.1.1
  package static let userID: [UInt8] = [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x01]

  // Apple's certificate extensions
  /// The marker of the leaf that signs payment tokens, 1.2.840.113635.100.6.29
  package static let appleLeafMarker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x1D]
  /// The marker of the intermediate that issues that leaf, 1.2.840.113635.100.6.2.14
  package static let appleIntermediateMarker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x02, 0x0E]
  /// The marker of merchant identity certificates, 1.2.840.113635.100.6.28
  package static let appleMerchantIdentityMarker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x1C]
  /// The merchant-ID hash in payment processing and merchant identity certificates, 1.2.840.113635.100.6.32
  package static let appleMerchantIDHash: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x20]
}
