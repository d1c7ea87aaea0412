import CBuild
import HostIO
import Reports

/// The commit that this program was built from.
enum SourceCommit {
  /// `ASSAY_COMMIT`, as CI sets it; else the commit that released programs contain; else the one checked out in the
  /// folder of this program, with `-dirty` if files were changed. Nil if there is none.
  static var current: String? {
    Environment.value("ASSAY_COMMIT").flatMap(valid) ?? valid(String(cString: assay_build_commit())) ?? checkedOut
  }

  /// Asks git about the folder of the program, since the working folder can belong to another project. The program may
  /// have been copied into another project too: its folder counts only if git tracks this project's sources there.
  private static var checkedOut: String? {
    guard let program = AllocationPreload.programPath(), let slash = program.lastIndex(of: "/") else { return nil }
    let git = "git -C " + ShellWord.quoted(String(program[..<slash]))
    let question =
      "\(git) ls-files --error-unmatch :/Sources/assay/main.swift >/dev/null 2>&1"
      + " && \(git) describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null"
    return valid(String(decoding: Descriptor.output(ofCommand: question).prefix { $0 > 32 }, as: UTF8.self))
  }

  private static func valid(_ text: String) -> String? {
    let digits = text.hasSuffix("-dirty") ? text.dropLast(6) : text[...]
    return (7...64).contains(digits.utf8.count) && digits.allSatisfy(\.isHexDigit) ? text : nil
  }
}
