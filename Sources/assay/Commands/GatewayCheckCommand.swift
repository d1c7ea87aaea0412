import Descriptions
import Explanation
import Gateways
import HostIO
import Reports

enum GatewayCheckCommand: Command {
  static let definition = CommandDefinition(
    path: ["gateway", "check"], summary: "check a request or a response against its gateway's document",
    operands: "NAME FILE|-", operandLimit: 2, needs: "a gateway and a file, or - for input",
    options: [.value("--as", "BODY", "kind of body (default: detected)"), .json],
    remarks: [
      "gateway show lists the values of NAME and BODY. Reports all problems at once, and nothing of the body's content.",
      "assay decrypt says whether a token in it is genuine. Exits with 1 if the body violates the document, 2 if it cannot",
      "be read or is none of the gateway's bodies.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let (name, file) = (arguments.operands[0], arguments.operands[1])
    let bodies = try GatewayBodies.named(name)
    let kind = try GatewayBodies.chosen(arguments, among: bodies, "\(name) has no body")
    let check = try GatewayBodies.check(try FileReader.request(file), of: file, among: bodies, as: kind?.name)
    try output.answer(check.document(of: name), check.text(of: name))
    return check.problems.isEmpty ? .success : .finding
  }
}

enum GatewayBodies {
  static func named(_ name: String) throws(CommandError) -> [BodyDescription] {
    if name == "onramp" { return Onramp.bodies }
    if let bodies = Gateway.named(name)?.bodies, !bodies.isEmpty { return bodies }
    let known = Gateway.all.filter { !$0.bodies.isEmpty }.map(\.name) + ["onramp"]
    throw .usage("\(Text.harmless(name)) has no bodies of its own: it is one of \(list(known, for: name))")
  }

  /// The body that `--as` names; nil without it.
  ///
  /// - Parameter complaint: the beginning of the message if there is none of this name.
  static func chosen(
    _ arguments: ParsedArguments, among bodies: [BodyDescription], _ complaint: String
  ) throws(CommandError) -> BodyDescription? {
    guard let name = arguments.value("--as") else { return nil }
    if let body = bodies.first(where: { $0.name == name }) { return body }
    throw .usage("\(complaint) \(Text.harmless(name)): it is one of \(list(bodies.map(\.name), for: name))")
  }

  /// The end of a sentence: the names, and which of them `word` probably means.
  static func list(_ names: [String], for word: String) -> String {
    names.joined(separator: ", ") + Suggestion.ending(for: word, among: names)
  }

  static func check(
    _ bytes: [UInt8], of file: String, among bodies: [BodyDescription], as kind: String?
  ) throws(CommandError) -> BodyCheck {
    do {
      return try BodyCheck(bytes.span, among: bodies, as: kind)
    } catch {
      let reason =
        switch error {
        case .malformed:
          "not a strict JSON object of at most 65,536 bytes without repeated names" + JSONDefect.ending(for: bytes)
        case .unrecognized, .unknownBody:
          "not recognized as \(bodies.map(\.name).listed("or")): name it with --as to see what it lacks"
        }
      throw CommandError(.noAnswer, "\(Text.harmless(file)): \(reason).")
    }
  }
}
