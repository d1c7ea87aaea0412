import Descriptions
import HostIO
import MerchantKeys
import Minting
import PaymentToken
import Reports

/// A merchant's own key for minted tokens, named by files: a certificate, a public key, a signing request or a private
/// key. Only the public half is used.
struct OwnKey {
  static let definitions: [OptionDefinition] = [
    .value("--cert", "FILE", "mint for the key of this certificate, public key or signing request, PEM or DER"),
    .value("--key", "FILE", "mint for this private key, PEM, DER or .p12; only its public half is used"),
    .value("--merchant-id", "ID", "merchant identifier, for a key without a certificate that has it"),
    .value("--password-file", "FILE", "password of an encrypted --key"),
  ]

  private let arguments: ParsedArguments

  private var certificateFile: String? { arguments.value("--cert") }
  private var keyFile: String? { arguments.value("--key") }
  private var merchantID: String? { arguments.value("--merchant-id") }
  private var passwordFile: String? { arguments.value("--password-file") }

  /// Nil if no key is named.
  init?(_ arguments: ParsedArguments) throws(CommandError) {
    self.arguments = arguments
    guard certificateFile != nil || keyFile != nil else {
      guard merchantID == nil, passwordFile == nil else {
        throw .usage("--merchant-id and --password-file need a key of your own: --cert or --key.")
      }
      return nil
    }
    guard passwordFile == nil || keyFile != nil else { throw .usage("--password-file is for --key.") }
    guard merchantID != "" else { throw .usage("--merchant-id is empty.") }
    try CommandError.checkStandardInput([certificateFile, keyFile, passwordFile].compactMap { $0 })
  }

  /// The key as loaded from the files.
  struct Loaded {
    let recipient: TokenRecipient
    /// The merchant ID, if it is known and not only its hash.
    let merchantID: String?
    /// The options of `assay decrypt` for the key.
    let decryptOptions: [String]
  }

  /// Reads the files.
  ///
  /// - Throws: `CommandError` if they hold no key that tokens can be encrypted to.
  func load() throws(CommandError) -> Loaded {
    let named = try certificateFile.map { (path) throws(CommandError) in try OwnKeyFile(certificate: path) }
    let own = try keyFile.map { (path) throws(CommandError) in
      try OwnKeyFile(privateKey: path, password: PasswordFile.read(passwordFile))
    }
    if let named, let own, named.key != own.key {
      throw CommandError(.noAnswer, "--cert and --key have different public keys: name the two files of one key.")
    }
    guard let found = named ?? own else { throw CommandError(.internalError, "no file was named.") }
    let certificate = found.certificate ?? own?.certificate
    let hash = try merchantIDHash(certificate)
    guard let recipient = TokenRecipient(found.key, merchantIDHash: hash) else {
      throw found.error(Self.refusal(of: found.key, isMerchantKnown: hash != nil))
    }
    return Loaded(
      recipient: recipient, merchantID: merchantID ?? certificate?.merchantID,
      decryptOptions: decryptOptions(isCertified: named?.certificate != nil, certificate))
  }

  private func merchantIDHash(_ certificate: Certificate?) throws(CommandError) -> Bytes32? {
    let certified = try CommandError.of { try certificate?.merchantIDHash() }
    guard let merchantID else { return certified }
    let hash = Bytes32(Hashing.sha256(Array(merchantID.utf8)))
    if let certified, certified != hash {
      throw CommandError(KeyError(.merchantIDMismatch, file: certificateFile))
    }
    return hash
  }

  private static func refusal(of key: PublicKey, isMerchantKnown: Bool) -> String {
    switch key {
    case .p256 where !isMerchantKnown:
      "tokens of EC_v1 depend on the merchant ID, which the file does not have: add --merchant-id."
    case .p256, .p384, .other:
      "tokens are encrypted to keys on P-256 or to RSA keys, and this key is neither."
    case .rsa(_, let bits):
      "the RSA key has \(bits) bits: keys of RSA_v1 have 2,048 to 4,096."
    }
  }

  private func decryptOptions(isCertified: Bool, _ certificate: Certificate?) -> [String] {
    var options = ["--key", keyFile ?? "PRIVATE-KEY-FILE"]
    if let passwordFile { options += ["--password-file", passwordFile] }
    if isCertified, let certificateFile { options += ["--cert", certificateFile] }
    let hasHash = ((try? certificate?.merchantIDHash()) ?? nil) != nil
    if !hasHash, let merchantID { options += ["--merchant-id", merchantID] }
    return options
  }
}
