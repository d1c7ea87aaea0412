import PaymentToken
import Reports
import StrictJSON

/// The answer of `assay mint`, for people and for programs.
struct MintReport {
  let files: MintedFiles
  let seed: UInt64
  let time: UnixTime
  let merchantIdentifier: String
  /// The expected verdict.
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

  /// Lines for people, with the command that decrypts the token.
  var text: String {
    let folder = folder ?? "."
    var rows: [(name: String, value: String)] = [
      ("seed", String(seed)), ("signed at", time.rfc3339), ("merchant", merchantIdentifier),
      (
        "files",
        (files.others + files.tokens.prefix(1)).map { "\(Text.harmless(folder))/\($0.name)" }.joined(separator: " ")
      ),
    ]
    rows.append(("expected", verdict))
    if files.tokens.count > 1 { rows.append(("tokens", String(files.tokens.count))) }
    return (Text.pairs(rows) + ["", files.decryptCommand(in: folder)]).joined(separator: "\n") + "\n"
  }
}
