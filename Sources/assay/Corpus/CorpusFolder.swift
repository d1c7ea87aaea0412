import Corpus

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The corpus on the disk.
struct CorpusFolder {
  static let option = OptionDefinition.value("--corpus", "DIR", "the corpus folder (default: Corpus)")

  let path: String

  init(_ arguments: ParsedArguments) {
    path = arguments.value(Self.option.name) ?? "Corpus"
  }

  init(path: String) {
    self.path = path
  }

  /// The files of these kinds, in the order of their paths.
  ///
  /// - Throws: `CommandError` when a file cannot be read, or when there is no such folder.
  func files(_ kinds: [CorpusFile.Kind] = CorpusFile.Kind.allCases) throws(CommandError) -> [CorpusFile] {
    guard FileWriter.exists(path) else {
      throw CommandError(.noAnswer, "there is no corpus folder \(Text.harmless(path)); --corpus names another.")
    }
    var files: [CorpusFile] = []
    for kind in kinds {
      for name in try Self.paths(in: "\(path)/\(kind.rawValue)", under: kind.rawValue, depth: 4) {
        let file = CorpusFile(path: name, bytes: [])
        guard file.kind != nil else { continue }
        files.append(CorpusFile(path: name, bytes: try FileReader.corpusFile("\(path)/\(name)")))
      }
    }
    return files
  }

  /// Writes a file; folders on its way are made.
  ///
  /// - Returns: whether anything changed.
  func write(_ bytes: [UInt8], to name: String) throws(CommandError) -> Bool {
    let target = "\(path)/\(name)"
    if FileWriter.exists(target), try FileReader.corpusFile(target) == bytes { return false }
    var folder = path
    if !FileWriter.exists(folder) { try FileWriter.makeFolder(folder, visibility: .everyone) }
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      if !FileWriter.exists(folder) { try FileWriter.makeFolder(folder, visibility: .everyone) }
    }
    try FileWriter.write(bytes, to: target, visibility: .everyone, replacing: true)
    return true
  }

  /// The regular files below a folder, sorted; none where there is no such folder.
  private static func paths(in folder: String, under prefix: String, depth: Int) throws(CommandError) -> [String] {
    guard FileWriter.exists(folder) else { return [] }
    guard depth > 0 else { return [] }
    guard let stream = opendir(folder) else {
      throw CommandError(.noAnswer, "\(Text.harmless(folder)) could not be read: \(SystemError.text(errno)).")
    }
    var names: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix(".") { continue }
      var status = stat()
      guard stat("\(folder)/\(name)", &status) == 0 else { continue }
      names.append((name, status.st_mode & S_IFMT == S_IFDIR))
    }
    closedir(stream)
    var paths: [String] = []
    for (name, isFolder) in names.sorted(by: { $0.name < $1.name }) {
      if isFolder {
        paths += try Self.paths(in: "\(folder)/\(name)", under: "\(prefix)/\(name)", depth: depth - 1)
      } else {
        paths.append("\(prefix)/\(name)")
      }
    }
    return paths
  }
}
