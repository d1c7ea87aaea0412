import PaymentToken
import Reports
import StrictJSON

/// What `assay mint` answers, for people and for programs.
struct MintReport {
  let files: MintedFiles
  let seed: UInt64
  let time: UnixTime
  let merchantIdentifier: String
  /// What a decryptor must say of the token.
  let verdict: String
  /// Where the files were written; nil when they were not.
  let folder: String?

  /// The document `assay.mint/1`: everything that the files hold, tokens as base64.
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

  /// Lines for people, with the command that opens what was made.
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
