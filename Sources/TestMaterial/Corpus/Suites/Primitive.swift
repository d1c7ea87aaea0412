import MerchantKeys
import Minting
import PaymentToken
import StrictJSON
import TestCases

/// A primitive that vectors test: the file of its tests, and the tests that a vector gives.
struct Primitive: Sendable {
  /// The file's name.
  let file: String
  let algorithm: String
  /// A schema of Wycheproof, or one of this project, which Corpus/README.md describes.
  let schema: String
  /// Lines of documentation.
  let header: [String]
  /// The type of the groups.
  let type: String
  /// The members of the vector's group, and those of its test; nil if the vector is about something else.
  let entry: @Sendable (ExportedVector) -> (group: JSON, test: JSON)?

  /// An implementation of a primitive alone that errs on a test of one of these severities is lenient, not wrong.
  static let lenient: Set<Standing.Severity> = [.strictness, .choice]

  static let all = [ecdsa, ecdh, aesGCM, certificatePaths, cms]

  /// Signatures of the signed attributes (rules 8.2 and 8.3).
  static let ecdsa = Primitive(
    file: "assay_ecdsa_secp256r1_sha256_test.json", algorithm: "ECDSA", schema: "ecdsa_verify_schema_v1.json",
    header: ["Signatures of the signed attributes of Apple Pay payment tokens (EC_v1)."], type: "EcdsaVerify"
  ) { vector in
    guard vector.isAbout(["8.2", "8.3"], endingIn: .signature ... .signature), let point = vector.leafPoint,
      let leafKey = vector.values.leafKey, let message = vector.values.signedAttributes,
      let signature = vector.values.signature
    else { return nil }
    let pem = String(decoding: PEMText.encode(leafKey, label: "PUBLIC KEY"), as: UTF8.self)
    let key: JSON = [
      "type": "EcPublicKey", "curve": "secp256r1", "keySize": 256, "uncompressed": Hex.encode(point),
      "wx": integer(point.dropFirst().prefix(32)), "wy": integer(point.suffix(32)),
    ]
    return (
      ["publicKey": key, "publicKeyDer": Hex.encode(leafKey), "publicKeyPem": pem, "sha": "SHA-256"],
      ["msg": Hex.encode(message), "sig": Hex.encode(signature)]
    )
  }

  /// The ephemeral key with the merchant's (rules 11.1 and 11.2).
  static let ecdh = Primitive(
    file: "assay_ecdh_secp256r1_test.json", algorithm: "ECDH", schema: "ecdh_test_schema_v1.json",
    header: ["Ephemeral keys of Apple Pay payment tokens (EC_v1) with the merchant's private key."], type: "EcdhTest"
  ) { vector in
    guard vector.isAbout(["11.1", "11.2"], endingIn: .symmetricKey ... .symmetricKey), !vector.isLenientlyRefused,
      let key = vector.values.ephemeralKey, let scalar = vector.values.privateScalar
    else { return nil }
    return (
      ["curve": "secp256r1", "encoding": "asn"],
      [
        "public": Hex.encode(key), "private": integer(scalar[...]),
        "shared": Hex.encode(vector.values.sharedSecret ?? []),
      ]
    )
  }

  /// The data (rule 12.1). Refused data have no plaintext.
  static let aesGCM = Primitive(
    file: "assay_aes_gcm_test.json", algorithm: "AES-GCM", schema: "aead_test_schema_v1.json",
    header: ["The data of Apple Pay payment tokens: an IV of 16 zero bytes, no additional data."], type: "AeadTest"
  ) { vector in
    guard vector.isAbout(["12.1"], endingIn: .decryption ... .decryption), !vector.isLenientlyRefused,
      let key = vector.values.symmetricKey, let data = vector.values.data
    else { return nil }
    return (
      ["ivSize": 128, "keySize": key.count * 8, "tagSize": 128],
      [
        "key": Hex.encode(key), "iv": Hex.encode([UInt8](repeating: 0, count: 16)), "aad": "",
        "msg": Hex.encode(vector.plaintext ?? []), "ct": Hex.encode(data.dropLast(16)),
        "tag": Hex.encode(data.suffix(16)),
      ]
    )
  }

  /// Leaf and intermediate up to a root (stage 7).
  static let certificatePaths = Primitive(
    file: "assay_x509_path_test.json", algorithm: "X509", schema: "assay_x509_path_schema_v1.json",
    header: ["Certificates of Apple Pay payment tokens: whether leaf and intermediate chain to a root at a time."],
    type: "CertificatePath"
  ) { vector in
    // A leaf whose key does not fit the token's version is in a valid path.
    let isOfAnotherVersion = vector.test.clauses.contains("7.4") && vector.test.standing?.isForgery == true
    guard vector.isAbout(["7.1", "7.2", "7.3", "7.4", "7.5", "7.7"], endingIn: .chain ... .chain), !isOfAnotherVersion,
      let leaf = vector.values.leaf, let intermediate = vector.values.intermediate
    else { return nil }
    return (
      vector.trust,
      ["leaf": Hex.encode(leaf), "intermediate": Hex.encode(intermediate), "time": vector.test.context.now.rfc3339]
    )
  }

  /// The CMS over the signed members, with its certificates (stages 5 to 8).
  static let cms = Primitive(
    file: "assay_cms_test.json", algorithm: "CMS", schema: "assay_cms_verify_schema_v1.json",
    header: ["The detached signature of Apple Pay payment tokens over content, with its chain, at a time."],
    type: "CmsVerify"
  ) { vector in
    let stages = VerificationStage.signatureShape ... .signature
    guard vector.isAbout(nil, endingIn: stages), vector.test.context.policy.revoked.isEmpty,
      let content = vector.values.signedContent, let contentInfo = vector.values.contentInfo
    else { return nil }
    return (
      vector.trust,
      [
        "content": Hex.encode(content), "cms": Hex.encode(contentInfo),
        "leaf": Hex.encode(vector.values.leaf ?? []), "time": vector.test.context.now.rfc3339,
      ]
    )
  }

  /// A positive number as Wycheproof writes it: two's complement in hexadecimal digits.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array(bytes.drop { $0 == 0 })
    return Hex.encode((digits.first.map { $0 >= 0x80 } ?? true ? [0] : []) + digits)
  }
}

extension ExportedVector {
  /// Whether the deciding rule is one of these, or of one of these stages, and the token is accepted or refused there.
  ///
  /// - Parameter clauses: nil for any rule of the stages.
  fileprivate func isAbout(_ clauses: Set<String>?, endingIn stages: ClosedRange<VerificationStage>) -> Bool {
    if let fault, !stages.contains(fault.stage) { return false }
    guard let clauses else {
      return test.clauses.contains { clause in
        guard let number = clause.split(separator: ".").first, let stage = Int(number) else { return false }
        return stages.lowerBound.rawValue...stages.upperBound.rawValue ~= stage
      }
    }
    return !clauses.isDisjoint(with: test.clauses)
  }

  /// Whether an implementation of the primitive alone may accept input that must be refused here; its result is then
  /// unspecified.
  fileprivate var isLenientlyRefused: Bool { fault != nil && result(acceptable: Primitive.lenient) == "acceptable" }

  /// The leaf's key as an uncompressed point on P-256; nil for another key.
  fileprivate var leafPoint: ArraySlice<UInt8>? {
    guard let key = values.leafKey, key.count == 91, key[26] == 0x04 else { return nil }
    return key[26...]
  }

  /// The roots that a group trusts.
  fileprivate var trust: JSON { ["roots": roots.map { Hex.encode($0) }] }
}
