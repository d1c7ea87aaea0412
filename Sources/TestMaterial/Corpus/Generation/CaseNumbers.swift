import HostIO
import Reports

/// The numbers of the generated vectors, which never change: the file `numbers.txt` of the corpus.
///
/// After a heading, each line is a file of vectors, the id of a test in it, and the case's seed, which is its name
/// unless it was renamed. The generator adds a line for each new case and changes none. So a case keeps its number
/// wherever it is in the list of cases, and no other case gets the number of one that is gone.
public struct CaseNumbers: Sendable {
  /// Below the corpus folder.
  package static let path = "numbers.txt"
  private static let heading = "# assay.case-numbers/1: file, id, seed"

  private struct Case: Hashable {
    let theme: String
    let seed: String
  }

  private var lines: [String] = []
  private var ids: [Case: Int] = [:]
  private var last: [String: Int] = [:]

  /// No numbers: each case gets the next one.
  public init() {}

  /// Reads the file.
  ///
  /// - Throws: `CommandError` when a line is not one that this program writes.
  package init(_ bytes: [UInt8]) throws(CommandError) {
    let texts = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard texts.first.map(String.init) == Self.heading else {
      throw CommandError(.noAnswer, "\(Self.path) of the corpus does not begin with \"\(Self.heading)\".")
    }
    for text in texts.dropFirst() {
      let parts = text.split(separator: " ")
      guard parts.count == 3, let id = Int(parts[1]), id > last[String(parts[0]), default: 0], id < 1_000_000 else {
        throw CommandError(.noAnswer, "\(Self.path) of the corpus has the line \"\(Text.harmless(String(text)))\".")
      }
      add(Case(theme: String(parts[0]), seed: String(parts[2])), id)
    }
  }

  /// The id of a case's test in a file of vectors; the next one for a new case.
  package mutating func id(in theme: String, of seed: String) -> Int {
    let key = Case(theme: theme, seed: seed)
    if let id = ids[key] { return id }
    let id = last[theme, default: 0] + 1
    add(key, id)
    return id
  }

  private mutating func add(_ key: Case, _ id: Int) {
    lines.append("\(key.theme) \(id) \(key.seed)")
    ids[key] = id
    last[key.theme] = id
  }

  /// The file with all numbers so far.
  package var output: CorpusFile {
    CorpusFile(path: Self.path, bytes: Array(([Self.heading] + lines).map { $0 + "\n" }.joined().utf8))
  }
}
