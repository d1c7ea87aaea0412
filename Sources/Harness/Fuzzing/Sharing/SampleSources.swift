import HostIO
import Reports

/// The files below folders that may be samples, smallest first. Only their names and sizes are kept in memory.
struct SampleSources {
  /// A file that may be a sample.
  struct Candidate {
    /// The number of the source.
    let source: Int
    let folder: Int
    let name: String
    let size: Int
  }

  private(set) var candidates: [Candidate] = []
  /// How many files and folders are skipped: symbolic links, FIFOs, sockets and devices, files larger than any sample,
  /// unfinished, damaged and unreadable ones.
  private(set) var skipped = 0
  private var folders: [String] = []

  /// - Parameter paths: folders of runs, of which only `corpus/` is taken, or of samples, with all folders below.
  init(_ paths: [String]) throws(CommandError) {
    for (source, path) in paths.enumerated() {
      guard FolderWalk.isFolder(path) else { throw Self.noFolder(path) }
      walk(path, source)
    }
    // In this order, copies of one sample from several folders are next to each other.
    candidates.sort { ($0.size, $0.name, $0.source) < ($1.size, $1.name, $1.source) }
  }

  private static func noFolder(_ path: String) -> CommandError {
    let name = Text.harmless(path)
    guard FileWriter.exists(path) else { return CommandError(.noAnswer, "there is no folder \(name).") }
    return CommandError(
      .noAnswer, "\(name) is not a folder: unpack an archive into an empty one first (tar -xf \(name) -C FOLDER).")
  }

  /// Whether a folder is that of a run, or that of a run in a sync folder. Only its `corpus/` has samples.
  static func isRun(_ path: String) -> Bool {
    FolderWalk.entry(at: "\(path)/corpus") == .folder
      && ["settings.json", "heartbeat.json"].contains { FolderWalk.entry(at: "\(path)/\($0)") != nil }
  }

  /// Without recursion: a hostile folder may be deep.
  private mutating func walk(_ top: String, _ source: Int) {
    var waiting = [top]
    while let path = waiting.popLast() {
      let folder = Self.isRun(path) ? "\(path)/corpus" : path
      guard let names = try? FolderWalk.names(in: folder) else {
        skipped += 1
        continue
      }
      folders.append(folder)
      for name in names {
        switch FolderWalk.entry(at: "\(folder)/\(name)") {
        case .folder: waiting.append("\(folder)/\(name)")
        case .file(let size) where !FileWriter.isTemporary(name) && size <= FileReader.sampleLimit:
          candidates.append(Candidate(source: source, folder: folders.count - 1, name: name, size: size))
        case .file, .link, .special, nil: skipped += 1
        }
      }
    }
  }

  func path(of candidate: Candidate) -> String { "\(folders[candidate.folder])/\(candidate.name)" }

  /// Reads a candidate. If it cannot be used, counts it as skipped and returns nil.
  mutating func read(_ candidate: Candidate) -> [UInt8]? {
    let file = path(of: candidate)
    guard let bytes = try? FileReader.corpusFile(file, followsLinks: false, limit: FileReader.sampleLimit),
      !SampleName.isDamaged(bytes, named: candidate.name)
    else {
      skipped += 1
      return nil
    }
    return bytes
  }
}
