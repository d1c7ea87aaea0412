import Descriptions
import HostIO
import MerchantKeys
import PaymentToken
import Reports
import StrictJSON

/// `assay keys csr`: makes a private key and the signing request for its certificate.
struct KeysRequestCommand: Command {
  static let definition = CommandDefinition(
    path: ["keys", "csr"], summary: "make a private key and a signing request for Apple's portal",
    options: [
      .choice(
        "--type", NewKey.Kind.allCases.map(\.rawValue), "p256 for EC_v1; rsa2048 for RSA_v1 and merchant identity"),
      .value("--common-name", "NAME", "common name of the subject"),
      .value("--out", "FILE", "file for the signing request, PEM"),
      .value("--key-out", "FILE", "file for the private key, PKCS #8 PEM, readable by its owner only"),
      .json,
    ],
    remarks: [
      "Never replaces an existing file. The private key is in its file only: keep it, and keep it secret."
    ])

  private let kind: NewKey.Kind
  private let commonName: String
  private let requestFile: String
  private let keyFile: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let kind = arguments.value("--type").flatMap(NewKey.Kind.init(rawValue:)),
      let commonName = arguments.value("--common-name"), let requestFile = arguments.value("--out"),
      let keyFile = arguments.value("--key-out")
    else { throw UsageError("keys csr needs --type, --common-name, --out and --key-out.") }
    guard requestFile != keyFile else { throw UsageError("--out and --key-out are the same file.") }
    (self.kind, self.commonName, self.requestFile, self.keyFile) = (kind, commonName, requestFile, keyFile)
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    for path in [requestFile, keyFile] where FileWriter.exists(path) {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) exists already and is not replaced.")
    }
    var new: NewKey
    do {
      new = try NewKey(kind, commonName: commonName)
    } catch {
      throw CommandError(error)
    }
    defer { new.wipe() }
    // The key first: a request without its key would be worthless.
    try FileWriter.write(new.privateKeyPEM, to: keyFile, visibility: .ownerOnly, replacing: false)
    let text = PEMText.encode(new.request.der, label: "CERTIFICATE REQUEST")
    try FileWriter.write(text, to: requestFile, visibility: .everyone, replacing: false)
    let fields =
      JSON.members(["request": requestFile, "privateKey": keyFile])
      + KeyFields.key(new.request.publicKey, hash: new.request.publicKeyHash())
    try output.answer(
      JSON(["schema": "assay.keys.csr/1"]).with(.object(fields)),
      Text.pairs(fields.compactMap(\.row)).joined(separator: "\n") + "\n")
    return .success
  }
}
