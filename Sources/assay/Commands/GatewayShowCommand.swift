import Descriptions
import Gateways
import HostIO
import Reports

/// `assay gateway show`: describes a gateway's requests, checks, mappings and sandbox.
struct GatewayShowCommand: Command {
  static let definition = CommandDefinition(
    path: ["gateway", "show"], summary: "show where a gateway puts the token, what is checked and what is sent on",
    operands: "NAME", operandLimit: 1, options: [.json],
    remarks: [
      "gateway list shows the names. The example request has three dots in place of token data."
    ])

  private let gateway: GatewayDescription

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let names = GatewayDescription.all.map(\.name).joined(separator: ", ")
    guard let name = arguments.operands.first else { throw UsageError("gateway show needs one of \(names).") }
    guard let gateway = GatewayDescription.all.first(where: { $0.name == name }) else {
      throw UsageError("there is no gateway \(Text.harmless(name)): it is one of \(names).")
    }
    self.gateway = gateway
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    try output.answer(gateway.document, gateway.text)
    return .success
  }
}
