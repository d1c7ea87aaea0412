import Minting
import PaymentToken

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
    rsa("6.1", "forgery-e-the-merchant-s-certificate-as-the-leaf", .missingLeafMarker, note: "its key is RSA too") {
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

  /// J: shorter than a tag and one byte.
  private mutating func addShortData(_ counts: some Sequence<Int>) {
    for count in counts {
      underRSA(
        "forgery-j-data-of-\(count)-octets-shorter-than-a-tag-and-one", as: "forgery-j-data-of-\(count)-octets")
    }
  }

  /// M: between the wrapped key and the data.
  private mutating func addWrappedKeyBoundaryForgeries() {
    for count in [1, 16, 128, 256] {
      rsa(
        "11.5", "forgery-m-\(count)-octets-moved-from-the-data-into-the-wrapped-key", .decryptionFailed,
        note: "the same signed bytes: the wrapped key's length is not exact, and must be the modulus's"
      ) { draft in
        draft.layers.wrappedKey += draft.layers.data.prefix(count)
        draft.layers.data.removeFirst(count)
      }
      rsa(
        "11.5", "forgery-m-\(count)-octets-moved-from-the-wrapped-key-into-the-data", .decryptionFailed, key: 2,
        note: "the same signed bytes"
      ) { draft in
        draft.layers.data = draft.layers.wrappedKey.suffix(count) + draft.layers.data
        draft.layers.wrappedKey.removeLast(count)
      }
    }
    rsa(
      "11.5", "forgery-m-the-wrapped-key-shifted-under-the-hash-of-a-shorter-key", .decryptionFailed, key: 2,
      note: "the same signed bytes, and a length that fits the other key"
    ) { draft in
      draft.layers.data = draft.layers.wrappedKey.suffix(256) + draft.layers.data
      draft.layers.wrappedKey.removeLast(256)
      draft.layers.publicKeyHash = draft.minter.rsaMerchants[0].keys[0].publicKeyHash
    }
  }
}
