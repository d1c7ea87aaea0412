import Benchmarking
import CMachine
import HostIO
import StrictJSON
import Workloads

enum BenchListCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "list"], summary: "list the names of all benchmarks", options: [.json])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let document = JSON(["schema": "assay.bench-list/1", "names": Catalogue.names])
    try output.answer(document, Catalogue.names.joined(separator: "\n") + "\n")
    return .success
  }
}

enum BenchEchoCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "echo"], summary: "answer the line protocol without decrypting, to measure the protocol itself",
    options: [],
    remarks: ["Answers every token with unsupported. bench run --external measures it like any other program."],
    isInternal: true)

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    while let line = readLine() {
      if line.hasPrefix(#"{"hello""#) {
        try Console.answer(
          #"{"hello":1,"name":"echo","version":"\#(MachineDescription.version)","supports":["EC_v1","RSA_v1"]}"# + "\n")
        continue
      }
      // Parse nothing after the id, to measure the protocol alone. As in the examples of Docs/LineProtocol.md, the id
      // must be the first member, and end within the first 64 bytes of the line: it is the second string.
      let id = line.utf8.prefix(64).split(separator: UInt8(ascii: "\""), maxSplits: 4, omittingEmptySubsequences: false)
      guard id.count > 4, Array(id[1]) == Array("id".utf8) else {
        try Console.answer(#"{"id":null,"error":"the line does not begin with its id"}"# + "\n")
        continue
      }
      try Console.answer(#"{"id":""# + String(decoding: Array(id[3]), as: UTF8.self) + #"","unsupported":true}"# + "\n")
    }
    return .success
  }
}

enum BenchWorkerCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "worker"], summary: "run benchmarks as told on standard input, for bench compare",
    operands: "[NAME…]", operandLimit: 256,
    options: [
      .value("--seed", "N", "seed of tokens (default: 1)"),
      .value("--tokens", "N", "number of different tokens, 1 to 64 (default: 8)"),
    ],
    remarks: [
      "Checks the answers, pins itself to a CPU, then answers each line until the input ends: names with the names of its",
      "benchmarks, time INDEX NANOSECONDS with the median nanoseconds per operation, run INDEX COUNT with done, memory",
      "with the peak resident bytes.",
    ], isInternal: true)

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let patterns = arguments.operands
    let seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    let tokens = try arguments.number("--tokens", in: 1...64) ?? 8
    _ = assay_pin_thread(0)
    let names = patterns.isEmpty ? Catalogue.comparedNames : Catalogue.names(under: patterns)
    var session: WorkerSession
    do throws(BenchmarkFailure) {
      let set = try TokenSet.minted(count: tokens, seed: seed)
      session = WorkerSession(try Catalogue.make(names, tokens: set, seed: seed))
    } catch {
      try Console.answer("failed \(error.reason)\n")
      return .finding
    }
    while let line = readLine() {
      let answer: String
      do throws(BenchmarkFailure) {
        answer = try session.answer(line)
      } catch {
        try Console.answer("failed \(error.reason)\n")
        return .finding
      }
      try Console.answer(answer + "\n")
    }
    return .success
  }
}
