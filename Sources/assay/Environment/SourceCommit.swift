import CBuild
import HostIO
import Reports

/// The commit that this program was built from.
enum SourceCommit {
  /// `ASSAY_COMMIT`, as CI sets it; else the commit that released programs contain; else the one checked out in the
  /// folder of this program, with `-dirty` if files were changed, and `-stale` unless the program is newer than the
  /// checkout: then it was built from other sources, as far as can be known. Nil if there is none.
  static var current: String? {
    Environment.value("ASSAY_COMMIT").flatMap(valid) ?? valid(String(cString: assay_build_commit())) ?? checkedOut
  }

  /// Asks git about the folder of the program, since the working folder can belong to another project. The program may
  /// have been copied into another project too: its folder counts only if git tracks this project's sources there.
  private static var checkedOut: String? {
    guard let program = Environment.programPath(), let slash = program.lastIndex(of: "/") else { return nil }
    // The reflog is written whenever HEAD moves. Without one, nobody knows since when this commit is checked out.
    let question =
      "cd " + ShellWord.quoted(String(program[...slash]))
      + " && git ls-files --error-unmatch :/Sources/assay/main.swift >/dev/null 2>&1"
      + " && printf %s \"$(git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null)\""
      + " && moved=$(git rev-parse --git-path logs/HEAD)"
      + " && { [ -e \"$moved\" ] && [ \(ShellWord.quoted(program)) -nt \"$moved\" ] || printf %s -stale; }"
    return valid(String(decoding: Descriptor.output(ofCommand: question).prefix { $0 > 32 }, as: UTF8.self))
  }

  private static func valid(_ text: String) -> String? {
    let name = text.hasSuffix("-stale") ? text.dropLast(6) : text[...]
    let digits = name.hasSuffix("-dirty") ? name.dropLast(6) : name
    return (7...64).contains(digits.utf8.count) && digits.allSatisfy(\.isHexDigit) ? text : nil
  }
}
