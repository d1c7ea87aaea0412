import MerchantKeys
import PaymentToken

/// The files that keys and roots are read from, at the start and at every rotation.
public struct KeyFileNames: Hashable, Sendable {
  public var keys: [String] = []
  public var certificates: [String] = []
  /// PKCS #12.
  public var archives: [String] = []
  /// Opens archives and encrypted keys.
  public var password: String?
  /// `ID`, or `KEYFILE=ID`.
  public var merchantIDs: [String] = []
  /// Empty for Apple's.
  public var roots: [String] = []
  /// What callers have to show one of; nil for nothing.
  public var bearerTokens: String?
  /// The certificate and key of the server, for TLS.
  public var tlsCertificate: String?
  public var tlsKey: String?
  /// The authorities that vouch for clients; nil to demand no certificates of them.
  public var clientAuthority: String?

  /// No files.
  public init() {}

  /// Reads the merchant's keys and pairs them with their certificates.
  ///
  /// - Throws: `KeyLoadingError` that names the file.
  func loadKeys() throws(KeyLoadingError) -> MerchantKeySet {
    let password = try loadPassword()
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    for path in keys + archives + certificates { files.append(try KeyFile(reading: path, password: password)) }
    do {
      return try MerchantKeySet(
        files: files, merchantIDs: merchantIDs.map { MerchantIDAssignment(argument: $0) })
    } catch {
      throw KeyLoadingError(error)
    }
  }

  /// Reads the roots.
  ///
  /// - Throws: `KeyLoadingError` that names the file.
  func loadRoots() throws(KeyLoadingError) -> TrustAnchors {
    if roots.isEmpty { return .apple }
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    for path in roots { files.append(try KeyFile(reading: path, password: nil)) }
    do {
      return try TrustAnchors(files: files)
    } catch {
      throw KeyLoadingError(error)
    }
  }

  private func loadPassword() throws(KeyLoadingError) -> Password? {
    guard let password else { return nil }
    var file = try KeyFile(reading: password, password: nil)
    defer { file.wipe() }
    do {
      return try Password(fileContents: file.bytes)
    } catch {
      throw KeyLoadingError(KeyError(error.code, file: password))
    }
  }
}
