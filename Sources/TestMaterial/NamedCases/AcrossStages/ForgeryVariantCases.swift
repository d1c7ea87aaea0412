import Minting
import PaymentToken

/// Variants of the forgeries: boundaries moved by other distances and in the other direction, other curve parameters,
/// and forgeries of EC_v1 under RSA_v1.
extension CaseList {
  mutating func addForgeryVariantCases() {
    underBothVersions { list in
      list.addIdentifierBoundaryForgeries()
      list.addShiftForgeries()
    }
    addKeyBoundaryForgeries()
    addCurveForgeries()
    addRSAForgeryVariants()
  }

  /// Signed bytes moved into a member that they do not fit.
  private mutating func moved(
    _ letter: Forgery, _ name: CaseName, _ member: TokenMember, note: String = "", _ build: @escaping Build
  ) {
    reject("4.3", .forgery(letter, name), .invalidLength, member, note: note, build)
  }

  /// Forgery H: moves the boundary between transactionId and applicationData.
  private mutating func addIdentifierBoundaryForgeries() {
    for count in [1, 16, 31] {
      moved(.h, "\(count)-bytes-of-application-data-moved-into-the-transaction-id", .transactionId) { draft in
        let data = try draft.signApplicationData()
        draft.layers.transactionId += data.prefix(count)
        draft.layers.applicationData = Array(data.dropFirst(count))
      }
    }
    for count in [1, 16, 31, 32] {
      moved(.h, "\(count)-bytes-of-the-transaction-id-moved-into-application-data", .transactionId) { draft in
        let data = try draft.signApplicationData()
        draft.layers.applicationData = draft.layers.transactionId.suffix(count) + data
        draft.layers.transactionId.removeLast(count)
      }
    }
    moved(.h, "half-of-the-transaction-id-as-application-data", .transactionId, note: "of a token without any") {
      draft in
      draft.layers.applicationData = Array(draft.layers.transactionId.suffix(16))
      draft.layers.transactionId.removeLast(16)
    }
  }

  /// Forgery M: moves the boundaries between data, transactionId and applicationData.
  private mutating func addShiftForgeries() {
    reject(
      "12.1", .forgery(.m, "the-transaction-id-as-application-data"), .decryptionFailed,
      note: "of a token without any: the tag and what lies before it become the transactionId"
    ) { $0.shiftDown(32) }
    for count in [1, 16, 31, 33] {
      moved(.m, "the-members-shifted-down-by-\(count)-bytes", .applicationData) { $0.shiftDown(count) }
    }
    for count in [1, 16, 31] {
      moved(.m, "the-members-shifted-up-by-\(count)-bytes", .applicationData) { draft in
        let applicationData = try draft.signApplicationData()
        let tail = draft.layers.transactionId + applicationData
        draft.layers.data += tail.prefix(count)
        draft.layers.transactionId = Array(tail[count..<count + 32])
        draft.layers.applicationData = Array(tail[(count + 32)...])
      }
    }
  }

  /// Forgery M: moves the boundary between ephemeralPublicKey and data.
  private mutating func addKeyBoundaryForgeries() {
    for count in [1, 16, 32] {
      moved(.m, "\(count)-bytes-moved-from-the-data-into-the-ephemeral-key", .ephemeralPublicKey) { draft in
        draft.layers.ephemeralPublicKey += draft.layers.data.prefix(count)
        draft.layers.data.removeFirst(count)
      }
      moved(.m, "\(count)-bytes-moved-from-the-ephemeral-key-into-the-data", .ephemeralPublicKey) { draft in
        draft.layers.data = draft.layers.ephemeralPublicKey.suffix(count) + draft.layers.data
        draft.layers.ephemeralPublicKey.removeLast(count)
      }
    }
    moved(.m, "all-of-the-ephemeral-key-moved-into-the-data", .ephemeralPublicKey) { draft in
      draft.layers.data = draft.layers.ephemeralPublicKey + draft.layers.data
      draft.layers.ephemeralPublicKey = []
    }
  }

  /// Forgery K: an ephemeral key with other parameters than the name of P-256.
  private mutating func addCurveForgeries() {
    let edits: Named<@Sendable (inout ASN1Node, [UInt8]) -> Void> = [
      "with-a-generator-of-the-attacker": { $0[3].contents = $1 },
      "with-another-b": { parameters, _ in parameters[2][1].contents[31] ^= 1 },
      "with-another-order": { parameters, _ in parameters[4].contents[32] ^= 2 },
      "without-a-cofactor": { parameters, _ in parameters.children.removeLast() },
      "with-a-compressed-generator": { parameters, _ in
        let generator = parameters[3].contents
        parameters[3].contents = [2 + (generator[64] & 1)] + generator[1...32]
      },
    ]
    for (name, edit) in edits {
      reject(
        "4.3", .forgery(.k, .standing(.sameCurve, "explicit-parameters-\(name)")), .invalidLength, .ephemeralPublicKey
      ) { draft in
        var parameters = ExplicitParameters.p256
        edit(&parameters, draft.layers.ephemeral.point)
        try draft.ephemeral(parameters: parameters)
      }
    }
    let short: Named<[ASN1Node]> = [
      "explicit-parameters-cut-to-91-bytes": [ExplicitParameters.p256],
      .standing(.sameCurve, "implicit-parameters-in-91-bytes"): [.null],
      .standing(.sameCurve, "no-parameters-in-91-bytes"): [],
    ]
    for (name, parameters) in short {
      reject("11.1", .forgery(.k, name), .invalidEphemeralKey) { draft in
        let point = draft.layers.ephemeral.point
        let info = CaseList.info(point, parameters).encoded
        try draft.ephemeral(Array((info + zeros(91)).prefix(91)), point: point)
      }
    }
  }
}

extension CaseDraft {
  /// The last bytes of data‖transactionId become applicationData, and the 32 bytes before them become transactionId.
  fileprivate mutating func shiftDown(_ count: Int) {
    let bytes = layers.data + layers.transactionId
    let end = bytes.count - count
    layers.applicationData = Array(bytes[end...])
    layers.transactionId = Array(bytes[(end - 32)..<end])
    layers.data = Array(bytes[..<(end - 32)])
  }
}

/// The forgeries that apply to RSA_v1, and those that only the variable length of its wrapped key makes possible.
extension CaseList {
  mutating func addRSAForgeryCases() {
    underRSA(
      "forgery-a-self-signed-intermediate", "forgery-a-intermediate-with-the-genuine-names-and-serial-number",
      "forgery-b-genuine-certificates-and-a-signer-at-position-1",
      "forgery-b-genuine-certificates-and-a-signer-at-position-2",
      "forgery-b-genuine-certificates-and-a-signer-at-position-3")
    underRSA(
      "forgery-c-issuer-and-serial-number-of-the-leaf-instead-of-the-leaf",
      as: "forgery-c-issuer-and-serial-number-of-the-leaf")
    underRSA(
      "forgery-e-certificates-of-the-attacker-alone", "forgery-e-certificates-of-the-attacker-with-his-root")
    rsa(
      "6.1", .with(.nearForgery, "forgery-e-the-merchant-s-certificate-as-the-leaf"), .missingLeafMarker,
      note: "its key is RSA too"
    ) {
      draft in
      let key = draft.minter.rsaMerchants[0].keys[0]
      draft.layers.signer.rsaKey = key.pair
      try draft.certificates { $0[0] = key.certificate }
    }
    underRSA("forgery-d-digest-patched-alone", as: "forgery-d-digest-patched-and-the-value-stale")
    underRSA(
      "forgery-f-any-application-data-over-the-genuine-token", "forgery-g-ciphertext-bit-flipped-under-the-old-tag",
      "forgery-g-ciphertext-bit-flipped-under-the-old-tag-and-signed",
      "forgery-h-application-data-moved-into-the-transaction-id")
    addShortData([0, 15, 16])
    underRSA(
      "forgery-l-is-none-a-transaction-id-of-32-leading-zeros", as: "forgery-l-is-none-a-transaction-id-of-32-zeros")
    addWrappedKeyBoundaryForgeries()
    underRSA("forgery-m-the-members-shifted-under-the-genuine-signature")
  }

  mutating func addRSAForgeryVariants() {
    underRSA(
      "forgery-c-issuer-and-serial-number-of-the-leaf-first",
      "forgery-c-issuer-and-serial-number-of-the-leaf-first-with-the-marker",
      "forgery-d-digest-and-time-patched-and-the-value-stale",
      "forgery-f-the-signature-of-another-token-and-application-data")
    addShortData(1...14)
  }

  /// Forgery J: data that is shorter than a tag and one byte.
  private mutating func addShortData(_ counts: some Sequence<Int>) {
    for count in counts {
      underRSA(
        "forgery-j-data-of-\(count)-bytes-shorter-than-a-tag-and-one", as: "forgery-j-data-of-\(count)-bytes")
    }
  }

  /// Forgery M: moves the boundary between wrappedKey and data.
  private mutating func addWrappedKeyBoundaryForgeries() {
    for count in [1, 16, 128, 256] {
      rsa(
        "11.5", .forgery(.m, "\(count)-bytes-moved-from-the-data-into-the-wrapped-key"), .decryptionFailed,
        note: "the same signed bytes: the wrapped key's length is not exact, and must be the modulus's"
      ) { draft in
        draft.layers.wrappedKey += draft.layers.data.prefix(count)
        draft.layers.data.removeFirst(count)
      }
      rsa(
        "11.5", .forgery(.m, "\(count)-bytes-moved-from-the-wrapped-key-into-the-data"), .decryptionFailed, key: 2,
        note: "the same signed bytes"
      ) { draft in
        draft.layers.data = draft.layers.wrappedKey.suffix(count) + draft.layers.data
        draft.layers.wrappedKey.removeLast(count)
      }
    }
    rsa(
      "11.5", .forgery(.m, "the-wrapped-key-shifted-under-the-hash-of-a-shorter-key"), .decryptionFailed, key: 2,
      note: "the same signed bytes, and a length that fits the other key"
    ) { draft in
      draft.layers.data = draft.layers.wrappedKey.suffix(256) + draft.layers.data
      draft.layers.wrappedKey.removeLast(256)
      draft.layers.publicKeyHash = draft.minter.rsaMerchants[0].keys[0].publicKeyHash
    }
  }
}
