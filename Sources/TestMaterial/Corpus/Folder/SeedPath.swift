import Gateways
import Minting
public import PaymentToken
import StrictJSON
import TestCases

/// The path of a raw input in the corpus: `seeds/<envelope>/<version>/<the first 16 digits of its SHA-256>.json`.
public struct SeedPath: Hashable, Sendable {
  /// The path below the corpus.
  public let path: String

  /// The folder of inputs that name no version.
  public static let unknownVersion = "unknown"

  /// The path of an input.
  public init(of bytes: [UInt8], envelope: String, version: String) {
    path = "seeds/\(envelope)/\(version)/\(Hex.encode(Hashing.sha256(bytes).prefix(8))).json"
  }

  /// The path of an input whose envelope and version are detected from its text.
  ///
  /// - Parameters:
  ///   - name: the envelope's name; nil to detect it by marks and routes.
  public init(of bytes: [UInt8], envelope name: String? = nil) {
    self.init(of: bytes, envelope: name ?? Self.envelope(of: bytes).name, version: Self.version(of: bytes))
  }

  /// The envelope whose name a folder in the path has, as in the seeds of a corpus; nil if no folder has one.
  public static func envelope(ofFile path: String) -> Envelope? {
    path.split(separator: "/").dropLast().reversed().lazy.compactMap { Envelope.named(String($0)) }.first
  }

  /// The gateway's envelope that fits the text; `apple` if none or several of them fit.
  private static func envelope(of bytes: [UInt8]) -> Envelope {
    guard let document = try? JSON(reading: bytes.span) else { return .apple }
    let fitting = Envelope.all.filter { envelope in
      envelope != .apple && envelope.marks.allSatisfy { (document[$0.path] != nil) == $0.isPresent }
        && envelope.routes.contains { document[$0.path] != nil }
    }
    return fitting.count == 1 ? fitting[0] : .apple
  }

  /// The versions whose names occur in a request, in plain text or in base64.
  public static func versions(in bytes: [UInt8]) -> [TokenVersion] {
    let readable = EmbeddedBytes.all(in: bytes)
    return TokenVersion.allCases.filter { version in
      readable.contains { $0.contains(Array(version.rawValue.utf8)) }
    }
  }

  private static func version(of bytes: [UInt8]) -> String {
    let found = versions(in: bytes)
    if found.count == 1 { return found[0].rawValue }
    // A token in parts names no version: it is EC_v1.
    return found.isEmpty && envelope(of: bytes).isInParts ? TokenVersion.ofParts.rawValue : unknownVersion
  }
}
