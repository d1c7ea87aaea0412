import CSodium
import Reports

/// Reads files and standard input up to a limit.
package enum FileReader {
  /// The first `limit` bytes of a regular file, or of standard input for `-`. FIFOs and devices are refused, since
  /// reading them may block forever, unless named as a descriptor of this process: `/dev/stdin`, `/dev/fd/3`.
  ///
  /// - Throws: `CommandError` that names the file.
  package static func read(_ path: String, limit: Int) throws(CommandError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : try descriptor(of: path)
    defer { if path != "-" { close(descriptor) } }
    return try contents(of: descriptor, limit: limit, path)
  }

  private static func contents(of descriptor: Int32, limit: Int, _ path: String) throws(CommandError) -> [UInt8] {
    // One buffer of the full size, so that secrets are in one place and can be wiped there. For a file it has the size
    // of the file: `limit` bytes for each of many files could exceed the memory, and fork(2) would fail.
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let capacity = isFile ? min(limit, Int(status.st_size) + 1) : limit
    var failure: Int32 = 0
    var bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      (count, failure) = Descriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
    }
    guard failure == 0 else {
      bytes.wipe()
      throw unreadable(path, failure)
    }
    return bytes
  }

  /// The size limit of keys, certificates and lists, 1 MiB.
  package static let smallFileLimit = 1 << 20

  /// A whole file of at most a mebibyte.
  package static func wholeFile(_ path: String) throws(CommandError) -> [UInt8] {
    var bytes = try read(path, limit: smallFileLimit + 1)
    guard bytes.count <= smallFileLimit else {
      bytes.wipe()
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is larger than any key, certificate or list.")
    }
    return bytes
  }

  /// The size limit of corpus files, 64 MiB.
  package static let corpusFileLimit = 64 << 20
  /// The size limit of samples, 1 MiB. A request has at most 64 KiB.
  package static let sampleLimit = 1 << 20

  /// A whole file of vectors, or a raw input; contains no secrets.
  ///
  /// - Parameter followsLinks: whether a symbolic link is followed or refused.
  package static func corpusFile(
    _ path: String, followsLinks: Bool = true, limit: Int = corpusFileLimit
  ) throws(CommandError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw notRegular(path) }
    guard status.st_size <= limit else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is larger than any file of its kind.")
    }
    return try contents(of: descriptor, limit: Int(status.st_size), path)
  }

  /// The first `limit` bytes of a regular file in a folder that others may write. A link is not followed.
  ///
  /// - Throws: `CommandError` that names the file.
  package static func unlinkedFile(_ path: String, limit: Int) throws(CommandError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { throw errno == ELOOP ? notRegular(path) : unreadable(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw notRegular(path) }
    return try contents(of: descriptor, limit: limit, path)
  }

  /// Opens a file as `read` does, for the caller to close.
  ///
  /// - Throws: `CommandError` that names the file.
  package static func descriptor(of path: String) throws(CommandError) -> Int32 {
    let isDescriptor = path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
    // Without O_NONBLOCK, opening a FIFO waits for a writer. On regular files it has no effect.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isDescriptor ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    if isDescriptor { return descriptor }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw notRegular(path)
    }
    return descriptor
  }

  private static func notRegular(_ path: String) -> CommandError {
    CommandError(
      .noAnswer, "\(PastedText.shown(path)) is not a regular file: name a file, or - for standard input.")
  }

  private static func unreadable(_ path: String, _ number: Int32) -> CommandError {
    if PastedText.isContent(path) {
      return CommandError(
        .noAnswer,
        "the argument looks like a token or a key rather than a file name: pass it by standard input, or in a file.")
    }
    let name = path == "-" ? "standard input" : Text.harmless(path)
    return CommandError(.noAnswer, "\(name) could not be read: \(SystemError.text(number)).")
  }
}

extension [UInt8] {
  /// Overwrites the bytes with zeros. The array must not be shared, or a copy would be overwritten.
  package mutating func wipe() {
    withUnsafeMutableBytes { buffer in
      if let address = buffer.baseAddress { sodium_memzero(address, buffer.count) }
    }
  }
}
