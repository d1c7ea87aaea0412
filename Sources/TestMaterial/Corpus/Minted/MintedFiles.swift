import HostIO
import Minting
import NamedCases
import PaymentToken
import Reports
import StrictJSON
import TestCases

/// Minted tokens and what opens them, as files: the answer of `assay mint`.
package struct MintedFiles {
  private struct File {
    let name: String
    let bytes: [UInt8]
    var secret = false
  }

  private static let root = "root.pem"
  private static let key = "merchant.key"
  private static let certificate = "merchant.pem"
  private static let revoked = "revoked.txt"

  private let tokens: [File]
  /// The roots, then, if there are any, the keys, their certificates and the list of revoked certificates.
  private let others: [File]
  /// Options of `assay decrypt` in addition to those that name files here.
  package let options: [String]

  /// - Parameters:
  ///   - tokens: as a merchant receives them, bare or in requests.
  ///   - stem: the beginning of their file names.
  ///   - roots: DER.
  ///   - keys: the merchant keys to open them with; empty for a merchant's own key, which `options` then name.
  ///   - revoked: digests of revoked certificates.
  ///   - options: other options of `assay decrypt`, including the time.
  package init(
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

  /// Mints a case with every key of the minter's merchants, and returns the version of its token.
  package static func of(
    _ recipe: CaseRecipe, by minter: Minter
  ) throws(CommandError) -> (files: MintedFiles, version: TokenVersion) {
    let made: MintedCase
    do {
      made = try minter.make(recipe)
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
    guard let options = made.test.context.decryptOptions else {
      throw CommandError(
        .usage, "\(recipe.name) is about replays or a caller's own envelopes: one decrypt command cannot show it.")
    }
    let files = MintedFiles(
      tokens: [made.test.request], named: made.test.request == made.bareToken ? "token" : "request",
      roots: made.anchors,
      keys: TestKey.all(of: minter), revoked: made.test.context.policy.revoked,
      options: options)
    return (files, made.version)
  }

  /// Writes all files to a folder, which is made if necessary. A failure leaves no new file behind.
  ///
  /// - Parameter replacing: whether existing files are replaced; otherwise one existing file stops everything.
  package func write(to folder: String, replacing: Bool) throws(CommandError) {
    try FileWriter.makeFolder(folder)
    let files = (others + tokens).map { file in
      FileWriter.Content(file.bytes, to: "\(folder)/\(file.name)", visibility: file.secret ? .ownerOnly : .everyone)
    }
    for file in files { try FileWriter.checkName(file.path, replacing: replacing) }
    try FileWriter.write(files, replacing: replacing)
  }

  /// The command that decrypts the first token after the files were written to `folder`.
  private func decryptCommand(in folder: String) -> String {
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

extension MintedFiles {
  /// The answer of `assay mint`: the document `assay.mint/1`, with the content of all files and tokens as base64, and
  /// lines for people, of which the last is the command that decrypts the first token.
  ///
  /// - Parameters:
  ///   - merchant: the merchant identifier; nil if it is unknown, or only its hash is known.
  ///   - verdict: what an engine must say of each token.
  ///   - folder: the folder of the files; nil if they were not written.
  package func report(
    seed: UInt64, at time: UnixTime, merchant: String?, expected verdict: String, in folder: String?
  ) -> (json: JSON, text: String) {
    func text(_ name: String) -> String? {
      others.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    let document: JSON = [
      "schema": "assay.mint/1", "seed": String(seed), "at": time.rfc3339, "merchantId": merchant,
      "rootPem": text(MintedFiles.root), "privateKeyPem": text(MintedFiles.key),
      "certificatePem": text(MintedFiles.certificate), "tokens": tokens.map { Base64.encode($0.bytes) },
      "expected": verdict, "revoked": text(MintedFiles.revoked), "decryptOptions": options, "folder": folder,
    ]
    let folder = folder ?? "."
    var rows: [(name: String, value: String)] = [("seed", String(seed)), ("signed at", time.rfc3339)]
    if let merchant { rows.append(("merchant", Text.harmless(merchant))) }
    let names = (others + tokens.prefix(1)).map { Text.unbroken("\(Text.harmless(folder))/\($0.name)") }
    rows += [("files", names.joined(separator: " ")), ("expected", verdict)]
    if tokens.count > 1 { rows.append(("tokens", String(tokens.count))) }
    let lines = Text.pairs(rows) + ["", Text.unbroken(decryptCommand(in: folder))]
    return (document, lines.joined(separator: "\n") + "\n")
  }
}
