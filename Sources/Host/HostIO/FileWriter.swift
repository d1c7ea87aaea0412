import Reports

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes files atomically: each exists in full or not at all.
package enum FileWriter {
  /// Who may read a file.
  package enum Visibility {
    case ownerOnly
    case everyone

    fileprivate var mode: mode_t { self == .ownerOnly ? 0o600 : 0o644 }
    fileprivate var folderMode: mode_t { self == .ownerOnly ? 0o700 : 0o755 }
  }

  /// Makes a folder and its parents unless they exist, by default readable only by their owner.
  package static func makeFolder(_ path: String, visibility: Visibility = .ownerOnly) throws(CommandError) {
    if mkdir(path, visibility.folderMode) == 0 || errno == EEXIST { return }
    let failure = errno
    guard failure == ENOENT, let parent = parent(of: path) else { throw failed(path, failure) }
    try makeFolder(parent, visibility: visibility)
    guard mkdir(path, visibility.folderMode) == 0 || errno == EEXIST else { throw failed(path, errno) }
  }

  /// The folder of a file or folder; nil for a name without one.
  private static func parent(of path: String) -> String? {
    var trimmed = path[...]
    while trimmed.last == "/" { trimmed.removeLast() }
    guard let separator = trimmed.lastIndex(of: "/"), separator != trimmed.startIndex else { return nil }
    return String(trimmed[..<separator])
  }

  /// Makes a folder; false if the name exists already.
  package static func makeNewFolder(_ path: String) throws(CommandError) -> Bool {
    if mkdir(path, Visibility.ownerOnly.folderMode) == 0 { return true }
    guard errno == EEXIST else { throw failed(path, errno) }
    return false
  }

  /// Checks that files can be made in the folder of `path`.
  ///
  /// - Throws: `CommandError` that names the file.
  package static func checkFolder(of path: String) throws(CommandError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else { throw failed(path, errno) }
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Checks that a file can be written under this name.
  ///
  /// - Parameter replacing: whether an existing file may be replaced; a symbolic link is a file, wherever it leads.
  /// - Throws: `CommandError` that names the file.
  package static func checkName(_ path: String, replacing: Bool) throws(CommandError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR { throw failed(path, EISDIR) }
    guard replacing else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) exists already; --force replaces it.")
    }
  }

  /// Writes to a temporary file in the same folder, syncs it to disk, then moves it to `path`.
  ///
  /// - Parameters:
  ///   - replacing: whether an existing file is replaced; otherwise this fails.
  ///   - durable: whether it must survive a loss of power; it survives the end of this process in any case.
  /// - Throws: `CommandError` that names the file.
  package static func write(
    _ bytes: [UInt8], to path: String, visibility: Visibility, replacing: Bool, durable: Bool = true
  ) throws(CommandError) {
    let beside = "\(path).\(getpid()).partial"
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, visibility.mode)
    guard descriptor >= 0 else { throw failed(path, errno) }
    defer { unlink(beside) }
    let failure = fill(descriptor, bytes, durable: durable)
    guard close(descriptor) == 0, failure == 0 else { throw failed(path, failure == 0 ? errno : failure) }
    // link refuses an existing name, rename replaces it; both in one step.
    guard (replacing ? rename(beside, path) : link(beside, path)) == 0 else { throw failed(path, errno) }
    if durable { syncFolder(of: path) }
  }

  /// Removes a file that this process has written, if it can.
  package static func remove(_ path: String) {
    unlink(path)
    syncFolder(of: path)
  }

  /// Appends to a file, which is made if necessary.
  package static func append(_ bytes: [UInt8], to path: String) throws(CommandError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, Visibility.everyone.mode)
    guard descriptor >= 0 else { throw failed(path, errno) }
    let failure = Descriptor.write(bytes, to: descriptor)
    guard close(descriptor) == 0, failure == 0 else { throw failed(path, failure == 0 ? errno : failure) }
  }

  private static func fill(_ descriptor: Int32, _ bytes: [UInt8], durable: Bool) -> Int32 {
    let failure = Descriptor.write(bytes, to: descriptor)
    if failure != 0 || !durable { return failure }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  private static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func failed(_ path: String, _ number: Int32) -> CommandError {
    CommandError(.noAnswer, "\(Text.harmless(path)) could not be written: \(SystemError.text(number)).")
  }
}
