import HostIO
import Reports

/// Builds the libFuzzer programs of Fuzz/.
struct LibFuzzerBuild {
  let target: FuzzTarget

  private static let package = "Fuzz"
  private static let scratch = ".build-fuzz"

  var program: String { "\(Self.scratch)/release/fuzz-\(target.rawValue)" }

  /// Its options as arguments, from the file in Fuzz/options that OSS-Fuzz reads too.
  ///
  /// - Throws: `CommandError` when the file cannot be read.
  func options() throws(CommandError) -> [String] {
    let bytes = try FileReader.corpusFile("\(Self.package)/options/\(target.rawValue).options")
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 3, words[1] == "=" else { return nil }
      return words[0] == "dict" ? "-dict=\(Self.package)/dictionaries/\(words[2])" : "-\(words[0])=\(words[2])"
    }
  }

  /// The build, with coverage of Swift and C and AddressSanitizer.
  private var command: String {
    "swift build -c release --package-path \(Self.package) --scratch-path \(Self.scratch) --product fuzz-\(target.rawValue)"
      + " --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=address,fuzzer-no-link"
  }

  /// Builds the program if it is not up to date.
  func build(quiet: Bool) throws(CommandError) {
    guard FileWriter.exists("\(Self.package)/Package.swift") else {
      throw CommandError(.noAnswer, "--driver libfuzzer needs the sources: there is no Fuzz/Package.swift here.")
    }
    if !quiet { Console.remark("building fuzz-\(target.rawValue); the first time takes minutes") }
    let (end, last) = try ChildCommand(command).finish(keeping: 20)
    guard end == .exited(code: 0) else {
      throw CommandError(.internalError, "the build failed:\n" + last.map { Text.harmless($0) }.joined(separator: "\n"))
    }
  }
}
