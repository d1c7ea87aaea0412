import MerchantKeys
import PaymentToken

/// The files of keys, roots, TLS and bearer tokens, which are read at the start and at each reload.
public struct KeyFileNames: Hashable, Sendable {
  public var keys: [String] = []
  public var certificates: [String] = []
  /// PKCS #12.
  public var archives: [String] = []
  /// The file with the password of archives and encrypted keys.
  public var password: String?
  /// `ID`, or `KEYFILE=ID`.
  public var merchantIDs: [String] = []
  /// Empty for Apple's.
  public var roots: [String] = []
  /// The bearer tokens of which callers must show one; nil if they need none.
  public var bearerTokens: String?
  /// The certificate and key of the server, for TLS.
  public var tlsCertificate: String?
  public var tlsKey: String?
  /// The authorities for clients' certificates; nil to demand no certificates.
  public var clientAuthority: String?

  /// No files.
  public init() {}

  /// The paths of all these files.
  var paths: [String] {
    let others = [password, bearerTokens, tlsCertificate, tlsKey, clientAuthority]
    return keys + certificates + archives + roots + others.compactMap { $0 }
  }

  /// Reads the merchant's keys and pairs them with their certificates.
  func loadKeys() throws(KeyLoadingError) -> MerchantKeySet {
    let password = try loadPassword()
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    for (option, paths) in [("--key", keys), ("--p12", archives), ("--cert", certificates)] {
      files += try Self.read(paths, for: option, password)
    }
    do {
      return try MerchantKeySet(
        files: files, merchantIDs: merchantIDs.map { MerchantIDAssignment(argument: $0) })
    } catch {
      throw KeyLoadingError(error)
    }
  }

  func loadRoots() throws(KeyLoadingError) -> TrustAnchors {
    if roots.isEmpty { return .apple }
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    files += try Self.read(roots, for: "--root", nil)
    do {
      return try TrustAnchors(files: files)
    } catch {
      throw KeyLoadingError(error)
    }
  }

  private static func read(
    _ paths: [String], for option: String, _ password: Password?
  ) throws(KeyLoadingError) -> [KeyFile] {
    var files: [KeyFile] = []
    do throws(KeyLoadingError) {
      for (index, path) in paths.enumerated() {
        let name = paths.count == 1 ? option : "\(option), number \(index + 1),"
        files.append(try KeyFile(reading: path, for: name, password: password))
      }
      return files
    } catch {
      for index in files.indices { files[index].wipe() }
      throw error
    }
  }

  private func loadPassword() throws(KeyLoadingError) -> Password? {
    guard let password else { return nil }
    var file = try KeyFile(reading: password, for: "--password-file", password: nil)
    defer { file.wipe() }
    do {
      return try Password(fileContents: file.bytes)
    } catch {
      throw KeyLoadingError(KeyError(error.code, file: password))
    }
  }
}
