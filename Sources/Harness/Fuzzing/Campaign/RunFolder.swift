import CExternals
import Corpus
import HostIO
import Minting
import PaymentToken
import Reports
import StrictJSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A run on the disk: `corpus/ findings/ settings.json stats.json stats.csv report.html`. Every file is there in full or
/// not at all, whenever the run is ended.
package struct RunFolder {
  package let path: String

  /// Makes the folder if there is none.
  package init(making path: String) throws(CommandError) {
    self.path = path
    try FileWriter.makeFolder(path, visibility: .everyone)
    try FileWriter.makeFolder("\(path)/corpus", visibility: .everyone)
    try FileWriter.makeFolder("\(path)/findings", visibility: .everyone)
    // Made by others, a folder is not to choose which files of this machine are read or written.
    for name in ["corpus", "findings"] where FolderWalk.isLink("\(path)/\(name)") {
      throw CommandError(.noAnswer, "\(Text.harmless(path))/\(name) is a symbolic link: name another folder.")
    }
    // What a run that was killed was about to write.
    for file in try FolderWalk.files(below: path, followsLinks: false) where file.hasSuffix(".partial") { unlink(file) }
  }

  /// A folder that is there.
  package init(path: String) throws(CommandError) {
    guard FileWriter.exists("\(path)/settings.json") else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is no folder of a run: it has no settings.json.")
    }
    self.path = path
  }

  /// Keeps others out as long as this process lives.
  package func lock() throws(CommandError) {
    let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0, assay_lock_file(descriptor) == 0 else {
      throw CommandError(.noAnswer, "another run is writing to \(Text.harmless(path)).")
    }
  }

  /// - Parameter durable: whether it must survive a loss of power; the end of this process it survives in any case.
  func write(_ bytes: [UInt8], to name: String, durable: Bool = true) throws(CommandError) {
    try FileWriter.write(bytes, to: "\(path)/\(name)", visibility: .everyone, replacing: true, durable: durable)
  }

  package func write(_ json: JSON, to name: String, durable: Bool = true) throws(CommandError) {
    try write(Array((json.text + "\n").utf8), to: name, durable: durable)
  }

  func exists(_ name: String) -> Bool { FileWriter.exists("\(path)/\(name)") }

  /// A JSON document; nil where there is none, or none that can be read.
  package func document(_ name: String) -> JSON? {
    guard exists(name), let bytes = try? FileReader.corpusFile("\(path)/\(name)", followsLinks: false) else {
      return nil
    }
    return try? JSON(reading: bytes.span)
  }

  // MARK: Corpus

  /// A sample's file is named by its contents: one that a loss of power cut is known by that.
  func keep(_ bytes: [UInt8]) throws(CommandError) {
    let name = "\(path)/corpus/\(Self.name(of: bytes))"
    if FileWriter.exists(name) { return }
    try FileWriter.write(bytes, to: name, visibility: .everyone, replacing: true, durable: false)
  }

  private static func name(of bytes: [UInt8]) -> String { Hex.encode(Hashing.sha256(bytes).prefix(16)) }

  /// The samples that can be read. Others, and symbolic links, are skipped with a remark each: one bad file is no reason
  /// to try none.
  func corpus() throws(CommandError) -> [[UInt8]] {
    var samples: [[UInt8]] = []
    for file in try FolderWalk.entries(below: "\(path)/corpus") where !file.hasSuffix(".partial") {
      let bytes: [UInt8]
      do {
        bytes = try FileReader.corpusFile(file, followsLinks: false)
      } catch {
        Console.remark("skipped: \(error.message)")
        continue
      }
      let name = file.split(separator: "/").last.map { String($0) } ?? ""
      // libFuzzer has names of its own, of another length.
      guard name.utf8.count != 32 || name == Self.name(of: bytes) else { continue }
      samples.append(bytes)
    }
    return samples
  }

  // MARK: Findings

  /// The names of the folders of findings that are complete.
  func findings() throws(CommandError) -> [String] {
    let start = "\(path)/findings/"
    return try FolderWalk.files(below: "\(path)/findings", followsLinks: false).filter { $0.hasSuffix("/finding.json") }
      .map { String($0.dropFirst(start.count).dropLast("/finding.json".count)) }
  }
}
