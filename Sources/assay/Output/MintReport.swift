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
    func text(_ name: String) -> JSON {
      files.others.first { $0.name == name }.map { .string(String(decoding: $0.bytes, as: UTF8.self)) } ?? .null
    }
    return .object([
      .init("schema", .string("assay.mint/1")), .init("seed", .string(String(seed))),
      .init("at", .string(time.rfc3339)), .init("merchantId", .string(merchantIdentifier)),
      .init("rootPem", text(MintedFiles.root)), .init("privateKeyPem", text(MintedFiles.key)),
      .init("certificatePem", text(MintedFiles.certificate)),
      .init("tokens", .array(files.tokens.map { .string(Base64.encode($0.bytes)) })),
      .init("expected", .string(verdict)),
      .init("revoked", text(MintedFiles.revoked)),
      .init("decryptOptions", .array(files.options.map { .string($0) })),
      .init("folder", folder.map { .string($0) } ?? .null),
    ])
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
