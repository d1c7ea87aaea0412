import Descriptions
import Gateways
import HostIO
import Reports
import StrictJSON

/// `assay gateway list`: lists the gateways and where each puts the token.
struct GatewayListCommand: Command {
  static let definition = CommandDefinition(
    path: ["gateway", "list"], summary: "list the gateways and where each puts the token", options: [.json])

  init(_ arguments: ParsedArguments) {}

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    try output.answer(document, text)
    return .success
  }

  private var document: JSON {
    [
      "schema": "assay.gateway-list/1",
      "gateways": GatewayDescription.all.map(\.summary),
    ]
  }

  private var text: String {
    let all = GatewayDescription.all
    let (names, titles) = (all.map(\.name.count).max() ?? 0, all.map(\.title.count).max() ?? 0)
    return all.map {
      "\(Text.padded($0.name, to: names))  \(Text.padded($0.title, to: titles))  \($0.token.joined(separator: ", or "))\n"
    }.joined()
  }
}
