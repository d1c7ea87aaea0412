#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Notices that files of keys, certificates or roots were replaced.
///
/// A file is looked at through symbolic links: where Kubernetes replaces a secret it moves the link `..data` to a new
/// folder, which changes all of its files at once. Files that are written one after the other are noticed when they
/// have stayed the same from one look to the next.
public struct KeyWatch: Sendable {
  private struct Identity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    /// Of the last change of its bytes, and of its owner or mode.
    let modification: [Int]
    let change: [Int]
  }

  private let paths: [String]
  /// The files that were read last, and of the last look; nil for one that is missing.
  private var read: [Identity?]
  private var seen: [Identity?]

  /// Takes note of the files. To be made before they are read, so that no change is missed.
  public init(_ files: KeyFileNames) {
    let others = [
      files.password, files.bearerTokens, files.tlsCertificate, files.tlsKey, files.clientAuthority,
    ]
    paths = files.keys + files.certificates + files.archives + files.roots + others.compactMap { $0 }
    read = paths.map(Self.identity)
    seen = read
  }

  /// Whether files are to be read again: they have changed and have settled, or could not be read the last time.
  ///
  /// - Parameter hasFailed: whether the last reading failed.
  public mutating func demandsReading(hasFailed: Bool) -> Bool {
    let present = paths.map(Self.identity)
    defer { seen = present }
    guard present != read || hasFailed, present == seen else { return false }
    read = present
    return true
  }

  private static func identity(_ path: String) -> Identity? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    #if canImport(Glibc)
      let (modification, change) = (facts.st_mtim, facts.st_ctim)
    #else
      let (modification, change) = (facts.st_mtimespec, facts.st_ctimespec)
    #endif
    return Identity(
      device: UInt64(truncatingIfNeeded: facts.st_dev), inode: UInt64(facts.st_ino), size: Int64(facts.st_size),
      modification: [modification.tv_sec, modification.tv_nsec], change: [change.tv_sec, change.tv_nsec])
  }
}
