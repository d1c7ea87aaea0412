import CMachine
import Reports

/// Writes files atomically: each exists in full or not at all. Only `append` is not atomic.
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
    guard access(folder(of: path), W_OK | X_OK) == 0 else { throw failed(path, errno) }
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

  /// A file to write.
  package struct Content {
    let bytes: [UInt8]
    package let path: String
    let visibility: Visibility

    /// The temporary file in the same folder. Its number is random. A process identifier would not do: in a container
    /// the next process may have that of a killed one, whose temporary file would be in the way.
    fileprivate let beside: String

    package init(_ bytes: [UInt8], to path: String, visibility: Visibility) {
      (self.bytes, self.path, self.visibility) = (bytes, path, visibility)
      beside = "\(path).\(Int32.random(in: 1 ... .max)).partial"
    }
  }

  /// Whether a file has the name of a temporary file: `NAME.NUMBER.partial`.
  package static func isTemporary(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 2 && parts.last == "partial" && Int32(parts[parts.count - 2]) != nil
  }

  /// Removes the temporary files of processes that were killed. The folder must be locked: another process that writes
  /// there would lose its own.
  package static func removeTemporaryFiles(in folder: String) throws(CommandError) {
    for name in try FolderWalk.names(in: folder) where isTemporary(name) { unlink("\(folder)/\(name)") }
  }

  /// Writes to a temporary file in the same folder, syncs it to disk if `durable`, then moves it to `path`.
  ///
  /// - Parameters:
  ///   - replacing: whether an existing file is replaced; otherwise this fails.
  ///   - durable: whether it must survive a loss of power; it survives the end of this process in any case.
  /// - Throws: `CommandError` that names the file.
  package static func write(
    _ bytes: [UInt8], to path: String, visibility: Visibility, replacing: Bool, durable: Bool = true
  ) throws(CommandError) {
    let file = Content(bytes, to: path, visibility: visibility)
    try delayingSignals { _ throws(CommandError) in
      try prepare(file, durable: durable)
      try move(file, replacing: replacing)
    }
    if durable { syncFolder(of: path) }
  }

  /// Writes all temporary files, synced to disk, before the first is moved. So a lack of space or permission changes
  /// nothing, nor does an interrupt before the last of them is begun. If a move still fails, the new files are removed,
  /// but files that were replaced stay replaced.
  ///
  /// - Throws: `CommandError` that names the file.
  package static func write(_ files: [Content], replacing: Bool) throws(CommandError) {
    try delayingSignals { delayed throws(CommandError) in
      try writeAll(files, replacing: replacing, unless: delayed)
    }
    for folder in Set(files.map { folder(of: $0.path) }) { syncFolder(of: folder) }
  }

  /// - Parameter delayed: blocked signals. If one waits before the last file is prepared, no file is moved.
  private static func writeAll(
    _ files: [Content], replacing: Bool, unless delayed: [Int32]
  ) throws(CommandError) {
    var prepared: [Content] = []
    defer { for file in prepared { unlink(file.beside) } }
    for file in files {
      guard !hasArrived(delayed) else { throw CommandError(.interrupted, "") }
      try prepare(file, durable: true)
      prepared.append(file)
    }
    var new: [String] = []
    do throws(CommandError) {
      for file in files {
        let isNew = !exists(file.path)
        try move(file, replacing: replacing)
        if isNew { new.append(file.path) }
      }
    } catch {
      new.forEach(remove)
      throw error
    }
  }

  // MARK: Signals

  /// The signals that end a program and could leave temporary files, except those that it ignores.
  private static var endingSignals: [Int32] {
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { number in
      var action = sigaction()
      return sigaction(number, nil, &action) == 0 && !isIgnored(action)
    }
  }

  /// Whether an action is to ignore the signal.
  package static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Runs `body`, and lets the signals that end a program wait until it has moved or removed its temporary files.
  ///
  /// A thread that has not blocked them, such as one of the pool in `diff --histories`, receives them at once. The
  /// temporary file that exists at that moment then stays.
  ///
  /// - Parameter body: gets the signals that this call blocks. Others were blocked before, and may wait forever.
  private static func delayingSignals(_ body: ([Int32]) throws(CommandError) -> Void) throws(CommandError) {
    var (delayed, before) = (sigset_t(), sigset_t())
    sigemptyset(&delayed)
    let numbers = endingSignals
    for number in numbers { sigaddset(&delayed, number) }
    pthread_sigmask(SIG_BLOCK, &delayed, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body(numbers.filter { sigismember(&before, $0) != 1 })
  }

  /// Whether one of these signals waits.
  private static func hasArrived(_ signals: [Int32]) -> Bool {
    var waiting = sigset_t()
    return sigpending(&waiting) == 0 && signals.contains { sigismember(&waiting, $0) == 1 }
  }

  // MARK: Steps

  private static func prepare(_ file: Content, durable: Bool) throws(CommandError) {
    let descriptor = open(file.beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file.visibility.mode)
    guard descriptor >= 0 else { throw failed(file.path, errno) }
    var failure = fill(descriptor, file.bytes, durable: durable)
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0 { return }
    unlink(file.beside)
    throw failed(file.path, failure)
  }

  /// Moves the temporary file to its name.
  private static func move(_ file: Content, replacing: Bool) throws(CommandError) {
    defer { unlink(file.beside) }
    // link refuses an existing name, rename replaces it; both in one step.
    guard (replacing ? rename(file.beside, file.path) : link(file.beside, file.path)) == 0 else {
      throw failed(file.path, errno)
    }
  }

  /// Removes a file that this process has written, if it can.
  package static func remove(_ path: String) {
    unlink(path)
    syncFolder(of: path)
  }

  /// Removes the named files of a folder, as far as they exist.
  package static func remove(_ names: [String], in folder: String) {
    for name in names { unlink("\(folder)/\(name)") }
    syncFolder(of: "\(folder)/")
  }

  /// Waits until everything that was written to the file system of a folder survives a loss of power: one call for many
  /// files that were not written durably.
  package static func syncFileSystem(of folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    assay_sync_file_system(descriptor)
    close(descriptor)
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

  private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

  private static func syncFolder(of path: String) {
    let descriptor = open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func failed(_ path: String, _ number: Int32) -> CommandError {
    CommandError(.noAnswer, "\(Text.harmless(path)) could not be written: \(SystemError.text(number)).")
  }
}
