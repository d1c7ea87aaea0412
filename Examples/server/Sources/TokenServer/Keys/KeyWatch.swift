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
    let seconds: Int
    let nanoseconds: Int
  }

  private let paths: [String]
  /// The files of the last change that was told, and of the last look; nil for one that is missing.
  private var told: [Identity?]
  private var seen: [Identity?]

  /// Takes note of the files. To be made before they are read, so that no change is missed.
  public init(_ files: KeyFileNames) {
    let others = [
      files.password, files.bearerTokens, files.tlsCertificate, files.tlsKey, files.clientAuthority,
    ]
    paths = files.keys + files.certificates + files.archives + files.roots + others.compactMap { $0 }
    told = paths.map(Self.identity)
    seen = told
  }

  /// Whether the files have changed since the last change that was told, and have settled.
  public mutating func hasChanged() -> Bool {
    let present = paths.map(Self.identity)
    defer { seen = present }
    guard present != told, present == seen else { return false }
    told = present
    return true
  }

  private static func identity(_ path: String) -> Identity? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    #if canImport(Glibc)
      let time = facts.st_mtim
    #else
      let time = facts.st_mtimespec
    #endif
    return Identity(
      device: UInt64(truncatingIfNeeded: facts.st_dev), inode: UInt64(facts.st_ino), size: Int64(facts.st_size),
      seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }
}
