import CMachine
import Reports

/// Lists the files in a folder and its subfolders.
package enum FolderWalk {
  /// What is at a path.
  package enum Entry: Equatable {
    case file(size: Int)
    case folder, link
    /// A FIFO, a socket or a device.
    case special
  }

  /// What is at `path`; nil if there is nothing, or the system reports an error.
  ///
  /// - Parameter followsLink: whether a symbolic link is followed.
  package static func entry(at path: String, followsLink: Bool = false) -> Entry? {
    var found = stat()
    guard (followsLink ? stat(path, &found) : lstat(path, &found)) == 0 else { return nil }
    switch found.st_mode & S_IFMT {
    case S_IFREG: return .file(size: Int(found.st_size))
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .special
    }
  }

  /// Whether there is a folder at `path`.
  package static func isFolder(_ path: String) -> Bool { entry(at: path, followsLink: true) == .folder }

  /// Whether there is a symbolic link at `path`.
  package static func isLink(_ path: String) -> Bool { entry(at: path) == .link }

  /// Refuses a symbolic link: with one, the creator of the folder around it could choose what is read or written
  /// elsewhere.
  ///
  /// - Throws: `CommandError` that names it.
  package static func refuseLink(_ path: String) throws(CommandError) {
    guard isLink(path) else { return }
    throw CommandError(.noAnswer, "\(Text.harmless(path)) is a symbolic link: name a folder without one.")
  }

  /// The files, sorted by name; hidden ones are skipped, and links to folders are not followed.
  ///
  /// - Parameter followsLinks: whether links to files count as files.
  /// - Throws: `CommandError` that names a folder that cannot be read.
  package static func files(below path: String, followsLinks: Bool = true) throws(CommandError) -> [String] {
    try entries(below: path).filter { path in
      switch entry(at: path) {
      case .file: true
      case .link: followsLinks && !isFolder(path)
      case .folder, .special, nil: false
      }
    }
  }

  /// Everything but folders: files, links, FIFOs and devices, sorted by name; hidden ones are skipped, and links to
  /// folders are not followed.
  ///
  /// - Throws: `CommandError` that names a folder that cannot be read.
  package static func entries(below path: String) throws(CommandError) -> [String] {
    var entries: [String] = []
    for name in try names(in: path) {
      let path = "\(path)/\(name)"
      entries += entry(at: path) == .folder ? try self.entries(below: path) : [path]
    }
    return entries
  }

  /// The names in a folder, sorted, without hidden ones.
  package static func names(in path: String) throws(CommandError) -> [String] {
    guard let folder = opendir(path) else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) could not be read: \(SystemError.text(errno)).")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = String(cString: assay_entry_name(entry))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
