import Reports

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes files so that each is either there in full or not at all.
package enum FileWriter {
  /// Who may read a file.
  package enum Visibility {
    case ownerOnly
    case everyone

    fileprivate var mode: mode_t { self == .ownerOnly ? 0o600 : 0o644 }
    fileprivate var folderMode: mode_t { self == .ownerOnly ? 0o700 : 0o755 }
  }

  /// Makes a folder if there is none, readable by its owner alone unless all may.
  package static func makeFolder(_ path: String, visibility: Visibility = .ownerOnly) throws(CommandError) {
    if mkdir(path, visibility.folderMode) != 0 && errno != EEXIST { throw failed(path, errno) }
  }

  /// Makes a folder that is not there yet.
  ///
  /// - Returns: false if there is something of that name.
  package static func makeNewFolder(_ path: String) throws(CommandError) -> Bool {
    if mkdir(path, Visibility.ownerOnly.folderMode) == 0 { return true }
    guard errno == EEXIST else { throw failed(path, errno) }
    return false
  }

  /// Whether files can be made where `path` is to be.
  ///
  /// - Throws: `CommandError` that names the file.
  package static func checkFolder(of path: String) throws(CommandError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else { throw failed(path, errno) }
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Writes beside `path`, forces it to the disk, then moves it there.
  ///
  /// - Parameters:
  ///   - replacing: whether a file that is there already may go; otherwise it stays and this fails.
  ///   - durable: whether it must survive a loss of power; the end of this process it survives in any case.
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

  /// Writes behind what a file holds; makes it if it is not there.
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
