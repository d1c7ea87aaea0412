import Minting
import PaymentToken

/// The names of samples' files: the first half of the SHA-256 of their contents, in hexadecimal. A file that was
/// emptied by a loss of power, or of which another machine has copied only a part, is recognized by its name.
enum SampleName {
  static func of(_ bytes: [UInt8]) -> String { Hex.encode(Hashing.sha256(bytes).prefix(16)) }

  /// Whether a file has a name of this form. libFuzzer's names have another length, and users choose other names.
  static func isDigest(_ name: some StringProtocol) -> Bool {
    name.utf8.count == 32 && name.utf8.allSatisfy("0123456789abcdef".utf8.contains)
  }

  /// Whether a file contains something else than its name says.
  static func isDamaged(_ bytes: [UInt8], named name: some StringProtocol) -> Bool {
    isDigest(name) && of(bytes) != name
  }
}
