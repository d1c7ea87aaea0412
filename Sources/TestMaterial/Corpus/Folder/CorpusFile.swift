/// A file of the corpus folder: its path and contents. Reading and writing are the caller's.
public struct CorpusFile: Hashable, Sendable {
  /// Below the corpus folder, `vectors/json.json`.
  public let path: String
  public let bytes: [UInt8]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The kinds of files, each with its folder. The suite `core` is a file beside the folders; its vectors are in the
  /// folders too.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case core, vectors, regressions, seeds, gateways
  }

  /// The kind of file; nil for READMEs, schemas and keys.
  public var kind: Kind? {
    if path == CorpusSuite.corePath { return .core }
    guard path.hasSuffix(".json"), !path.hasSuffix("/schema.json") else { return nil }
    return Kind.allCases.first { $0 != .core && path.hasPrefix("\($0.rawValue)/") }
  }
}

/// A problem in the corpus.
public struct CorpusFinding: Hashable, Sendable {
  /// The file's path below the corpus folder.
  public let path: String
  /// The id of the test; nil for a problem of the whole file.
  public let test: Int?
  /// A phrase without a full stop.
  public let reason: String

  public init(path: String, test: Int? = nil, reason: String) {
    self.path = path
    self.test = test
    self.reason = reason
  }
}
