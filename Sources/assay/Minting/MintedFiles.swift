import Minting
import PaymentToken

/// What `assay mint` makes, with the names of the files it is written to.
struct MintedFiles {
  struct File {
    let name: String
    let bytes: [UInt8]
    var secret = false
  }

  static let root = "root.pem"
  static let key = "merchant.key"
  static let certificate = "merchant.pem"

  let tokens: [File]
  /// The key, its certificate and the root that open the tokens.
  let others: [File]
  /// Options of `assay decrypt` beside those that name the files.
  let options: [String]

  /// - Parameters:
  ///   - tokens: as a merchant would receive them.
  ///   - roots: DER.
  ///   - key: the merchant key they are for.
  ///   - time: the verification time.
  ///   - options: what else the verification needs.
  init(tokens: [[UInt8]], roots: [[UInt8]], key: TestMerchant.Key, at time: UnixTime, options: [String] = []) {
    self.tokens = tokens.enumerated().map { index, bytes in
      File(name: tokens.count == 1 ? "token.json" : "token-\(index + 1).json", bytes: bytes)
    }
    others = [
      File(name: MintedFiles.root, bytes: Array(roots.map(PEM.certificate).joined().utf8)),
      File(name: MintedFiles.key, bytes: Array(key.pkcs8PEM.utf8), secret: true),
      File(name: MintedFiles.certificate, bytes: Array(key.certificatePEM.utf8)),
    ]
    self.options = ["--at", time.rfc3339] + options
  }

  /// Writes all files into a folder, which is made if it is not there.
  ///
  /// - Parameter replacing: whether files of the same names may go; otherwise one that is there stops everything.
  func write(to folder: String, replacing: Bool) throws(CommandError) {
    try FileWriter.makeFolder(folder)
    let files = others + tokens
    if !replacing, let there = files.first(where: { FileWriter.exists("\(folder)/\($0.name)") }) {
      throw CommandError(
        .noAnswer, "\(Text.harmless(folder))/\(there.name) is there already; --force replaces it.")
    }
    for file in files {
      try FileWriter.write(
        file.bytes, to: "\(folder)/\(file.name)", visibility: file.secret ? .ownerOnly : .everyone,
        replacing: replacing)
    }
  }

  /// The command that opens the first token once the files lie in `folder`.
  func decryptCommand(in folder: String) -> String {
    let words =
      ["assay", "decrypt", "\(folder)/\(tokens[0].name)", "--key", "\(folder)/\(MintedFiles.key)"]
      + ["--cert", "\(folder)/\(MintedFiles.certificate)", "--root", "\(folder)/\(MintedFiles.root)"] + options
    return words.map(MintedFiles.quoted).joined(separator: " ")
  }

  /// A word as a POSIX shell reads it back.
  private static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "="):
        true
      default: false
      }
    }
    if plain && !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
