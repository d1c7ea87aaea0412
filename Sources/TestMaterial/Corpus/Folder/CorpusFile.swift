import Reports

/// A file of the corpus folder: its path and contents. The caller reads and writes it.
public struct CorpusFile: Hashable, Sendable {
  /// The path below the corpus folder, such as `vectors/json.json`.
  public let path: String
  public let bytes: [UInt8]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The kinds of files. A kind has a folder of its name, except `core` and `numbers`, which are one file each. The
  /// vectors of `core` are in the folders, too.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case core, numbers, vectors, regressions, seeds, gateways

    /// The only file of the kind; nil for a kind with a folder.
    var path: String? {
      switch self {
      case .core: CorpusSuite.corePath
      case .numbers: CaseNumbers.path
      case .vectors, .regressions, .seeds, .gateways: nil
      }
    }
  }

  /// The kind of file; nil for READMEs, schemas and keys.
  public var kind: Kind? {
    if let kind = Kind.allCases.first(where: { $0.path == path }) { return kind }
    guard path.hasSuffix(".json"), !path.hasSuffix("/schema.json") else { return nil }
    return Kind.allCases.first { $0.path == nil && path.hasPrefix("\($0.rawValue)/") }
  }
}

/// A problem in the corpus.
public struct CorpusFinding: Hashable, Sendable {
  /// The file's path below the corpus folder.
  public let path: String
  /// The id of the test; nil for a problem of the whole file.
  public var test: Int?
  /// A phrase without a full stop.
  public let reason: String

  package init(path: String, test: Int? = nil, reason: String) {
    (self.path, self.test, self.reason) = (path, test, reason)
  }
}

extension [CorpusFinding] {
  /// A line for each.
  package var text: String {
    map { finding in
      let place = finding.path + (finding.test.map { " test \($0)" } ?? "")
      return Text.harmless("\(place): \(finding.reason)") + "\n"
    }.joined()
  }
}
