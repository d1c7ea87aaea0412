import HostIO
import Reports

/// The corpus folder on disk.
package struct CorpusFolder {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The files of these kinds, in the order of `paths`.
  ///
  /// - Throws: `CommandError` when the folder does not exist or a file cannot be read.
  package func files(_ kinds: [CorpusFile.Kind] = CorpusFile.Kind.allCases) throws(CommandError) -> [CorpusFile] {
    guard FileWriter.exists(path) else {
      throw CommandError(.noAnswer, "there is no corpus folder \(Text.harmless(path)); --corpus names another.")
    }
    var files: [CorpusFile] = []
    for name in try paths(kinds) {
      let limit = name.hasPrefix("seeds/") ? FileReader.sampleLimit : FileReader.corpusFileLimit
      files.append(
        CorpusFile(path: name, bytes: try FileReader.corpusFile("\(path)/\(name)", followsLinks: false, limit: limit)))
    }
    return files
  }

  /// The paths of the files of these kinds below the corpus, sorted within each kind. Symbolic links are skipped: a
  /// downloaded corpus must not choose which files are read.
  ///
  /// - Throws: `CommandError` when the folder of a kind cannot be read or is a link.
  package func paths(_ kinds: [CorpusFile.Kind] = CorpusFile.Kind.allCases) throws(CommandError) -> [String] {
    var paths: [String] = []
    for name in kinds.compactMap(\.path) {
      let file = "\(path)/\(name)"
      if FileWriter.exists(file), !FolderWalk.isLink(file) { paths.append(name) }
    }
    for kind in kinds where kind.path == nil && FolderWalk.isFolder("\(path)/\(kind.rawValue)") {
      try FolderWalk.refuseLink("\(path)/\(kind.rawValue)")
      for file in try FolderWalk.files(below: "\(path)/\(kind.rawValue)", followsLinks: false) {
        let name = String(file.dropFirst(path.count + 1))
        if CorpusFile(path: name, bytes: []).kind == kind { paths.append(name) }
      }
    }
    return paths
  }

  /// Throws if there are no seeds. For a folder that the user has named as a source of seeds.
  package func requireSeeds() throws(CommandError) {
    guard try paths([.seeds]).isEmpty else { return }
    throw CommandError(
      .noAnswer,
      "\(Text.harmless(path)) has no seeds. Samples of runs are merged by assay fuzz merge, and become seeds by assay "
        + "corpus add.")
  }

  /// The files of vectors and of regressions, with their paths.
  package func vectors() throws(CommandError) -> [(path: String, file: VectorFile)] {
    var vectors: [(path: String, file: VectorFile)] = []
    for file in try files([.vectors, .regressions]) {
      vectors.append((file.path, try VectorReader.read(file.bytes, named: file.path)))
    }
    return vectors
  }

  /// What the generator makes for the corpus. Vectors keep the numbers that the corpus assigns to them.
  package func generated(_ progress: ProgressLine) throws(CommandError) -> [CorpusFile] {
    let numbers = try numbers()
    do {
      return try VectorGenerator().outputs(numbers: numbers) {
        progress.show("minting", fraction: Double($0) / Double($1))
      }
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
  }

  /// The numbers of its generated vectors; none if it has no such file.
  ///
  /// - Throws: `CommandError` when the file cannot be read.
  package func numbers() throws(CommandError) -> CaseNumbers {
    guard try !paths([.numbers]).isEmpty else { return CaseNumbers() }
    return try CaseNumbers(try FileReader.corpusFile("\(path)/\(CaseNumbers.path)"))
  }

  /// Writes a file and creates missing folders.
  ///
  /// - Returns: whether anything changed.
  package func write(_ bytes: [UInt8], to name: String) throws(CommandError) -> Bool {
    let target = "\(path)/\(name)"
    var folder = path
    if !FileWriter.exists(folder) { try FileWriter.makeFolder(folder, visibility: .everyone) }
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      try FolderWalk.refuseLink(folder)
      if !FileWriter.exists(folder) { try FileWriter.makeFolder(folder, visibility: .everyone) }
    }
    if FileWriter.exists(target), try FileReader.corpusFile(target, followsLinks: false) == bytes { return false }
    try FileWriter.write(bytes, to: target, visibility: .everyone, replacing: true)
    return true
  }
}
