import HostIO
import Reports

/// Files of vectors that are added to the regressions of a corpus, once both engines agree with them.
package struct AddedRegressions {
  /// The files that the corpus gets, with the number of their vectors.
  package private(set) var files: [(file: CorpusFile, vectors: Int)] = []
  /// Why they are not added, each with the path of the file that was given.
  package private(set) var findings: [(path: String, finding: CorpusFinding)] = []
  private let folder: CorpusFolder
  private let lint: CorpusLint
  private let known: [CorpusFile]

  package init(to folder: CorpusFolder, checkedBy lint: CorpusLint) throws(CommandError) {
    (self.folder, self.lint) = (folder, lint)
    known = FileWriter.exists(folder.path) ? try folder.files([.vectors, .regressions]) : []
  }

  /// Adds a file, or its findings: those of lint, which include both engines' verdicts.
  ///
  /// - Parameters:
  ///   - comment: replaces the vectors' own comments; nil keeps them.
  ///   - progress: called with the current file and the fraction that is done.
  package mutating func add(
    _ path: String, comment: String?, progress: (String, Double) -> Void
  ) throws(CommandError) {
    let read = try VectorReader.read(try FileReader.corpusFile(path), named: path)
    let vectors = comment.map { Self.with(comment: $0, read) } ?? read
    let bytes = vectors.cases.flatMap(\.request)
    let name = SeedPath(of: bytes, envelope: "found", version: "").path.split(separator: "/").last ?? "found.json"
    let file = CorpusFile(path: "regressions/found-\(name)", bytes: VectorWriter.write(vectors))
    // A sample has one name, also where it was found at another time or under another policy.
    let others = files.map(\.file) + known
    if let other = others.first(where: { $0.path == file.path }), try Self.asksOtherThings(other, than: vectors) {
      let reason = "\(Text.harmless(path)) has the same tokens and other tests: give them one file"
      findings.append((path, CorpusFinding(path: file.path, reason: reason)))
    }
    let inCorpus = (known + files.map(\.file)).filter { $0.path != file.path } + [file]
    findings += lint.findings(in: inCorpus, expected: nil, progress: progress)
      .filter { $0.path == file.path }.map { (path, $0) }
    files.append((file, vectors.cases.count))
  }

  /// Writes the files.
  package func write() throws(CommandError) {
    for (file, _) in files { _ = try folder.write(file.bytes, to: file.path) }
  }

  private static func with(comment: String, _ vectors: VectorFile) -> VectorFile {
    var vectors = vectors
    for group in vectors.groups.indices {
      for test in vectors.groups[group].cases.indices { vectors.groups[group].cases[test].comment = comment }
    }
    return vectors
  }

  /// Whether a file has other vectors, apart from comments.
  private static func asksOtherThings(_ file: CorpusFile, than vectors: VectorFile) throws(CommandError) -> Bool {
    let others = try VectorReader.read(file.bytes, named: file.path)
    return VectorWriter.write(with(comment: "", others)) != VectorWriter.write(with(comment: "", vectors))
  }
}
