import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Merchant IDs that might be the right one for a key, each once, the likeliest first.
struct MerchantIDCandidates {
  /// A merchant ID, or the hash of an unknown one.
  struct Candidate: Hashable {
    let name: String
    let hash: Bytes32
  }

  private(set) var all: [Candidate] = []

  /// - Parameters:
  ///   - key: the key whose merchant ID seems wrong.
  ///   - keys: all that are loaded; what their certificates know may be right for this one.
  ///   - given: merchant IDs to try, or hashes of such.
  init(for key: MerchantKey, among keys: [MerchantKey], given: [String]) {
    for text in given { add(text) }
    for other in [key] + keys {
      if let certificate = other.certificate, let name = DistinguishedName(certificate.subject).userID { add(name) }
      if let hash = other.certificate?.certifiedMerchantIDHash { add(hash) }
      if let name = other.merchantID { add(name) }
    }
    if let text = key.merchantID { addSlips(of: text) }
  }

  private static let prefix = "merchant."

  /// What is often got wrong: spaces, capitals, the prefix of Apple's portal.
  private mutating func addSlips(of text: String) {
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
