import HostIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The measured commit: named by the caller, or checked out in the working folder.
enum SourceCommit {
  /// `ASSAY_COMMIT`, as CI sets it, else git's answer, with `-dirty` if files were changed; nil without either.
  static var current: String? { Environment.value("ASSAY_COMMIT").flatMap(valid) ?? checkedOut }

  private static var checkedOut: String? {
    guard let pipe = popen("git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null", "r") else {
      return nil
    }
    var buffer = [CChar](repeating: 0, count: 128)
    let isRead = fgets(&buffer, Int32(buffer.count), pipe) != nil
    guard pclose(pipe) == 0, isRead else { return nil }
    return valid(String(decoding: buffer.prefix { $0 > 32 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  private static func valid(_ text: String) -> String? {
    let digits = text.hasSuffix("-dirty") ? text.dropLast(6) : text[...]
    return (7...64).contains(digits.utf8.count) && digits.allSatisfy(\.isHexDigit) ? text : nil
  }
}
