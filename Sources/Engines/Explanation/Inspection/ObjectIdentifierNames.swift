/// Names of the object identifiers that occur in signatures and certificates.
enum ObjectIdentifierNames {
  /// The name, or the numbers joined by full stops if it has none here.
  ///
  /// - Parameter oid: the contents bytes.
  static func name(of oid: some Collection<UInt8>) -> String {
    let dotted = dotted(oid)
    return names[dotted] ?? dotted
  }

  /// X.690 section 8.19: base 128, and the first two numbers in one. Numbers beyond 63 bits are written as they are.
  private static func dotted(_ oid: some Collection<UInt8>) -> String {
    guard oid.count <= 32 else { return "an OID of \(oid.count) bytes" }
    var numbers: [UInt64] = []
    var number: UInt64 = 0
    for byte in oid {
      guard number < 1 << 56 else { return "an OID of \(oid.count) bytes" }
      number = number << 7 | UInt64(byte & 0x7F)
      guard byte < 0x80 else { continue }
      if numbers.isEmpty {
        let first = min(number / 40, 2)
        numbers = [first, number - first * 40]
      } else {
        numbers.append(number)
      }
      number = 0
    }
    return numbers.map { String($0) }.joined(separator: ".")
  }

  private static let names: [String: String] = [
    // Digests
    "1.2.840.113549.2.5": "MD5", "1.3.14.3.2.26": "SHA-1", "2.16.840.1.101.3.4.2.4": "SHA-224",
    "2.16.840.1.101.3.4.2.1": "SHA-256", "2.16.840.1.101.3.4.2.2": "SHA-384", "2.16.840.1.101.3.4.2.3": "SHA-512",
    // Signatures
    "1.2.840.10045.4.1": "ecdsa-with-SHA1", "1.2.840.10045.4.3.1": "ecdsa-with-SHA224",
    "1.2.840.10045.4.3.2": "ecdsa-with-SHA256", "1.2.840.10045.4.3.3": "ecdsa-with-SHA384",
    "1.2.840.10045.4.3.4": "ecdsa-with-SHA512", "1.2.840.113549.1.1.5": "sha1WithRSAEncryption",
    "1.2.840.113549.1.1.10": "RSASSA-PSS", "1.2.840.113549.1.1.11": "sha256WithRSAEncryption",
    "1.2.840.113549.1.1.12": "sha384WithRSAEncryption", "1.2.840.113549.1.1.13": "sha512WithRSAEncryption",
    // Keys and curves
    "1.2.840.113549.1.1.1": "rsaEncryption", "1.2.840.10045.2.1": "id-ecPublicKey", "1.3.101.112": "Ed25519",
    "1.3.101.113": "Ed448", "1.2.840.10045.3.1.7": "P-256", "1.3.132.0.34": "P-384", "1.3.132.0.35": "P-521",
    "1.3.132.0.10": "secp256k1",
    // CMS
    "1.2.840.113549.1.7.1": "id-data", "1.2.840.113549.1.7.2": "id-signedData",
    "1.2.840.113549.1.7.3": "id-envelopedData", "1.2.840.113549.1.9.3": "contentType",
    "1.2.840.113549.1.9.4": "messageDigest", "1.2.840.113549.1.9.5": "signingTime",
    "1.2.840.113549.1.9.15": "smimeCapabilities", "1.2.840.113549.1.9.52": "cmsAlgorithmProtection",
    "1.2.840.113549.1.9.16.2.47": "signingCertificateV2",
    // Extensions of certificates
    "2.5.29.14": "subjectKeyIdentifier", "2.5.29.15": "keyUsage", "2.5.29.17": "subjectAltName",
    "2.5.29.19": "basicConstraints", "2.5.29.30": "nameConstraints", "2.5.29.31": "cRLDistributionPoints",
    "2.5.29.32": "certificatePolicies", "2.5.29.35": "authorityKeyIdentifier", "2.5.29.36": "policyConstraints",
    "2.5.29.37": "extendedKeyUsage", "2.5.29.54": "inhibitAnyPolicy",
    "1.2.840.113635.100.6.29": "Apple's leaf marker (1.2.840.113635.100.6.29)",
    "1.2.840.113635.100.6.2.14": "Apple's intermediate marker (1.2.840.113635.100.6.2.14)",
    "1.2.840.113635.100.6.32": "the merchant-ID hash (1.2.840.113635.100.6.32)",
  ]
}
