public import Foundation
import Testing

/// The `openssl` program in a temporary folder. Its files and verdicts are independent of this project.
public final class OpenSSLTool {
  /// Whether the program exists; if not, a message is printed once.
  public static let isInstalled: Bool = {
    let found = InstalledProgram.find("openssl") != nil
    if !found { print("The openssl program is not installed: the tests of what it makes and accepts are skipped.") }
    return found
  }()

  /// The program failed.
  public struct Failure: Error {
    /// Its output on both streams.
    public let output: String
  }

  private let temporary: TemporaryFolder

  /// The folder, which is deleted with the tool.
  public var folder: URL { temporary.url }

  /// Makes an empty folder.
  public init() throws {
    temporary = try TemporaryFolder()
  }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { temporary.path(name) }

  /// Writes a file in the folder.
  public func write(_ bytes: [UInt8], to name: String) throws { try temporary.write(bytes, to: name) }

  /// The contents of a file in the folder.
  public func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: name))) }

  /// Runs `openssl` with arguments separated by spaces, in the folder, and returns its output on both streams.
  @discardableResult
  public func callAsFunction(_ words: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + words.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.blockUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(output: output) }
    return output
  }
}

/// Installed programs.
public enum InstalledProgram {
  /// The first file of this name in PATH that is executable; nil if there is none. Starts no process, so that a
  /// condition of a test can use it.
  public static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }
}
