import Explanation
import Gateways
import MerchantKeys
import Minting
import PaymentToken

/// Tokens altered in transit, and tokens of other makers.
extension PreparedScenario {
  // MARK: Members

  static let members: [PreparedScenario] = [
    PreparedScenario(.missingSignature, "the client drops the signature") {
      try $0.json { $0["signature"] = nil }
    },
    PreparedScenario(.missingMember, "the client drops the transactionId") {
      try $0.header { $0["transactionId"] = nil }
    },
    PreparedScenario(.flattenedHeader, "the header's members one level up") {
      try $0.json { object in
        let header = object["header"]?.object ?? JSONObject()
        object["header"] = nil
        for member in header.members { object.members.append(member) }
      }
    },
    PreparedScenario(.wrongType, "data is null") { try $0.json { $0["data"] = .raw("null") } },
    PreparedScenario(.doubleEncodedJSON, "the header is a string of JSON") {
      try $0.json { object in
        let text = (object["header"] ?? .raw("{}")).text()
        object["header"] = .string(String(decoding: text, as: UTF8.self))
      }
    },
    PreparedScenario(.unsupportedVersion, "a version nobody knows") {
      try $0.json { $0["version"] = .string("EC_v2") }
    },
    PreparedScenario(.versionContradictsKey, "an EC token that calls itself RSA_v1") {
      try $0.json { $0["version"] = .string("RSA_v1") }
    },
    PreparedScenario(.versionContradictsKey, "both key fields") {
      try $0.header { $0["wrappedKey"] = .string("AAAA") }
    },
    PreparedScenario(.hexInsteadOfBase64, "the publicKeyHash in hexadecimal") {
      try $0.convert(.publicKeyHash) { Hex.encode($0) }
    },
    PreparedScenario(.hexInsteadOfBase64, "the ephemeral key in hexadecimal") {
      try $0.convert(.ephemeralPublicKey) { Hex.encode($0) }
    },
    PreparedScenario(.hexInsteadOfBase64, "the signature in hexadecimal") {
      try $0.convert(.signature) { Hex.encode($0) }
    },
    PreparedScenario(.hexInsteadOfBase64, "the data in hexadecimal") { try $0.convert(.data) { Hex.encode($0) } },
    PreparedScenario(.base64InsteadOfHex, "the transactionId in base64") {
      try $0.convert(.transactionId) { Base64.encode($0) }
    },
    PreparedScenario(.applicationDataAsBase64, "applicationData in base64") {
      try $0.header { $0["applicationData"] = .string(Base64.encode([UInt8](repeating: 9, count: 32))) }
    },
    PreparedScenario(.applicationDataNotHashed, "applicationData as the request had it") {
      try $0.header { $0["applicationData"] = .string("order 4711") }
    },
    PreparedScenario(.alteredBase64, "the data in the URL alphabet") {
      try $0.convert(.data) { Base64.encode($0).replacing("+", with: "-").replacing("/", with: "_") }
    },
    PreparedScenario(.alteredBase64, "the signature in lines") {
      try $0.convert(.signature) { "\n" + Base64.encode($0) }
    },
    PreparedScenario(.invalidEncoding, "a transactionId with hyphens") {
      try $0.convert(.transactionId) { Hex.encode($0.prefix(16)) + "-" + Hex.encode($0.suffix(16)) }
    },
    PreparedScenario(.ephemeralKeyForm, "the ephemeral key as a bare point") {
      try $0.convert(.ephemeralPublicKey) { Base64.encode(Array($0.suffix(65))) }
    },
    PreparedScenario(.ephemeralKeyForm, "the ephemeral key as PEM") {
      try $0.convert(.ephemeralPublicKey) {
        "-----BEGIN PUBLIC KEY-----\n\(Base64.encode($0))\n-----END PUBLIC KEY-----\n"
      }
    },
    PreparedScenario(.invalidEncoding, "words for a publicKeyHash") {
      try $0.convert(.publicKeyHash) { _ in "hello world" }
    },
    PreparedScenario(.invalidEncoding, "words for a publicKeyHash that are base64 with plus signs") {
      try $0.convert(.publicKeyHash) { _ in "hello worlds" }
    },
    PreparedScenario(.invalidEncoding, "words for the signature") {
      try $0.convert(.signature) { _ in "not available" }
    },
    PreparedScenario(.invalidEncoding, "a paragraph for the data") {
      try $0.convert(.data) { _ in String(repeating: "this was removed by the filter of the log ", count: 4) }
    },
    PreparedScenario(.invalidEncoding, "a paragraph for the signature") {
      try $0.convert(.signature) { _ in String(repeating: "this was removed by the filter of the log ", count: 4) }
    },
    PreparedScenario(.invalidEncoding, "words for the data that are base64 with plus signs") {
      try $0.convert(.data) { _ in "removed before it was logged" }
    },
    PreparedScenario(.wrongLength, "an empty applicationData") {
      try $0.header { $0["applicationData"] = .string("") }
    },
    PreparedScenario(.wrongLength, "half a publicKeyHash") {
      try $0.convert(.publicKeyHash) { Base64.encode(Array($0.prefix(16))) }
    },
  ]

  // MARK: The input as a whole

  static let inputs: [PreparedScenario] = [
    PreparedScenario(.emptyInput, "nothing") { $0.token = [] },
    PreparedScenario(.tokenTooLarge, "a picture") { $0.token = [UInt8](repeating: 0x41, count: 20_000) },
    PreparedScenario(.byteOrderMark, "saved by an editor") { $0.token = [0xEF, 0xBB, 0xBF] + $0.token },
    PreparedScenario(.byteOrderMark, "UTF-16") { scenario in
      scenario.token = "\u{FEFF}\(scenario.text)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    },
    PreparedScenario(.byteOrderMark, "an array in UTF-32") { scenario in
      scenario.token = "\u{FEFF}[\(scenario.text)]".unicodeScalars.flatMap { scalar in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
      }
    },
    PreparedScenario(.keyFileAsToken, "a certificate in DER") { $0.token = $0.minter.merchants[0].keys[0].certificate },
    PreparedScenario(.keyFileAsToken, "the ephemeral key alone") {
      $0.token = Array(Base64.encode(try $0.minter.layers().ephemeralPublicKey).utf8)
    },
    PreparedScenario(.tooManyMembers, "a token of 70 members") {
      try $0.json { token in
        for index in 0..<70 { token.append("f\(index)", .raw("1")) }
      }
    },
    PreparedScenario(.doubleEncodedJSON, "JSON.stringify twice") { $0.token = JSONText.quoted($0.text) },
    PreparedScenario(.doubleEncodedJSON, "copied from a log with its backslashes") {
      $0.token = JSONText.quoted($0.text).dropFirst().dropLast()
    },
    PreparedScenario(.base64EncodedToken, "base64 of it all") { $0.token = Array(Base64.encode($0.token).utf8) },
    PreparedScenario(.percentEncodedToken, "a form's field") {
      $0.token = Array($0.text.replacing("{", with: "%7B").replacing("\"", with: "%22").utf8)
    },
    PreparedScenario(.wrappedInEnvelope, "the payment of Apple Pay JS") {
      $0.token = Array(#"{"token":{"paymentData":\#($0.text),"transactionIdentifier":"1"}}"#.utf8)
    },
    PreparedScenario(.wrappedInEnvelope, "a gateway's request with the token as a string") {
      let inner = String(decoding: JSONText.quoted($0.text), as: UTF8.self)
      $0.token = Array(#"{"sourceOfFunds":{"devicePayment":{"paymentToken":\#(inner)}}}"#.utf8)
    },
    PreparedScenario(.wrappedInEnvelope, "a gateway's request with the token as base64") {
      $0.token = Array(#"{"apple_pay":{"payment_token":"\#(Base64.encode($0.token))"}}"#.utf8)
    },
    PreparedScenario(.truncatedJSON, "cut by a column of a database") { $0.token = $0.token.dropLast(200) },
    PreparedScenario(.malformedJSON, "a colon is lost") {
      $0.token = Array($0.text.replacing("\"data\":", with: "\"data\" ").utf8)
    },
    PreparedScenario(.duplicateMember, "data twice") {
      try $0.json { $0.append("data", .string("AAAA")) }
    },
  ]

  // MARK: Apple's signature

  static let signatures: [PreparedScenario] = [
    PreparedScenario(.malformedSignature, "re-encoded by a CMS library") {
      try $0.layers { $0.signature[4] ^= 0x01 }
    },
    PreparedScenario(.notSignedByApple, "only the attacker's certificates") {
      try $0.signed { $0.signer.certificates.removeFirst() }
    },
    PreparedScenario(.otherRoot, "a token of a test environment") { $0.anchors = .apple },
    PreparedScenario(.otherRoot, "another PKI") {
      let foreign = $0.minter.foreign
      try $0.signed { $0.signer = TokenSigner(foreign) }
    },
    PreparedScenario(.otherRoot, "a token of a test environment, with its root in the signature") {
      $0.anchors = .apple
      let root = $0.minter.pki.root
      try $0.signed { $0.signer.certificates.append(root) }
    },
    PreparedScenario(.notSignedByApple, "a third certificate that is not the issuer") {
      let other = $0.minter.foreign.root
      try $0.signed { $0.signer.certificates.append(other) }
    },
    PreparedScenario(.brokenChain, "a root of the trusted name") {
      var pki = $0.minter.foreign
      pki.rootRecipe.subject = $0.minter.pki.rootRecipe.subject
      pki.intermediateRecipe.issuer = $0.minter.pki.rootRecipe.subject
      try pki.issue()
      try $0.signed { $0.signer = TokenSigner(pki) }
    },
    PreparedScenario(.certificateRevoked, "the leaf is revoked") {
      let leaf = try Certificate(der: $0.minter.pki.leaf)
      $0.policy = VerificationPolicy(revoked: RevokedCertificates([leaf.fingerprint()]))
    },
    PreparedScenario(.storedTokenCertificateExpired, "a fixture of five years ago") {
      $0.now = Scenario.time.advanced(by: 5 * 366 * Scenario.day)
    },
    PreparedScenario(.forgedSignature, "copied certificates that have expired since, and someone else's signature") {
      $0.now = Scenario.time.advanced(by: 5 * 366 * Scenario.day)
      try $0.signWithCopiedCertificates()
    },
    PreparedScenario(.signerCertificateExpired, "signed after the leaf had expired") {
      $0.now = Scenario.time.advanced(by: 5 * 366 * Scenario.day)
      let now = $0.now
      try $0.signed { $0.signedAt = now }
    },
    PreparedScenario(.certificateNotYetValid, "a clock that stands at 1970") {
      $0.now = UnixTime(secondsSinceEpoch: 0)
    },
    PreparedScenario(.applicationDataBreaksSignature, "the client adds applicationData") {
      try $0.header { $0["applicationData"] = .string(String(repeating: "ab", count: 32)) }
    },
    PreparedScenario(.applicationDataBreaksSignature, "the client drops applicationData") {
      let data = [UInt8](repeating: 7, count: 32)
      try $0.layers {
        $0.applicationData = data
        try $0.sign()
        $0.applicationData = nil
      }
      $0.policy = VerificationPolicy(expectations: Expectations(applicationData: Bytes32(data)))
    },
    PreparedScenario(.signedMemberAltered, "another transactionId") {
      try $0.layers { $0.transactionId[0] ^= 1 }
    },
    PreparedScenario(.forgedSignature, "digest and time patched, the signature left stale") {
      try $0.signed { layers in
        layers.signatureRecipe.editTree = { tree in
          let old = tree[1][0][4][0][5].contents
          tree[1][0][4][0][5] = .octetString(old.dropLast() + [old[old.count - 1] ^ 1])
        }
      }
    },
    PreparedScenario(.forgedSignature, "copied certificates, and a signature over other application data") {
      try $0.signWithCopiedCertificates { $0.applicationData = [UInt8](repeating: 7, count: 32) }
    },
    PreparedScenario(.forgedSignature, "copied certificates, and a signature over another transactionId") {
      try $0.signWithCopiedCertificates { $0.transactionId[0] ^= 1 }
    },
    PreparedScenario(.storedTokenOutsideWindow, "a token of last week") {
      $0.now = Scenario.time.advanced(by: 7 * Scenario.day)
    },
    PreparedScenario(.signedInFuture, "a clock an hour slow") { $0.now = Scenario.time.advanced(by: -3_600) },
    PreparedScenario(.signingTimeOutsideRange, "a token of before the process started") {
      $0.policy = VerificationPolicy(signingTimes: Scenario.time.advanced(by: 1)..<Scenario.time.advanced(by: 9))
    },
  ]
}

extension Scenario {
  /// Signs with another key than that of the certificates, then edits the signed members.
  fileprivate mutating func signWithCopiedCertificates(_ edit: (inout TokenLayers) -> Void = { _ in }) throws {
    let key = minter.foreign.leafKey
    try layers {
      $0.signer.key = key
      try $0.sign()
      edit(&$0)
    }
  }

  /// The token as text.
  var text: String { String(decoding: token, as: UTF8.self) }

  /// Replaces the token by the default one, with a member that is written in another way.
  mutating func convert(_ member: TokenMember, _ write: ([UInt8]) -> String) throws {
    let layers = try minter.layers()
    switch member {
    case .data: try json { $0["data"] = .string(write(layers.data)) }
    case .signature: try json { $0["signature"] = .string(write(layers.signature)) }
    case .ephemeralPublicKey: try header { $0["ephemeralPublicKey"] = .string(write(layers.ephemeralPublicKey)) }
    case .publicKeyHash: try header { $0["publicKeyHash"] = .string(write(layers.publicKeyHash)) }
    default: try header { $0["transactionId"] = .string(write(layers.transactionId)) }
    }
  }
}
