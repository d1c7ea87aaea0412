import HostIO
import Minting
import PaymentToken
import Reports
import StrictJSON
import TestCases

struct MintedFiles {
  struct File {
    let name: String
    let bytes: [UInt8]
    var secret = false
  }

  static let root = "root.pem"
  static let key = "merchant.key"
  static let certificate = "merchant.pem"
  static let revoked = "revoked.txt"

  let tokens: [File]
  /// The roots, then, if there are any, the keys, their certificates and the list of revoked certificates.
  let others: [File]
  /// Options of `assay decrypt` in addition to those that name files here.
  let options: [String]

  /// - Parameters:
  ///   - tokens: as a merchant receives them, bare or in requests.
  ///   - stem: the beginning of their file names.
  ///   - roots: DER.
  ///   - keys: the merchant keys to open them with; empty for a merchant's own key, which `options` then name.
  ///   - revoked: digests of revoked certificates.
  ///   - options: other options of `assay decrypt`, including the time.
  init(
    tokens: [[UInt8]], named stem: String = "token", roots: [[UInt8]], keys: [TestKey], revoked: [Bytes32] = [],
    options: [String]
  ) {
    self.tokens = tokens.enumerated().map { index, bytes in
      File(name: tokens.count == 1 ? "\(stem).json" : "\(stem)-\(index + 1).json", bytes: bytes)
    }
    var others = [File(name: MintedFiles.root, bytes: Array(roots.map(PEM.certificate).joined().utf8))]
    if !keys.isEmpty {
      others += [
        File(name: MintedFiles.key, bytes: Array(keys.map(\.privateKeyPem).joined().utf8), secret: true),
        File(name: MintedFiles.certificate, bytes: Array(keys.compactMap(\.certificatePem).joined().utf8)),
      ]
    }
    if !revoked.isEmpty {
      others.append(File(name: MintedFiles.revoked, bytes: Array(revoked.map { "\($0.hex)\n" }.joined().utf8)))
    }
    self.others = others
    self.options = options
  }

  /// Writes all files to a folder, which is made if necessary. A failure leaves no new file behind.
  ///
  /// - Parameter replacing: whether existing files are replaced; otherwise one existing file stops everything.
  func write(to folder: String, replacing: Bool) throws(CommandError) {
    try FileWriter.makeFolder(folder)
    let files = (others + tokens).map { file in
      FileWriter.Content(file.bytes, to: "\(folder)/\(file.name)", visibility: file.secret ? .ownerOnly : .everyone)
    }
    for file in files { try FileWriter.checkName(file.path, replacing: replacing) }
    try FileWriter.write(files, replacing: replacing)
  }

  /// The command that decrypts the first token after the files were written to `folder`.
  func decryptCommand(in folder: String) -> String {
    var words = ["assay", "decrypt", "\(folder)/\(tokens[0].name)"]
    for (option, name) in [
      ("--key", MintedFiles.key), ("--cert", MintedFiles.certificate), ("--root", MintedFiles.root),
      ("--revoked", MintedFiles.revoked),
    ] where others.contains(where: { $0.name == name }) {
      words += [option, "\(folder)/\(name)"]
    }
    words += options
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}

struct MintReport {
  let files: MintedFiles
  let seed: UInt64
  let time: UnixTime
  /// Nil if it is unknown, or only its hash is known.
  let merchantIdentifier: String?
  let verdict: String
  /// The folder of the files; nil if they were not written.
  let folder: String?

  /// The document `assay.mint/1`: the content of all files, tokens as base64.
  var json: JSON {
    func text(_ name: String) -> String? {
      files.others.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    return [
      "schema": "assay.mint/1", "seed": String(seed), "at": time.rfc3339, "merchantId": merchantIdentifier,
      "rootPem": text(MintedFiles.root), "privateKeyPem": text(MintedFiles.key),
      "certificatePem": text(MintedFiles.certificate), "tokens": files.tokens.map { Base64.encode($0.bytes) },
      "expected": verdict, "revoked": text(MintedFiles.revoked), "decryptOptions": files.options, "folder": folder,
    ]
  }

  var text: String {
    let folder = folder ?? "."
    var rows: [(name: String, value: String)] = [("seed", String(seed)), ("signed at", time.rfc3339)]
    if let merchantIdentifier { rows.append(("merchant", Text.harmless(merchantIdentifier))) }
    let names = (files.others + files.tokens.prefix(1)).map { Text.unbroken("\(Text.harmless(folder))/\($0.name)") }
    rows += [("files", names.joined(separator: " ")), ("expected", verdict)]
    if files.tokens.count > 1 { rows.append(("tokens", String(files.tokens.count))) }
    return (Text.pairs(rows) + ["", Text.unbroken(files.decryptCommand(in: folder))]).joined(separator: "\n") + "\n"
  }
}
