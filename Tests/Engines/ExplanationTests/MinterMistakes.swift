import Explanation
import Gateways
import MerchantKeys
import Minting
import PaymentToken
import Testing

/// A mistake in a token minted under a test PKI, and what its sentence must say.
struct MinterMistake: CustomTestStringConvertible {
  let name: String
  let code: TokenFault.Code
  /// The rule that the subject names, for stages 5 to 8.
  let rule: String?
  /// The values that the sentence must name.
  let says: [String]
  let prepare: @Sendable (inout Scenario) throws -> Void

  init(
    _ name: String, _ code: TokenFault.Code, rule: String? = nil, says: [String],
    _ prepare: @escaping @Sendable (inout Scenario) throws -> Void
  ) {
    (self.name, self.code, self.rule, self.says, self.prepare) = (name, code, rule, says, prepare)
  }

  var testDescription: String { name }

  static let all = keys + dates + names + selections + shapes + structures

  // MARK: Keys

  private static let derivation = ["00000001", "0D", "id-aes256-GCM", "IV of 16", "merchant-ID hash"]

  static let keys: [MinterMistake] = [
    MinterMistake("a derivation without the merchant ID", .decryptionFailed, says: derivation) {
      try $0.signed {
        $0.merchantHash = []
        try $0.encrypt()
      }
    },
    MinterMistake("the same, and no certificate", .decryptionFailed, says: derivation) {
      try $0.signed {
        $0.merchantHash = []
        try $0.encrypt()
      }
      $0.files.removeLast()
      $0.merchantIDs = [$0.minter.merchants[0].identifier]
    },
    MinterMistake("publicKeyHash of the certificate", .unknownMerchantKey, says: ["certificate", "91 bytes"]) {
      try $0.layers { $0.publicKeyHash = Hashing.sha256($0.merchantKey.certificate) }
    },
    MinterMistake("publicKeyHash of the point", .unknownMerchantKey, says: ["bare point", "91 bytes"]) {
      try $0.layers { $0.publicKeyHash = Hashing.sha256($0.merchantKey.pair.point) }
    },
    MinterMistake("the ephemeral key as a point", .invalidLength, says: ["SubjectPublicKeyInfo", "65 bytes"]) {
      try $0.convert(.ephemeralPublicKey) { Base64.encode(Array($0.suffix(65))) }
    },
    MinterMistake("a signature in PEM", .invalidBase64, says: ["-----BEGIN"]) {
      try $0.convert(.signature) { "-----BEGIN CMS-----\n\(Base64.encode($0))\n-----END CMS-----\n" }
    },
    MinterMistake("a local time written with a Z", .signingTimeOutsideWindow, says: ["UTC"]) {
      try $0.signed { $0.signedAt = Scenario.time.advanced(by: 7_200) }
    },
  ]

  // MARK: Dates

  static let dates: [MinterMistake] = [
    MinterMistake(
      "an expired leaf signs", .certificateExpired, rule: "7.7", says: ["2025-12-31T", "2026-01-01T", "--window off"]
    ) {
      try $0.issue { $0.leafRecipe.notAfter = .time(Scenario.time.advanced(by: -Scenario.day)) }
    },
    MinterMistake(
      "a leaf signs before its time", .certificateNotYetValid, rule: "7.7", says: ["2026-01-02T", "--window off"]
    ) {
      try $0.issue { $0.leafRecipe.notBefore = .time(Scenario.time.advanced(by: Scenario.day)) }
    },
    MinterMistake(
      "an intermediate signs before its time", .certificateNotYetValid, rule: "7.7",
      says: ["2026-01-02T", "--window off"]
    ) {
      try $0.issue { $0.intermediateRecipe.notBefore = .time(Scenario.time.advanced(by: Scenario.day)) }
    },
    MinterMistake(
      "a UTCTime of 2055", .certificateExpired, rule: "7.7",
      says: ["550101000000Z", "1955-01-01T00:00:00Z", "GeneralizedTime"]
    ) {
      try $0.issue { $0.leafRecipe.notAfter = .utcTime("550101000000Z") }
    },
    MinterMistake(
      "dates in the wrong order", .certificateExpired, rule: "7.7", says: ["2024-01-01T", "2028-01-01T"]
    ) {
      try $0.issue {
        $0.leafRecipe.notBefore = .utcTime("280101000000Z")
        $0.leafRecipe.notAfter = .utcTime("240101000000Z")
      }
    },
  ]

  // MARK: Names that look the same

  private static func rewritten(_ name: ASN1Node, _ edit: (inout ASN1Node, Int) -> Void) -> ASN1Node {
    var name = name
    for index in name.children.indices { edit(&name[index][0][1], index) }
    return name
  }

  private static func printable(_ name: ASN1Node) -> ASN1Node {
    rewritten(name) { value, index in if index == 0 { value.identifier = [0x13] } }
  }

  private static func ofCompany(_ name: ASN1Node) -> ASN1Node {
    rewritten(name) { value, index in if index == 2 { value = .utf8String("assay Ltd") } }
  }

  private static let types = ["CN is a PrintableString", "a UTF8String"]
  private static let companies = ["O is assay Ltd", "assay (worthless test keys)"]

  static let names: [MinterMistake] = [
    MinterMistake("the signer's issuer as PrintableString", .signerMismatch, rule: "6.4", says: types) {
      try $0.signer { $0.issuer = printable($0.issuer) }
    },
    MinterMistake("the signer's issuer of another company", .signerMismatch, rule: "6.4", says: companies) {
      try $0.signer { $0.issuer = ofCompany($0.issuer) }
    },
    MinterMistake("a negative serial number", .signerMismatch, rule: "6.4", says: ["0xf003,", "0xf003 as a negative"]) {
      try $0.issue {
        $0.leafRecipe.serial = .primitive(0x02, [0xF0, 0x03])
      } signer: {
        $0.serial = .primitive(0x02, [0x00, 0xF0, 0x03])
      }
    },
    MinterMistake("the root's name as PrintableString", .untrustedChain, rule: "7.1", says: types) {
      try $0.issue { $0.intermediateRecipe.issuer = printable($0.intermediateRecipe.issuer) }
    },
    MinterMistake("the root's name of another company", .untrustedChain, rule: "7.1", says: companies) {
      try $0.issue { $0.intermediateRecipe.issuer = ofCompany($0.intermediateRecipe.issuer) }
    },
    MinterMistake("the intermediate's name as PrintableString", .untrustedChain, rule: "7.2", says: types) {
      try $0.issue { $0.leafRecipe.issuer = printable($0.leafRecipe.issuer) }
    },
    MinterMistake("the intermediate's name of another company", .untrustedChain, rule: "7.2", says: companies) {
      try $0.issue { $0.leafRecipe.issuer = ofCompany($0.leafRecipe.issuer) }
    },
  ]

  // MARK: Which certificates

  static let selections: [MinterMistake] = [
    MinterMistake("the leaf twice", .missingLeafMarker, rule: "6.1", says: ["assay Test broker sign", "once"]) {
      try $0.signer { $0.certificates.append($0.certificates[0]) }
    },
    MinterMistake(
      "two intermediates", .missingIntermediateMarker, rule: "6.2",
      says: ["lower CA and assay Test Integration CA", "--root"]
    ) {
      try $0.useTwoIntermediates()
    },
    MinterMistake(
      "two intermediates, one marked", .unexpectedCertificate, rule: "6.3",
      says: ["certificate assay Test Integration CA", "--root"]
    ) {
      try $0.useTwoIntermediates(isUpperMarked: false)
    },
    MinterMistake(
      "swapped markers", .signerMismatch, rule: "6.4",
      says: ["1.2.840.113635.100.6.29", "1.2.840.113635.100.6.2.14", "swapped"]
    ) {
      try $0.issue {
        $0.leafRecipe.replaceExtension(OID.leafMarker, with: Extensions.intermediateMarker)
        $0.intermediateRecipe.replaceExtension(OID.intermediateMarker, with: Extensions.leafMarker)
      }
    },
    MinterMistake("another key identifier", .signerMismatch, rule: "6.4", says: ["0909", "issuer and serial number"]) {
      try $0.signed {
        $0.signer.keyIdentifier = [9, 9]
        $0.signatureRecipe.identifier = .subjectKeyIdentifier
      }
    },
  ]

  // MARK: CMS and certificates

  static let shapes: [MinterMistake] = [
    MinterMistake(
      "PEM for DER", .malformedSignature, rule: "5.4", says: ["-----BEGIN CMS-----", "-outform DER"]
    ) {
      try $0.layers { $0.signature = Array("-----BEGIN CMS-----\n".utf8) + $0.signature }
    },
    MinterMistake("S/MIME for DER", .malformedSignature, rule: "5.1", says: ["MIME-Version: 1.0", "-outform DER"]) {
      try $0.layers { $0.signature = Array("MIME-Version: 1.0\r\n".utf8) + $0.signature }
    },
    MinterMistake(
      "the attribute of CAdES", .malformedSignature, rule: "5.1", says: ["signingCertificateV2", "-cades"]
    ) {
      try $0.sign {
        $0.editAttributes = { attributes in
          let nested = (0..<16).reduce(ASN1Node.null) { value, _ in .sequence([value]) }
          attributes.append(.sequence([.oid([1, 2, 840, 113_549, 1, 9, 16, 2, 47]), .set([nested])]))
        }
      }
    },
    MinterMistake("version 3 of SignedData", .malformedSignature, rule: "5.7", says: ["is 3", "version 1", "-keyid"]) {
      try $0.sign { $0.editTree = { $0.signedData[0] = .integer(3) } }
    },
    MinterMistake("version 1 and a key identifier", .malformedSignature, rule: "5.9", says: ["is 1", "version 3"]) {
      try $0.sign {
        $0.identifier = .subjectKeyIdentifier
        $0.editTree = { $0.signerInfo[0] = .integer(1) }
      }
    },
    MinterMistake("version 3 and a serial number", .malformedSignature, rule: "5.9", says: ["is 3", "version 1"]) {
      try $0.sign { $0.editTree = { $0.signerInfo[0] = .integer(3) } }
    },
    MinterMistake(
      "a serial number with a zero too many", .malformedSignature, rule: "5.5", says: ["INTEGER", "certificate 1"]
    ) {
      try $0.issue { $0.leafRecipe.serial = .primitive(0x02, [0, 3]) }
    },
    MinterMistake(
      "a critical flag of 1", .malformedSignature, rule: "5.5", says: ["BOOLEAN", "certificate 2"]
    ) {
      try $0.issue {
        let usage = ASN1Node.bitString([0x06], unusedBits: 1)
        $0.intermediateRecipe.replaceExtension(
          OID.keyUsage, with: .sequence([OID.keyUsage, .primitive(0x01, [1]), .octetString(usage.encoded)]))
      }
    },
    MinterMistake(
      "another algorithm inside", .malformedSignature, rule: "5.13",
      says: ["ecdsa-with-SHA256 inside", "ecdsa-with-SHA384 outside", "the same algorithm"]
    ) {
      try $0.issue { $0.leafRecipe.outerAlgorithm = .sequence([OID.ecdsaWithSHA384]) }
    },
    MinterMistake("version 1 with extensions", .malformedSignature, rule: "5.13", says: ["version 1", "version 3"]) {
      try $0.issue { $0.leafRecipe.version = nil }
    },
    MinterMistake(
      "a marker without OCTET STRING", .malformedSignature, rule: "5.15",
      says: ["1.2.840.113635.100.6.29", "not an OCTET STRING"]
    ) {
      try $0.issue { $0.leafRecipe.replaceExtension(OID.leafMarker, with: .sequence([OID.leafMarker, .null])) }
    },
    MinterMistake(
      "keyUsage in an OCTET STRING", .malformedSignature, rule: "5.17", says: ["has a malformed keyUsage, but"]
    ) {
      try $0.issue {
        $0.leafRecipe.replaceExtension(OID.keyUsage, with: Extensions.make(OID.keyUsage, .octetString([0x80])))
      }
    },
  ]
}

// MARK: Payloads

extension MinterMistake {
  /// A payload with one member of another form.
  struct Payload: CustomTestStringConvertible {
    let member: String
    let rule: String
    let form: String
    /// What is in the plaintext and must not be shown.
    let secret: String
    let mistake: MinterMistake

    let plaintext: [UInt8]

    init(_ member: String, _ rule: String, _ form: String, _ value: String?, hiding secret: String) {
      (self.member, self.rule, self.form, self.secret) = (member, rule, form, secret)
      let path = member.split(separator: ".").map(String.init)
      let raw = value.map { JSONValue.raw($0) }
      var payload = PayloadRecipe().object
      if path.count == 1 { payload[member] = raw } else { payload[path[0]]?.object[path[1]] = raw }
      let plaintext = JSONValue.object(payload).text()
      self.plaintext = plaintext
      mistake = MinterMistake(member, .malformedPayload, says: [member]) {
        try $0.signed { try $0.encrypt(plaintext) }
      }
    }

    var testDescription: String { "\(member): \(form)" }
  }

  static let payloads: [Payload] = [
    Payload("transactionAmount", "13.3", "a string", #""98765""#, hiding: "98765"),
    Payload("transactionAmount", "13.3", "a number of another form", "98765.43", hiding: "98765.43"),
    Payload("currencyCode", "13.2", "a number", "97865", hiding: "97865"),
    Payload("currencyCode", "13.2", "a string of another form", #""EURO9""#, hiding: "EURO9"),
    Payload("applicationExpirationDate", "13.2", "a string of another form", #""12/30""#, hiding: "12/30"),
    Payload("applicationExpirationDate", "13.2", "a string of another form", #""301332""#, hiding: "301332"),
    Payload(
      "applicationPrimaryAccountNumber", "13.2", "a string of another form", #""4111 1111 1111""#,
      hiding: "4111 1111 1111"),
    Payload("deviceManufacturerIdentifier", "13.2", "absent", nil, hiding: "4111111111111111"),
    Payload("paymentDataType", "13.2", "absent", nil, hiding: "4111111111111111"),
    Payload("paymentDataType", "13.2", "a string of another form", #""3dsecure""#, hiding: "3dsecure"),
    Payload("paymentData.onlinePaymentCryptogram", "13.4", "absent", nil, hiding: "4111111111111111"),
    Payload("paymentData.eciIndicator", "13.4", "a number", "78901", hiding: "78901"),
    Payload("cardholderName", "13.5", "null", "null", hiding: "4111111111111111"),
    Payload("authenticationResponses", "13.5", "an object", #"{"hidden":1}"#, hiding: "hidden"),
  ]
}

extension Scenario {
  /// Signs with an edited PKI and signer, and trusts its root.
  mutating func issue(
    _ edit: (inout TestPKI) throws -> Void, signer editSigner: (inout TokenSigner) -> Void = { _ in }
  ) throws {
    var pki = minter.pki
    try edit(&pki)
    try pki.issue()
    anchors = pki.anchors
    var signer = TokenSigner(pki)
    editSigner(&signer)
    try signed { $0.signer = signer }
  }

  mutating func signer(_ edit: (inout TokenSigner) -> Void) throws {
    try signed { edit(&$0.signer) }
  }

  mutating func sign(_ edit: (inout SignedDataRecipe) -> Void) throws {
    try signed { edit(&$0.signatureRecipe) }
  }

  /// The leaf is issued by an intermediate under the usual one.
  fileprivate mutating func useTwoIntermediates(isUpperMarked: Bool = true) throws {
    var upper: [UInt8] = []
    try issue {
      var (lower, key) = ($0.intermediateRecipe, $0.intermediateKey)
      lower.issuer = lower.subject
      lower.subject = .sequence([.set([.sequence([OID.commonName, .utf8String("lower CA")])])])
      if !isUpperMarked { $0.intermediateRecipe.replaceExtension(OID.intermediateMarker, with: nil) }
      upper = try $0.intermediateRecipe.issue(by: $0.rootKey)
      $0.leafRecipe.issuer = lower.subject
      // The lower one takes the intermediate's place; both have one key.
      swap(&$0.intermediateRecipe, &lower)
      swap(&$0.rootKey, &key)
    } signer: {
      $0.certificates.append(upper)
    }
  }
}
