import PaymentToken

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What libFuzzer calls: a function a target, which ends the process where something that must hold does not.
public enum FuzzTargets {
  /// Before the first input, whose time is measured: keys are made by now.
  ///
  /// Traps end the process at once: a handler of libFuzzer's would call them something else.
  public static func prepare(_ target: String) {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGFPE] { signal(number, SIG_DFL) }
    if isWhole(target) { _ = TokenTarget.shared }
  }

  /// Ends the process with a line that tells findings apart: the kind, and what either side said.
  static func fail(_ kind: String, _ first: String, _ second: String) -> Never {
    let line = Array("assay-fuzz\t\(kind)\t\(first)\t\(second)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    abort()
  }

  /// Ends the process where one reader takes an input and the other does not.
  static func requireAgreement(_ what: String, _ fast: Bool, _ reference: Bool) {
    func word(_ isRead: Bool) -> String { "\(what) \(isRead ? "read" : "malformed")" }
    if fast != reference { fail("readers", word(fast), word(reference)) }
  }

  /// An input whose first byte says of which version the token is; nil for one without.
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
