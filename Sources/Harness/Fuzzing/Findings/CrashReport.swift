import HostIO
import PaymentToken
import Reports

/// How and where a process crashed, as a violation with the same words in every run and every build: the signal or the
/// message, and the function. It has no exit codes, addresses, line numbers or folders, because these differ.
package struct CrashReport {
  package let violation: Violation
  /// The line that the process wrote about the crash, addresses included; empty without one.
  package let detail: String
  /// Whether the process was killed by another process, such as the kernel's out-of-memory killer, or lacked memory.
  package let wasKilledExternally: Bool

  /// Describes the crash of a worker of the loop.
  ///
  /// - Parameters:
  ///   - words: the end of its standard output and standard error.
  ///   - symbols: finds the function at an offset of its program.
  package init(
    _ end: (signal: Int32, code: Int32), words: [UInt8], symbols: (UInt64) -> String? = ProgramSymbols.function
  ) {
    let lines = words.split(separator: UInt8(ascii: "\n")).map { String(streamSafe: $0) }
    let message = lines.last { $0.contains("Fatal error") } ?? lines.last { $0.contains(":") && !Self.isPlace($0) }
    detail = message.map { Text.harmless(String($0.prefix(200))) } ?? ""
    // Messages of the Swift and the C++ runtime.
    let lacksMemory = lines.contains { $0.contains("failed to allocate") || $0.contains("std::bad_alloc") }
    wasKilledExternally = lacksMemory || Self.outside.contains(end.signal)
    let offset = lines.last(where: Self.isPlace).flatMap { UInt64($0.dropFirst(Self.mark.count), radix: 16) }
    let place = offset.flatMap(symbols).map(Self.withoutSpecialization) ?? ""
    let how = end.signal != 0 ? "signal \(end.signal)" : "exit code"
    let said = Self.normalized(detail)
    violation = Violation(.crash, said.isEmpty ? how : "\(how), \(said)", place)
  }

  /// Describes the crash of a libFuzzer program.
  ///
  /// - Parameter lines: its standard output and standard error.
  package init(kind: Violation.Kind, reason: String, lines: [String]) {
    detail = Text.harmless(reason)
    wasKilledExternally = false
    let summary = reason.split(separator: " ")
    let named = summary.count > 2 && summary[summary.count - 2] == "in" ? summary.last.map { String($0) } : nil
    let function = named ?? lines.lazy.compactMap(Self.frame).first
    violation = Violation(
      kind, Self.normalized(reason), function.map(Self.withoutSpecialization) ?? "")
  }

  /// Describes a violation that the program has reported itself.
  init(_ violation: Violation) {
    self.violation = violation
    detail = ""
    wasKilledExternally = false
  }

  /// What `CWorkers` writes before the offset.
  private static let mark = "assay-crash "
  private static func isPlace(_ line: String) -> Bool { line.hasPrefix(mark) }

  /// SIGHUP, SIGINT, SIGQUIT, SIGKILL (also for lack of memory), SIGTERM and SIGXCPU.
  private static let outside: Set<Int32> = [1, 2, 3, 9, 15, 24]

  /// Whether a program that ended by this signal was killed by another process or the system.
  static func wasKilledExternally(signal: Int32) -> Bool { outside.contains(signal) }

  /// The first twelve words of a message, without its place in the sources and without words that have a digit, a
  /// slash, a parenthesis or an equals sign.
  private static func normalized(_ line: String) -> String {
    let message = line.firstRange(of: "Fatal error").map { line[$0.lowerBound...] } ?? line[...]
    let words = message.split(separator: " ").filter { word in
      !word.contains { $0.isNumber || $0 == "/" || $0 == "(" || $0 == ")" || $0 == "=" }
    }
    return words.prefix(12).joined(separator: " ")
  }

  /// A mangled name without what the optimizer has added: the number and order of specializations change.
  private static func withoutSpecialization(_ name: String) -> String {
    let end = ["Tf4", "Tg5", "Tf1", "Tf2", "Tf3"].compactMap { name.firstRange(of: $0)?.lowerBound }.min()
    return String(name[..<(end ?? name.endIndex)])
  }

  /// The function of a frame `#3 0x55d0 in NAME PLACE`, unless it is of a sanitizer, libFuzzer or a standard library.
  private static func frame(_ line: String) -> String? {
    let words = line.split(separator: " ")
    guard words.count > 3, words[0].hasPrefix("#"), words[1].hasPrefix("0x"), words[2] == "in" else { return nil }
    let foreign = ["__", "fuzzer::", "$ss", "abort", "raise", "gsignal", "pthread_kill", "(", "<null>"]
    return foreign.contains { words[3].hasPrefix($0) } ? nil : String(words[3])
  }
}

/// The functions of this program, by its symbol table.
package enum ProgramSymbols {
  /// The mangled name of the function at an offset; nil if the program is stripped or has another file format.
  package static func function(at offset: UInt64) -> String? {
    guard let bytes = try? FileReader.read("/proc/self/exe", limit: 1 << 30) else { return nil }
    return function(at: offset, in: bytes)
  }

  /// The same in a file that must be position-independent, little-endian ELF64, whose symbols have 24 bytes each.
  package static func function(at offset: UInt64, in file: [UInt8]) -> String? {
    func number(_ position: Int, _ count: Int) -> Int {
      guard position >= 0, position <= file.count - count else { return 0 }
      return file[position..<position + count].reversed().reduce(0) { $0 << 8 & Int.max | Int($1) }
    }
    let sharedObject = 3
    guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), number(16, 2) == sharedObject else { return nil }
    let sections = (0..<number(60, 2)).map { number(40, 8) + $0 * number(58, 2) }
    let symbolTable = 2
    guard let table = sections.first(where: { number($0 + 4, 4) == symbolTable }) else { return nil }
    let link = number(table + 40, 4)
    guard link < sections.count else { return nil }
    let (start, size, names) = (number(table + 24, 8), number(table + 32, 8), number(sections[link] + 24, 8))
    let function = 2
    for symbol in stride(from: start, to: min(start + size, file.count), by: 24)
    where number(symbol + 4, 1) & 15 == function {
      let value = UInt64(number(symbol + 8, 8))
      guard offset >= value, offset - value < UInt64(number(symbol + 16, 8)) else { continue }
      let name = names + number(symbol, 4)
      guard name >= 0, name < file.count else { return nil }
      return String(streamSafe: file[name...].prefix { $0 != 0 })
    }
    return nil
  }
}
