import Explanation
import MerchantKeys
import Minting
import PaymentToken

/// Mistakes in the structure of the CMS, of its certificates and of values.
extension MinterMistake {
  static let structures =
    times + parts + attributes + identifiers + certificateParts + signatureValues + choices + values

  // MARK: Times

  static let times: [MinterMistake] = [
    timeOfSigning(.utcTime("20260101000000Z"), "a UTCTime with a year of four digits"),
    timeOfSigning(.generalizedTime("260101000000Z"), "a GeneralizedTime with a year of two digits"),
    certificate("a UTCTime of four digits", breaking: "5.12", ["20550101000000Z, a UTCTime with a year of four digits"])
    {
      $0.notAfter = .utcTime("20550101000000Z")
    },
    certificate("a GeneralizedTime of two digits", breaking: "5.12", ["a GeneralizedTime with a year of two digits to"])
    {
      $0.notBefore = .generalizedTime("240101000000Z")
    },
  ]

  private static func timeOfSigning(_ time: ASN1Node, _ words: String) -> MinterMistake {
    MinterMistake(words, .malformedSignature, rule: "5.12", says: [words, "of four in a GeneralizedTime"]) {
      try $0.sign { $0.signingTime = time }
    }
  }

  // MARK: The CMS

  private static func tree(
    _ name: String, _ rule: String, _ says: [String], _ edit: @escaping @Sendable (inout ASN1Node) -> Void
  ) -> MinterMistake {
    MinterMistake(name, .malformedSignature, rule: rule, says: says) { try $0.sign { $0.editTree = edit } }
  }

  static let parts: [MinterMistake] = [
    tree("the signer's digest as a bare OID", "5.10", ["digest algorithm of SignerInfo is the OID sha256 alone"]) {
      $0.signerInfo[2] = OID.sha256
    },
    tree("a digest as a bare OID", "5.10", ["digest algorithm of SignedData is the OID sha256 alone"]) {
      $0.digestAlgorithms[0] = OID.sha256
    },
    tree("digests without SET", "5.7", ["is a SEQUENCE of an OID, not a SET of one SEQUENCE"]) {
      $0.digestAlgorithms = $0.digestAlgorithms[0]
    },
    tree("the content type as a bare OID", "5.7", ["EncapsulatedContentInfo is the OID pkcs7-data alone"]) {
      $0.encapsulated = OID.data
    },
    tree("the signature algorithm as a bare OID", "5.10", ["signature algorithm is the OID ecdsa-with-SHA256 alone"]) {
      $0.signerInfo[4] = OID.ecdsaWithSHA256
    },
    tree("no signature algorithm", "5.10", ["signature algorithm is an OCTET STRING", "not a SEQUENCE"]) {
      $0.signerInfo.children.remove(at: 4)
    },
    tree("the signature without OCTET STRING", "5.9", ["the signature value is a SEQUENCE", "write an OCTET STRING"]) {
      $0.signerInfo[5] = .sequence([.integer(1), .integer(1)])
    },
    tree("certificates in a SET", "5.7", ["the list of certificates is a SET", "not [0]"]) {
      $0.certificates.identifier = [0x31]
    },
    tree("certificates in a SEQUENCE", "5.13", ["a SEQUENCE of certificates", "one after the other"]) {
      $0.certificates.children = [.sequence($0.certificates.children)]
    },
    tree("the attributes behind the algorithm", "5.9", ["before the signature algorithm", "write them before"]) {
      $0.signerInfo.children.swapAt(3, 4)
    },
    tree("the certificates at the end", "5.7", ["certificates is not in its place", "before the SignerInfos"]) {
      $0[1][0].children.swapAt(3, 4)
    },
    tree("no signed attributes", "5.9", ["has no signed attributes", "-noattr"]) {
      $0.signerInfo.children.remove(at: 3)
    },
    tree("unsigned attributes", "5.9", ["has unsigned attributes", "add no unsigned"]) {
      $0.signerInfo.children.append(.context(1, []))
    },
  ]

  static let attributes: [MinterMistake] = [
    tree("attributes in a SET", "5.9", ["the list of signed attributes is a SET", "not [0]"]) {
      $0.signerInfo[3].identifier = [0x31]
    },
    tree("attributes in a SET in [0]", "5.11", ["the attribute without a type is a SET", "not a SEQUENCE"]) {
      $0.signerInfo[3] = .context(0, [.set($0.signerInfo[3].children)])
    },
    MinterMistake(
      "a digest without SET", .malformedSignature, rule: "5.11",
      says: ["messageDigest is a SEQUENCE of an OID and an OCTET STRING", "a SET with the value"]
    ) {
      try $0.sign {
        $0.editAttributes = { attributes in
          for index in attributes.indices where attributes[index][0] == OID.messageDigest {
            attributes[index][1] = .octetString([UInt8](repeating: 1, count: 32))
          }
        }
      }
    },
  ]

  static let identifiers: [MinterMistake] = [
    tree("the signer's serial number first", "5.9", ["is a SEQUENCE of an INTEGER and a SEQUENCE", "in this order"]) {
      $0.signerInfo[1].children.reverse()
    },
    tree("the signer's name alone", "5.9", ["is a SEQUENCE of a SET", "serial number (an INTEGER)"]) {
      $0.signerInfo[1] = $0.signerInfo[1][0]
    },
    tree("a key identifier in an OCTET STRING", "5.9", ["is [0] of an OCTET STRING", "without an OCTET STRING"]) {
      $0.signerInfo[0] = .integer(3)
      $0.signerInfo[1] = .context(0, [.octetString([1, 2])])
    },
    tree("the signer's issuer of another type", "5.14", ["copy the leaf's issuer byte for byte"]) {
      $0.signerInfo[1][0].identifier = [0xA4]
    },
  ]

  // MARK: Certificates

  private static func certificate(
    _ name: String, breaking rule: String = "5.13", _ says: [String],
    _ edit: @escaping @Sendable (inout CertificateRecipe) -> Void
  ) -> MinterMistake {
    MinterMistake(name, .malformedSignature, rule: rule, says: ["the certificate "] + says) {
      try $0.issue { edit(&$0.leafRecipe) }
    }
  }

  static let certificateParts: [MinterMistake] = [
    certificate("version 3 as 3", ["has the INTEGER 3 as its version, but", "which is the INTEGER 2"]) {
      $0.version = .context(0, [.integer(3)])
    },
    certificate("version 2", ["has the INTEGER 1 as its version, but", "which is the INTEGER 2"]) {
      $0.version = .context(0, [.integer(1)])
    },
    certificate("version 2 without extensions", ["has the INTEGER 1 as its version, but", "-extfile"]) {
      $0.version = .context(0, [.integer(1)])
      $0.extensions = []
    },
    certificate("the version without its tag", ["broker sign has an INTEGER", "its version, not [0]"]) {
      $0.version = .integer(2)
    },
    certificate("the version's tag in its place", ["broker sign has [0] of 1 bytes as its version, not [0]"]) {
      $0.version = .contextPrimitive(0, [2])
    },
    certificate("a serial number as bytes", ["has an OCTET STRING", "as its serial number, not an INTEGER"]) {
      $0.serial = .octetString([1, 2])
    },
    certificate("a serial number as text", ["has a PrintableString", "as its serial number, not an INTEGER"]) {
      $0.serial = .printableString("12")
    },
    certificate("no serial number", ["as its serial number, not an INTEGER"]) {
      $0.editBody = { $0.children.remove(at: 1) }
    },
    certificate("the algorithm as a bare OID", ["the OID ecdsa-with-SHA256 alone as its signature algorithm"]) {
      $0.algorithm = OID.ecdsaWithSHA256
      $0.outerAlgorithm = .sequence([OID.ecdsaWithSHA256])
    },
    certificate("a subject as text", ["has a UTF8String", "as its subject, not a SEQUENCE"]) {
      $0.subject = .utf8String("leaf")
    },
    certificate("a key without SEQUENCE", ["has a BIT STRING", "as its key, not a SEQUENCE"]) {
      $0.publicKeyInfo = $0.publicKeyInfo[1]
    },
    certificate("extensions without their tag", ["as its extensions, not [3]"]) {
      $0.editBody = { $0[7] = $0[7][0] }
    },
    certificate(
      "extensions without SEQUENCE", breaking: "5.15",
      ["without a SEQUENCE around them", "write [3] with one SEQUENCE"]
    ) {
      $0.editBody = { $0[7].children = $0[7][0].children }
    },
    certificate(
      "critical as a number", breaking: "5.15",
      ["which is a SEQUENCE of an OID, an INTEGER, a BOOLEAN and", "the BOOLEAN true if it is critical"]
    ) {
      $0.editBody = { $0[7][0][0].children.insert(.integer(1), at: 1) }
    },
    certificate("one time", breaking: "5.12", ["a validity of 1 values", "write notBefore and notAfter"]) {
      $0.editBody = { $0[4].children.removeLast() }
    },
    certificate("a negative modulus", breaking: "5.16", ["modulus is a negative INTEGER", "put 00 before"]) {
      let key = ASN1Node.sequence([.primitive(0x02, [UInt8](repeating: 0x90, count: 256)), .integer(65_537)])
      $0.publicKeyInfo = .sequence([.sequence([OID.rsaEncryption, .null]), .bitString(key.encoded)])
    },
    certificate("a unique identifier", ["has a unique identifier", "without unique identifiers"]) {
      $0.editBody = { $0.children.insert(.contextPrimitive(1, [0, 1]), at: 7) }
    },
    certificate("the signature as bytes", ["as its signature, not a BIT STRING"]) {
      $0.editCertificate = { $0[2].identifier = [0x04] }
    },
  ]

  // MARK: r and s

  private static let negative = ASN1Node.sequence([.primitive(0x02, [0x90, 1]), .integer(1)]).encoded
  private static let notDER = "convert it to DER"

  static let signatureValues: [MinterMistake] = [
    MinterMistake(
      "a negative r", .signatureMismatch, rule: "8.3", says: ["r or s is a negative INTEGER", "put 00 before"]
    ) {
      try $0.sign { $0.editValue = { $0 = negative } }
    },
    MinterMistake(
      "a 00 too many", .signatureMismatch, rule: "8.3", says: ["begins with a 00 too many", "leave 00 out"]
    ) {
      try $0.sign { $0.editValue = { $0 = ASN1Node.sequence([.primitive(0x02, [0, 1]), .integer(1)]).encoded } }
    },
    MinterMistake("r and s alone", .signatureMismatch, rule: "8.3", says: ["64 bytes", "r and s alone", notDER]) {
      try $0.sign { $0.editValue = { $0 = [UInt8](repeating: 1, count: 64) } }
    },
    MinterMistake(
      "a negative r in the leaf", .untrustedChain, rule: "7.2", says: ["its signature is", "negative", "put 00 before"]
    ) {
      try $0.issue { $0.leafRecipe.editSignature = { $0 = negative } }
    },
    MinterMistake(
      "r and s alone in the leaf", .untrustedChain, rule: "7.2", says: ["its signature is 64 bytes", "alone", notDER]
    ) {
      try $0.issue { $0.leafRecipe.editSignature = { $0 = [UInt8](repeating: 1, count: 64) } }
    },
    MinterMistake("hexadecimal in the leaf", .untrustedChain, rule: "7.2", says: ["of another form", notDER]) {
      try $0.issue { $0.leafRecipe.editSignature = { $0 = Array("3044".utf8) } }
    },
    MinterMistake(
      "ECDSA with NULL in the leaf", .untrustedChain, rule: "7.2",
      says: ["ecdsa-with-SHA256 with the parameters NULL", "leave the parameters out"]
    ) {
      try $0.issue { $0.leafRecipe.algorithm.children.append(.null) }
    },
    MinterMistake(
      "another signature in the leaf", .untrustedChain, rule: "7.2",
      says: ["does not verify", "the one that did issue"]
    ) {
      try $0.issue { $0.leafRecipe.editSignature = { $0 = ASN1Node.sequence([.integer(1), .integer(1)]).encoded } }
    },
  ]

  // MARK: Which certificates, and names

  private static let other = "(serial number 0x4d)"

  static let choices: [MinterMistake] = [
    MinterMistake(
      "an old leaf beside the leaf", .missingLeafMarker, rule: "6.1",
      says: ["both have Apple's leaf marker", "leave out the one that did not sign, assay Test broker sign \(other)"]
    ) {
      try $0.addCertificate { pki in
        pki.leafRecipe.serial = .integer(0x4D)
        return try pki.leafRecipe.issue(by: pki.intermediateKey)
      }
    },
    MinterMistake(
      "two intermediates of one name", .missingIntermediateMarker, rule: "6.2",
      says: ["assay Test Integration CA \(other)", "issued by assay Test Root CA and other", "leave out the one"]
    ) {
      try $0.addCertificate { pki in
        pki.intermediateRecipe.serial = .integer(0x4D)
        pki.intermediateRecipe.issuer = .sequence([.set([.sequence([OID.commonName, .utf8String("other")])])])
        return try pki.intermediateRecipe.issue(by: pki.rootKey)
      }
    },
    MinterMistake("no certificates", .missingLeafMarker, rule: "6.1", says: ["no certificates", "-nocerts"]) {
      try $0.signer { $0.certificates = [] }
    },
    MinterMistake(
      "the merchant's certificate for the leaf", .missingLeafMarker, rule: "6.1",
      says: ["is a merchant's certificate", "in place of the merchant's"]
    ) {
      let merchant = $0.minter.merchants[0].keys[0].certificate
      try $0.signer { $0.certificates[0] = merchant }
    },
    lookalike("a space too many", "assay Test Root CA "),
    lookalike("a no-break space", "assay\u{A0}Test Root CA"),
  ]

  private static func lookalike(_ name: String, _ text: String) -> MinterMistake {
    MinterMistake(name, .untrustedChain, rule: "7.1", says: ["the bytes of CN", "the root's subject", "byte for byte"])
    {
      try $0.issue { $0.intermediateRecipe.issuer[0][0][1] = .utf8String(text) }
    }
  }

  // MARK: Values

  private static let hash = ["if you minted the token", "SHA-256 of the key's SubjectPublicKeyInfo"]

  static let values: [MinterMistake] = [
    MinterMistake(
      "a time zone west of UTC", .signingTimeOutsideWindow, says: ["--at signing-time", "signingTime in UTC"]
    ) {
      try $0.signed { $0.signedAt = Scenario.time.advanced(by: -5 * 3_600 + 60) }
    },
    MinterMistake("another publicKeyHash", .unknownMerchantKey, says: hash) {
      try $0.layers { $0.publicKeyHash = [UInt8](repeating: 7, count: 32) }
    },
    MinterMistake("x and y alone", .invalidLength, says: ["SubjectPublicKeyInfo", "64 bytes are x and y alone"]) {
      try $0.convert(.ephemeralPublicKey) { Base64.encode(Array($0.suffix(64))) }
    },
    MinterMistake("base64 of PEM", .invalidLength, says: ["SubjectPublicKeyInfo", "PEM"]) {
      try $0.convert(.ephemeralPublicKey) { Base64.encode(Array("-----BEGIN PUBLIC KEY-----".utf8) + $0) }
    },
    MinterMistake("another prefix than 04", .invalidEphemeralKey, says: ["another prefix than 04"]) {
      try $0.signed { $0.ephemeralPublicKey[26] = 6 }
    },
    MinterMistake("applicationData that is null", .wrongType, says: ["null", "leave it out"]) {
      try $0.header { $0["applicationData"] = .raw("null") }
    },
    MinterMistake("an empty applicationData", .invalidLength, says: ["empty", "leave it out"]) {
      try $0.header { $0["applicationData"] = .string("") }
    },
    payload("an array", "[]", ["it is an array", "an object"]),
    payload("a string", "\"{}\"", ["it is a string", "an object"]),
    payload("a byte-order mark", "\u{FEFF}{}", ["not strict JSON", "without a byte-order mark", "nothing after it"]),
  ]

  private static func payload(_ name: String, _ text: String, _ says: [String]) -> MinterMistake {
    MinterMistake("a payload: \(name)", .malformedPayload, says: ["payload, rule 13.1"] + says) {
      try $0.signed { try $0.encrypt(Array(text.utf8)) }
    }
  }
}

extension Scenario {
  /// Adds a certificate of another recipe to the signature.
  fileprivate mutating func addCertificate(_ issue: (inout TestPKI) throws -> [UInt8]) throws {
    var pki = minter.pki
    let certificate = try issue(&pki)
    try signer { $0.certificates.append(certificate) }
  }
}
