import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Merchant IDs that may be the right one for a key, without repetition, the likeliest first.
struct MerchantIDCandidates {
  /// A merchant ID, or the hash of an unknown one.
  struct Candidate: Hashable {
    let name: String
    let hash: Bytes32
  }

  private(set) var all: [Candidate] = []

  /// - Parameters:
  ///   - key: the key whose merchant ID seems wrong.
  ///   - keys: all loaded keys, whose merchant IDs are candidates too.
  ///   - given: merchant IDs, or hashes of merchant IDs, that the user wants to try.
  init(for key: MerchantKey, among keys: [MerchantKey], given: [String]) {
    for text in given { add(text) }
    for other in [key] + keys {
      if let name = other.certificate?.subjectText(ObjectIdentifiers.userID) { add(name) }
      if let hash = other.certificate?.certifiedMerchantIDHash { add(hash) }
      if let name = other.merchantID { add(name) }
    }
    if let text = key.merchantID { addVariants(of: text) }
  }

  private static let prefix = "merchant."

  /// Adds variants for common mistakes: spaces, capitals, the prefix `merchant.`.
  private mutating func addVariants(of text: String) {
    let bare = String(decoding: text.utf8.filter { $0 > 0x20 }, as: UTF8.self)
    for variant in [bare, bare.lowercased()] {
      add(variant)
      add(MerchantIDCandidates.prefix + variant)
      if variant.hasPrefix(MerchantIDCandidates.prefix) {
        add(String(variant.dropFirst(MerchantIDCandidates.prefix.count)))
      }
    }
  }

  private mutating func add(_ text: String) {
    append(Candidate(name: text, hash: SHA256.digest(Array(text.utf8))))
    if let hash = Bytes32(hex: text) { add(hash) }
  }

  private mutating func add(_ hash: Bytes32) {
    append(Candidate(name: "merchant-ID hash \(hash.hex)", hash: hash))
  }

  private mutating func append(_ candidate: Candidate) {
    if !all.contains(where: { $0.hash == candidate.hash }) { all.append(candidate) }
  }
}
