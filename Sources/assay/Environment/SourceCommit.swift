#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The commit that was built, as far as the caller says: the program does not look for a repository.
enum SourceCommit {
  /// `ASSAY_COMMIT` of the environment, as CI sets it; nil unless it is hexadecimal.
  static var current: String? {
    guard let value = getenv("ASSAY_COMMIT") else { return nil }
    let text = String(cString: value)
    return (7...64).contains(text.utf8.count) && text.allSatisfy(\.isHexDigit) ? text : nil
  }
}
