import Fuzzing
import PaymentToken

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The entry points for libFuzzer, one function per target. Each aborts the process on a violation.
public enum FuzzTargets {
  /// Prepares a target before its first input. Makes the keys for whole requests, so that this time does not count
  /// against an input.
  ///
  /// Restores the default action of these signals, which another runtime may handle: libFuzzer installs its handlers
  /// after this call, and only where there is no other handler.
  public static func prepare(_ name: String) {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGFPE] { signal(number, SIG_DFL) }
    if FuzzTarget(rawValue: name)?.runsInLoop == true { _ = TokenTarget.shared }
  }

  /// Aborts the process after writing a line that identifies the finding: its kind and both results.
  static func fail(_ kind: String, _ first: String, _ second: String) -> Never {
    let line = Array("assay-fuzz\t\(kind)\t\(first)\t\(second)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    abort()
  }

  /// Aborts the process if one reader accepts an input and the other does not, or if what they read is not the same.
  static func requireAgreement<Fast, Reference>(
    _ what: String, _ fast: Fast?, _ reference: Reference?, _ areSame: (Fast, Reference) -> Bool
  ) {
    func word(_ isRead: Bool) -> String { "\(what) \(isRead ? "read" : "malformed")" }
    guard let fast, let reference else {
      if (fast != nil) != (reference != nil) { fail("readers", word(fast != nil), word(reference != nil)) }
      return
    }
    if !areSame(fast, reference) { fail("readers", "\(what) read", "\(what) read otherwise") }
  }

  /// Splits off the first byte, which selects the token version; nil for an empty input.
  static func versioned(_ data: UnsafePointer<UInt8>?, _ size: Int) -> (version: TokenVersion, bytes: [UInt8])? {
    let input = bytes(data, size)
    let versions = TokenVersion.allCases
    return input.first.map { (versions[Int($0) % versions.count], Array(input.dropFirst())) }
  }

  /// The input as an array.
  static func bytes(_ data: UnsafePointer<UInt8>?, _ size: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: data, count: size))
  }
}
