#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Notices changes of the files in `KeyFileNames`.
///
/// It follows symbolic links: to replace a secret, Kubernetes points the link `..data` to a new folder, which changes
/// all of its files at once. Other files may be written one after the other, so a change counts when the files were the
/// same at two successive looks.
public struct KeyWatch: Sendable {
  private struct Identity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    /// The times of the last change of its content, and of its content or attributes.
    let modification: [Int]
    let change: [Int]
  }

  private let paths: [String]
  /// The files at the last reading and at the last look; nil for one that is missing.
  private var read: [Identity?]
  private var seen: [Identity?]

  /// Notes the state of the files. Make it before they are read, so that no change is missed.
  public init(_ files: KeyFileNames) {
    paths = files.paths
    read = paths.map(Self.identity)
    seen = read
  }

  /// Whether the files are to be read again: they have changed or the last reading failed, and they are the same as at
  /// the last look.
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
