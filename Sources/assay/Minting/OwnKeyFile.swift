import HostIO
import MerchantKeys
import Reports

/// The only key in a merchant's file, to which tokens are encrypted.
struct OwnKeyFile {
  let key: PublicKey
  /// The certificate of the key; nil if the file has none.
  let certificate: Certificate?
  private let path: String

  /// The key of a certificate, a chain, a public key or a signing request.
  init(certificate path: String) throws(CommandError) {
    let items = try Self.items(in: path, password: nil)
    let certificates = try Self.suitable(items.compactMap(\.certificate), of: items.count, path)
    let keys = certificates.map(\.publicKey) + items.compactMap(\.publicKey)
    guard let key = keys.first else {
      throw Self.error(path, "--cert takes what is public, and the file is a private key: name it with --key.")
    }
    try Self.checkSingle(keys, path)
    (self.key, self.path) = (key, path)
    self.certificate = certificates.first
  }

  /// The key of a private key, alone or with its certificate.
  init(privateKey path: String, password: Password?) throws(CommandError) {
    let items = try Self.items(in: path, password: password)
    let keys = items.compactMap { if case .privateKey(let secret) = $0 { secret.publicKey } else { nil } }
    guard let key = keys.first else {
      throw Self.error(path, "--key takes a private key, and the file has none: name what is public with --cert.")
    }
    try Self.checkSingle(keys, path)
    (self.key, self.path) = (key, path)
    // A .p12 may contain the certificates of authorities as well.
    certificate = items.compactMap(\.certificate).first { $0.publicKey == key }
  }

  /// An error that names the file.
  func error(_ message: String) -> CommandError { Self.error(path, message) }

  private static func error(_ path: String, _ message: String) -> CommandError {
    CommandError(.noAnswer, "\(Text.harmless(path)): \(message)")
  }

  private static func items(in path: String, password: Password?) throws(CommandError) -> [KeyFileInspection.Item] {
    var file = try FileReader.keyFile(path, password: password)
    defer { file.wipe() }
    return try CommandError.of { try KeyFileInspection(file).items }
  }

  /// The payment processing certificates, or, if there are none, those of no known purpose: a chain contains
  /// authorities as well.
  private static func suitable(
    _ certificates: [Certificate], of itemCount: Int, _ path: String
  ) throws(CommandError) -> [Certificate] {
    let processing = certificates.filter { $0.purpose == .paymentProcessing }
    let suitable = processing.isEmpty ? certificates.filter { $0.purpose == .other } : processing
    if suitable.isEmpty, let other = certificates.first, certificates.count == itemCount {
      throw error(
        path,
        "tokens are not encrypted to this certificate (\(other.purpose.rawValue)): name the payment processing "
          + "certificate.")
    }
    return suitable
  }

  private static func checkSingle(_ keys: [PublicKey], _ path: String) throws(CommandError) {
    let count = Set(keys).count
    guard count > 1 else { return }
    throw error(path, "the file has \(count) keys, and tokens are encrypted to one: name a file of that one alone.")
  }
}

extension KeyFileInspection.Item {
  fileprivate var certificate: Certificate? {
    if case .certificate(let certificate) = self { certificate } else { nil }
  }

  /// The key of a public key or a signing request.
  fileprivate var publicKey: PublicKey? {
    switch self {
    case .publicKey(let key, _): key
    case .request(let request): request.publicKey
    case .privateKey, .certificate: nil
    }
  }
}
