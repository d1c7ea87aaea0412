import Minting
import PaymentToken

/// More of the forgeries that public decryptors accepted: boundaries moved by other steps and the other way, other curves,
/// and under RSA_v1 what was known of EC_v1 alone.
extension CaseList {
  mutating func addForgeryVariantCases() {
    for version in [TokenVersion.ecV1, .rsaV1] {
      addIdentifierBoundaryForgeries(version)
      addShiftForgeries(version)
    }
    addKeyBoundaryForgeries()
    addCurveForgeries()
    addRSAVariants()
  }

  private mutating func forgery(
    _ clause: String, _ name: String, _ version: TokenVersion, _ fault: TokenFault, note: String = "",
    _ build: @escaping Build
  ) {
    switch version {
    case .ecV1: reject(clause, "forgery-\(name)", fault.code, fault.member, note: note, build)
    case .rsaV1: rsa(clause, "forgery-\(name)", fault.code, fault.member, note: note, build)
    }
  }

  /// H: between transactionId and applicationData.
  private mutating func addIdentifierBoundaryForgeries(_ version: TokenVersion) {
    let fault = TokenFault(.invalidLength, member: .transactionId)
    for count in [1, 16, 31] {
      forgery("4.3", "h-\(count)-octets-of-application-data-moved-into-the-transaction-id", version, fault) {
        draft throws(MintingError) in
        let data = try draft.signApplicationData()
        draft.layers.transactionId += data.prefix(count)
        draft.layers.applicationData = Array(data.dropFirst(count))
      }
    }
    for count in [1, 16, 31, 32] {
      forgery("4.3", "h-\(count)-octets-of-the-transaction-id-moved-into-application-data", version, fault) {
        draft throws(MintingError) in
        let data = try draft.signApplicationData()
        draft.layers.applicationData = draft.layers.transactionId.suffix(count) + data
        draft.layers.transactionId.removeLast(count)
      }
    }
    forgery(
      "4.3", "h-half-of-the-transaction-id-as-application-data", version, fault, note: "of a token without any"
    ) { draft in
      draft.layers.applicationData = Array(draft.layers.transactionId.suffix(16))
      draft.layers.transactionId.removeLast(16)
    }
  }

  /// M: from the end of the data through both.
  private mutating func addShiftForgeries(_ version: TokenVersion) {
    forgery(
      "12.1", "m-the-transaction-id-as-application-data", version, TokenFault(.decryptionFailed),
      note: "of a token without any: the tag and what lies before it become the transactionId"
    ) { $0.shiftDown(32) }
    for count in [1, 16, 31, 33] {
      forgery(
        "4.3", "m-the-members-shifted-down-by-\(count)-octets", version,
        TokenFault(.invalidLength, member: .applicationData)
      ) { $0.shiftDown(count) }
    }
    for count in [1, 16, 31] {
      forgery(
        "4.3", "m-the-members-shifted-up-by-\(count)-octets", version,
        TokenFault(.invalidLength, member: .applicationData)
      ) { draft throws(MintingError) in
        let applicationData = try draft.signApplicationData()
        let tail = draft.layers.transactionId + applicationData
        draft.layers.data += tail.prefix(count)
        draft.layers.transactionId = Array(tail[count..<count + 32])
        draft.layers.applicationData = Array(tail[(count + 32)...])
      }
    }
  }

  /// M: between the key field and the data of EC_v1.
  private mutating func addKeyBoundaryForgeries() {
    let fault = TokenFault(.invalidLength, member: .ephemeralPublicKey)
    for count in [1, 16, 32] {
      forgery("4.3", "m-\(count)-octets-moved-from-the-data-into-the-ephemeral-key", .ecV1, fault) { draft in
        draft.layers.ephemeralPublicKey += draft.layers.data.prefix(count)
        draft.layers.data.removeFirst(count)
      }
      forgery("4.3", "m-\(count)-octets-moved-from-the-ephemeral-key-into-the-data", .ecV1, fault) { draft in
        draft.layers.data = draft.layers.ephemeralPublicKey.suffix(count) + draft.layers.data
        draft.layers.ephemeralPublicKey.removeLast(count)
      }
    }
    forgery("4.3", "m-all-of-the-ephemeral-key-moved-into-the-data", .ecV1, fault) { draft in
      draft.layers.data = draft.layers.ephemeralPublicKey + draft.layers.data
      draft.layers.ephemeralPublicKey = []
    }
  }

  /// K: the parameters of P-256, edited, in the ephemeral key.
  private mutating func addCurveForgeries() {
    let fault = TokenFault(.invalidLength, member: .ephemeralPublicKey)
    let edits: [(String, @Sendable (inout ASN1Node, [UInt8]) -> Void)] = [
      ("with-a-generator-of-the-attacker", { $0[3].contents = $1 }),
      ("with-another-b", { parameters, _ in parameters[2][1].contents[31] ^= 1 }),
      ("with-another-order", { parameters, _ in parameters[4].contents[32] ^= 2 }),
      ("without-a-cofactor", { parameters, _ in parameters.children.removeLast() }),
      (
        "with-a-compressed-generator",
        { parameters, _ in
          let generator = parameters[3].contents
          parameters[3].contents = [2 + (generator[64] & 1)] + generator[1...32]
        }
      ),
    ]
    for (name, edit) in edits {
      forgery("4.3", "k-explicit-parameters-\(name)", .ecV1, fault) { draft throws(MintingError) in
        let point = draft.layers.ephemeral.point
        var parameters = ExplicitParameters.p256
        edit(&parameters, point)
        let info = ASN1Node.sequence([.sequence([OID.ecPublicKey, parameters]), .bitString(point)])
        try draft.ephemeral(info.encoded, point: point)
      }
    }
    let short: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
      (
        "explicit-parameters-cut-to-91-octets",
        { ASN1Node.sequence([.sequence([OID.ecPublicKey, ExplicitParameters.p256]), .bitString($0)]).encoded }
      ),
      (
        "implicit-parameters-in-91-octets",
        { ASN1Node.sequence([.sequence([OID.ecPublicKey, .null]), .bitString($0)]).encoded }
      ),
      (
        "no-parameters-in-91-octets",
        { ASN1Node.sequence([.sequence([OID.ecPublicKey]), .bitString($0)]).encoded }
      ),
    ]
    for (name, make) in short {
      forgery("11.1", "k-\(name)", .ecV1, TokenFault(.invalidEphemeralKey)) { draft throws(MintingError) in
        let point = draft.layers.ephemeral.point
        try draft.ephemeral(Array((make(point) + [UInt8](repeating: 0, count: 91)).prefix(91)), point: point)
      }
    }
  }

  private mutating func addRSAVariants() {
    for (name, isMarked) in [("first", false), ("first-with-the-marker", true)] {
      rsa(
        isMarked ? "6.1" : "6.3", "forgery-c-issuer-and-serial-number-of-the-leaf-\(name)",
        isMarked ? .missingLeafMarker : .unexpectedCertificate
      ) { draft throws(MintingError) in
        let genuine = draft.minter.pki
        var pki = draft.minter.foreign
        pki.rsaLeafRecipe.issuer = genuine.rsaLeafRecipe.issuer
        pki.rsaLeafRecipe.serial = genuine.rsaLeafRecipe.serial
        if !isMarked { pki.rsaLeafRecipe.replaceExtension(OID.leafMarker, with: nil) }
        try pki.issueLeaf()
        draft.layers.signer = TokenSigner(pki, version: .rsaV1)
        draft.layers.signer.certificates = [pki.rsaLeaf, genuine.rsaLeaf, genuine.intermediate]
        try draft.layers.sign()
      }
    }
    rsa("8.2", "forgery-d-digest-and-time-patched-and-the-value-stale", .signatureMismatch) {
      draft throws(MintingError) in
      let old = try draft.anotherToken()
      let attributes = SignedDataRecipe().signedAttributes(
        digest: Hashing.sha256(old.signedContent), at: draft.minter.time.advanced(by: -86_400),
        signedWith: Algorithms.rsaSHA256)
      guard let value = try old.signer.rsaKey?.sign(ASN1Node.set(attributes).encoded, .sha256) else {
        throw .recipe("an RSA key")
      }
      draft.layers.signatureRecipe.editValue = { $0 = value }
      try draft.layers.sign()
    }
    rsa("8.1", "forgery-f-the-signature-of-another-token-and-application-data", .signatureMismatch) {
      draft throws(MintingError) in
      draft.layers.signature = try draft.anotherToken().signature
      draft.layers.applicationData = draft.stream.bytes(32)
    }
    for count in 1...14 {
      rsa("4.3", "forgery-j-data-of-\(count)-octets", .invalidLength, .data) { draft throws(MintingError) in
        draft.layers.data = draft.stream.bytes(count)
        try draft.layers.sign()
      }
    }
  }
}

extension CaseDraft {
  /// Has the genuine token sign application data, and returns it.
  fileprivate mutating func signApplicationData() throws(MintingError) -> [UInt8] {
    let data = stream.bytes(32)
    layers.applicationData = data
    try layers.sign()
    return data
  }

  /// The last octets of data‖transactionId become application data, the 32 before them the transactionId.
  fileprivate mutating func shiftDown(_ count: Int) {
    let octets = layers.data + layers.transactionId
    let end = octets.count - count
    layers.applicationData = Array(octets[end...])
    layers.transactionId = Array(octets[(end - 32)..<end])
    layers.data = Array(octets[..<(end - 32)])
  }
}
