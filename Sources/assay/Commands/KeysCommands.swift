import Descriptions
import HostIO
import MerchantKeys
import PaymentToken
import Reports
import StrictJSON

enum KeysInspectCommand: Command {
  static let definition = CommandDefinition(
    path: ["keys", "inspect"], summary: "describe keys and certificates, and when they expire",
    operands: "FILE|FOLDER…", operandLimit: 1_000, needs: "a file",
    options: [
      .value("--password-file", "FILE", "password of encrypted keys and .p12 files"),
      .value("--warn-days", "N", "exit with 1 if a certificate has fewer days left (default: 0)"),
      .value("--at", "TIME", "time from which days are counted, RFC 3339 or now (default: now)"),
      .flag("--list", "one line for each: file, kind, key, expiry, days left and merchant identifier"),
      .json, .quiet,
    ],
    remarks: [
      "Reads keys, certificates, signing requests and public keys: PEM, DER, .p12, JWK. Also exits with 1 if a",
      "certificate is not valid at that time, or if keys are given and a merchant's certificate matches none of them.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let files = arguments.operands
    let passwordFile = arguments.value("--password-file")
    try CommandError.checkStandardInput(files + [passwordFile].compactMap { $0 })
    let warnDays: Int64 = try arguments.number("--warn-days", in: 0...36_500) ?? 0
    let time = try arguments.timeOrNow("--at")
    let password = try PasswordFile.read(passwordFile)
    var entries: [InspectedFile] = []
    // Public keys and requests are shown as well.
    for path in try MerchantKeyFiles.paths(files, leavingAside: [.unrecognisedFile], quiet: output.quiet) {
      entries.append(InspectedFile(path, password))
    }
    let report = KeysReport(files: entries, time: time, warnDays: warnDays)
    try output.answer(report.json, arguments.has("--list") ? report.list : report.text)
    let remarks = report.failures + report.findings
    if !remarks.isEmpty { output.remark(remarks.joined(separator: "; ") + ".") }
    return report.exitCode
  }
}

enum KeysRequestCommand: Command {
  static let definition = CommandDefinition(
    path: ["keys", "csr"], summary: "make a private key and a signing request for Apple's portal",
    options: [
      .choice(
        "--type", NewKey.Kind.allCases.map(\.rawValue),
        "kind of key: p256 for EC_v1, rsa2048 for RSA_v1 and merchant identity"
      ).required,
      .value("--common-name", "NAME", "common name of the subject").required,
      .value("--out", "FILE", "file for the signing request, PEM; - for standard output").required,
      .value("--key-out", "FILE", "file for the private key, PKCS #8 PEM, readable by its owner only").required,
      .json, .quiet,
    ],
    remarks: [
      "Never replaces an existing file. The private key is in its file only: keep it, and keep it secret.",
      "With --out - the signing request is the whole answer.",
      "For example: assay keys csr --type p256 --common-name Shop --out shop.csr --key-out shop.key",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let commonName = arguments.required("--common-name")
    let requestFile = arguments.required("--out")
    let keyFile = arguments.required("--key-out")
    guard keyFile != "-" else {
      throw .usage("--key-out must be a file: private keys are never written to standard output.")
    }
    guard requestFile != keyFile else { throw .usage("--out and --key-out are the same file.") }
    if requestFile == "-", output.json {
      throw .usage("--json and --out - exclude each other: both write to standard output.")
    }
    let kind: NewKey.Kind = arguments.required("--type") == NewKey.Kind.rsa2048.rawValue ? .rsa2048 : .p256
    for path in [requestFile, keyFile] where path != "-" {
      guard !FileWriter.exists(path) else {
        throw CommandError(.noAnswer, "\(Text.harmless(path)) exists already and is not replaced.")
      }
      try FileWriter.checkFolder(of: path)
    }
    var new = try CommandError.of { try NewKey(kind, commonName: commonName) }
    defer { new.wipe() }
    // Write both or none: a key without its request would block the next attempt, a request without its key is useless.
    let request = PEMText.encode(new.request.der, label: "CERTIFICATE REQUEST")
    if requestFile == "-" {
      try FileWriter.write(new.privateKeyPEM, to: keyFile, visibility: .ownerOnly, replacing: false)
      do {
        try Console.answer(request)
      } catch {
        FileWriter.remove(keyFile)
        throw error
      }
      return .success
    }
    try FileWriter.write(
      [
        .init(new.privateKeyPEM, to: keyFile, visibility: .ownerOnly),
        .init(request, to: requestFile, visibility: .everyone),
      ],
      replacing: false)
    let fields =
      JSON.members(["request": requestFile, "privateKey": keyFile])
      + KeyFields.key(new.request.publicKey, hash: new.request.publicKeyHash())
    try output.answer(
      JSON(["schema": "assay.keys.csr/1"]).with(.object(fields)),
      Text.pairs(fields.compactMap(\.row)).joined(separator: "\n") + "\n")
    output.remark(
      "next: upload \(PastedText.shown(requestFile)) to Apple's developer portal, in Certificates, and give the certificate "
        + "that comes back to assay keys inspect beside \(PastedText.shown(keyFile)).")
    return .success
  }
}
