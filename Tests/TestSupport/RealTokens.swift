import Foundation
public import MerchantKeys
import PaymentToken
import Testing

/// A token from a folder outside this project, with its key and plaintext if they are there.
public struct RealToken: Sendable, CustomStringConvertible {
  public let name: String
  public let token: [UInt8]
  public let version: String
  /// Whether Apple signed it.
  public let genuine: Bool
  public let privateKeyPEM: [UInt8]?
  public let certificatePEM: [UInt8]?
  public let merchantID: String?
  /// The exact plaintext.
  public let expected: [UInt8]?
  public let signedAt: UnixTime?

  public var description: String { name }
}

public enum RealTokens {
  private struct Entry: Decodable {
    let name: String
    let version: String
    let genuine: Bool
    let signedAt: String?
    let merchantId: String?
  }

  /// `$ASSAY_REAL_TOKENS` or, if that is not set, `../shared/real-tokens`; nil without a manifest.json in it.
  public static let directory: URL? = {
    let named = ProcessInfo.processInfo.environment["ASSAY_REAL_TOKENS"].map { URL(filePath: $0) }
    let candidate = named ?? Package.folder.deletingLastPathComponent().appending(path: "shared/real-tokens")
    guard FileManager.default.fileExists(atPath: candidate.appending(path: "manifest.json").path) else {
      FileHandle.standardError.write(
        Data("SKIPPED: tests with genuine tokens (set ASSAY_REAL_TOKENS to their folder to run them)\n".utf8))
      return nil
    }
    return candidate
  }()

  public static let available = directory != nil

  /// All tokens of the manifest that have a file, in its order; empty if there is no manifest or it is not valid.
  public static let all: [RealToken] = {
    guard let directory, let manifest = try? Data(contentsOf: directory.appending(path: "manifest.json")),
      let entries = try? JSONDecoder().decode([Entry].self, from: manifest)
    else { return [] }
    return entries.compactMap { entry in
      let folder = directory.appending(path: entry.name)
      func bytes(_ file: String) -> [UInt8]? {
        (try? Data(contentsOf: folder.appending(path: file))).map { [UInt8]($0) }
      }
      guard let token = bytes("token.json") else { return nil }
      return RealToken(
        name: entry.name, token: token, version: entry.version, genuine: entry.genuine,
        privateKeyPEM: bytes("private_key.pem"), certificatePEM: bytes("certificate.pem"),
        merchantID: entry.merchantId, expected: bytes("expected.json"),
        signedAt: entry.signedAt.flatMap { UnixTime(rfc3339: $0) })
    }
  }()

  /// The keys of these tokens in one set; by default of all that came with theirs.
  public static func keys(of tokens: [RealToken] = all.filter { $0.privateKeyPEM != nil }) throws -> MerchantKeySet {
    var files: [KeyFile] = []
    var assignments: [MerchantIDAssignment] = []
    for token in tokens {
      files.append(KeyFile(name: token.name, bytes: try #require(token.privateKeyPEM)))
      if let certificate = token.certificatePEM {
        files.append(KeyFile(name: token.name + " certificate", bytes: certificate))
      } else if let merchantID = token.merchantID {
        assignments.append(.file(name: token.name, merchantID: merchantID))
      }
    }
    return try MerchantKeySet(files: files, merchantIDs: assignments)
  }
}
