import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Merchant IDs that may be the right one for a key, without repetition, the likeliest first.
struct MerchantIDCandidates {
  /// A merchant ID, or the hash of an unknown one.
  struct Candidate: Hashable {
    let name: String
    let hash: Bytes32
    /// Whether `name` is the merchant ID.
    let isNamed: Bool
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
    let bare = String(streamSafe: text.utf8.filter { MerchantIDCandidates.isAllowed($0) })
    for variant in [bare, bare.lowercased()] {
      add(variant)
      add(MerchantIDCandidates.prefix + variant)
      // The prefix may be in capitals, repeated, or preceded by a team identifier.
      guard let start = variant.lowercased().ranges(of: MerchantIDCandidates.prefix).last?.upperBound else { continue }
      // The text is ASCII, so the index into its lowercased copy is also valid in the variant.
      let identifier = String(variant[start...])
      add(MerchantIDCandidates.prefix + identifier)
      add(identifier)
    }
  }

  /// Merchant IDs are printable ASCII without spaces and quotation marks.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
  }

  private mutating func add(_ text: String) {
    append(Candidate(name: text, hash: SHA256.digest(Array(text.utf8)), isNamed: true))
    if let hash = Bytes32(hex: text) { add(hash) }
  }

  private mutating func add(_ hash: Bytes32) {
    append(Candidate(name: "merchant-ID hash \(hash.hex)", hash: hash, isNamed: false))
  }

  private mutating func append(_ candidate: Candidate) {
    if !all.contains(where: { $0.hash == candidate.hash }) { all.append(candidate) }
  }
}
