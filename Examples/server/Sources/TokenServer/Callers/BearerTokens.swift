import CDigest
import MerchantKeys

/// The SHA-256 of a bearer token. All digests have the same length, so a comparison does not reveal a token's length.
struct BearerDigest: Equatable, Sendable {
  fileprivate let bytes: [UInt8]

  init(of secret: UnsafeBufferPointer<UInt8>) {
    bytes = [UInt8](unsafeUninitializedCapacity: Int(crypto_hash_sha256_BYTES)) { buffer, count in
      guard let digest = buffer.baseAddress else { return }
      crypto_hash_sha256(digest, secret.baseAddress, UInt64(secret.count))
      count = buffer.count
    }
  }
}

/// The bearer tokens of which a caller must show one (RFC 6750). Only their digests are kept.
struct BearerTokens: Sendable {
  private let digests: [BearerDigest]

  private static var sizes: ClosedRange<Int> { 32...512 }
  private static var most: Int { 16 }

  /// Reads a file with a bearer token on each line. Several let callers change from one to the next.
  init(reading path: String) throws(KeyLoadingError) {
    var file = try KeyFile(reading: path, for: "--bearer-token-file", password: nil)
    defer { file.wipe() }
    // When this function returns, nothing shares the file's bytes, so `wipe` overwrites them and not a copy.
    digests = try Self.digests(ofLinesIn: file.bytes, path)
  }

  private static func digests(ofLinesIn text: [UInt8], _ path: String) throws(KeyLoadingError) -> [BearerDigest] {
    let lines = text.split(separator: UInt8(ascii: "\n"))
    guard (1...most).contains(lines.count) else {
      throw KeyLoadingError(path, "has \(lines.count) bearer tokens in place of 1 to \(most), one a line")
    }
    if let index = lines.firstIndex(where: { !isWellFormed($0) }) {
      throw KeyLoadingError(
        path,
        "has a bearer token, number \(index + 1), that is not \(sizes.lowerBound) to \(sizes.upperBound) letters, digits and -._~+/ with = at its end"
      )
    }
    return lines.map { line in line.withUnsafeBufferPointer { BearerDigest(of: $0) } }
  }

  /// Whether a digest is that of one of the tokens. Compares it with every token's digest, also after a match.
  func contain(_ digest: BearerDigest) -> Bool {
    var isFound = false
    for known in digests where sodium_memcmp(known.bytes, digest.bytes, known.bytes.count) == 0 { isFound = true }
    return isFound
  }

  /// The characters of RFC 6750 section 2.1.
  private static func isWellFormed(_ line: ArraySlice<UInt8>) -> Bool {
    let padding = line.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return sizes.contains(line.count) && padding < line.count
      && line.dropLast(padding).allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
  }
}
