import Foundation

/// Reads whole files through a `FileHandle`. Foundation's functions that read a file by its path leak a page for an
/// empty file, and return only the first part of a file in /proc.
public enum FileText {
  public static func data(_ path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    return try file.readToEnd() ?? Data()
  }

  public static func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }
}
