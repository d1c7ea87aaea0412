import Foundation

/// What a file holds, by a handle: Foundation's readers of whole files lose a page when the file is empty, and take the
/// first part of a file of /proc for all of it.
public enum FileText {
  public static func data(_ path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    return try file.readToEnd() ?? Data()
  }

  public static func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }
}
