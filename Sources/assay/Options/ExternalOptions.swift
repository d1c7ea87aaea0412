import Differential
import Fuzzing
import HostIO
import TestCases

/// The options about external programs that several commands have.
enum ExternalOptions {
  static let timeout = OptionDefinition.value(
    "--timeout", "SECONDS", "time limit for one answer of an external (default: 5)")
  static let memory = OptionDefinition.value(
    "--memory", "MIB", "address space limit of an external's processes, or off (default: 16384)")

  /// The programs of `--external`, with their limits.
  ///
  /// - Parameter timeout: the name of the option with the time limit of an answer.
  static func programs(
    _ arguments: ParsedArguments, timeout: String = timeout.name
  ) throws(CommandError) -> [ExternalProgram] {
    let seconds = try arguments.number(timeout, in: 1...3_600)
    let memory =
      arguments.value("--memory") == "off"
      ? nil : try arguments.number("--memory", in: 64...1 << 24) ?? 16_384 as UInt64
    var programs: [ExternalProgram] = []
    for command in arguments.values("--external") {
      guard command.contains(where: { !$0.isWhitespace }), !command.utf8.contains(0) else {
        throw .usage("--external needs a command.")
      }
      guard !programs.contains(where: { $0.command == command }) else {
        throw .usage("--external \(command) is given more than once.")
      }
      var program = ExternalProgram(command: command)
      if let seconds { program.timeoutMilliseconds = seconds * 1_000 }
      program.addressSpaceLimit = memory.map { $0 << 20 }
      programs.append(program)
    }
    return programs
  }

  /// For `fuzz run`, `fuzz replay` and `fuzz minimize`.
  static let oracle: [OptionDefinition] = [
    .value("--external", "CMD", "program that speaks the line protocol, which decides samples as well"),
    .value("--pipeline", "N", "samples that a process of the external is sent at once (default: 8)"),
    .choice("--strictness", Strictness.allCases.map(\.rawValue), "what it must match (default: plaintext)"),
    .choice(
      "--level", Standing.Severity.allCases.dropLast().map(\.rawValue),
      "least severe wrong decision that is a finding (default: interoperability)"),
    .value("--answer-timeout", "SECONDS", "time limit for one of its answers (default: 5)"),
    .value("--growth", "MIB", "by how much a process of it may grow (default: 1024)"), memory,
  ]

  /// The program that decides samples as well; nil without one.
  ///
  /// - Parameter found: a finding that a program showed, from which the defaults follow.
  static func plan(
    _ arguments: ParsedArguments, for found: FuzzFindingSummary? = nil
  ) throws(CommandError) -> ExternalPlan? {
    guard let program = try programs(arguments, timeout: "--answer-timeout").first else {
      for option in oracle where arguments.has(option.name) {
        throw .usage("\(option.name) needs --external.")
      }
      return nil
    }
    var plan = ExternalPlan(program)
    plan.depth = try arguments.number("--pipeline", in: 1...1_024) ?? plan.depth
    plan.strictness = arguments.choice("--strictness") ?? found?.strictness ?? plan.strictness
    plan.level = arguments.choice("--level") ?? max(plan.strictness.defaultLevel, found?.severity ?? plan.level)
    if let growth = try arguments.number("--growth", in: 16...1 << 20) { plan.growthLimit = growth << 20 }
    return plan
  }
}
