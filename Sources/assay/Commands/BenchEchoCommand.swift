import HostIO

/// `assay bench echo`: an external that decrypts nothing.
struct BenchEchoCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "echo"], summary: "answer the line protocol without decrypting, to measure the protocol itself",
    options: [],
    remarks: ["Answers every token with unsupported. bench run --external measures it like any other program."])

  init(_ arguments: ParsedArguments) {}

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    while let line = readLine() {
      if line.hasPrefix(#"{"hello""#) {
        try Console.answer(
          #"{"hello":1,"name":"echo","version":"\#(MachineDescription.version)","supports":["EC_v1","RSA_v1"]}"# + "\n")
        continue
      }
      // Reads only up to the second string: the id is first in the order of Docs/LineProtocol.md.
      let id = line.utf8.prefix(64).split(separator: UInt8(ascii: "\""), maxSplits: 4, omittingEmptySubsequences: false)
      guard id.count > 3, Array(id[1]) == Array("id".utf8) else {
        try Console.answer(#"{"id":null,"error":"the line does not begin with its id"}"# + "\n")
        continue
      }
      try Console.answer(#"{"id":""# + String(decoding: Array(id[3]), as: UTF8.self) + #"","unsupported":true}"# + "\n")
    }
    return .success
  }
}
