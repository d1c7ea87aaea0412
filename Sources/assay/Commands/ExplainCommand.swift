import Explanation
import Gateways
import HostIO
import MerchantKeys
import PaymentToken

enum ExplainCommand: Command {
  static let definition = CommandDefinition(
    path: ["explain"], summary: "show every check up to the first that fails, and how to fix it",
    operands: "[FILE|-]", operandLimit: 1,
    options: options + [.json, .quiet],
    remarks: [
      "Works without keys, too: it then says whether Apple signed the token, and for which key. If the first",
      "--merchant-id does not open the token, the others are tried. Never prints keys, and of decrypted data only the",
      "currency, and the factor between the amounts, if others were expected. Exits with 0 if the token is accepted, 1",
      "if it is rejected, 2 if keys or files cannot be used.",
    ])

  /// The verification options, with the reference engine as the only choice: no other engine records a trace.
  private static var options: [OptionDefinition] {
    let engine = OptionDefinition.choice("--engine", [EngineName.reference.rawValue], "engine to explain")
    return VerificationOptions.definitions.map { $0.name == engine.name ? engine : $0 }
  }

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let verification = try VerificationOptions(arguments)
    let input = arguments.operands.first ?? "-"
    try CommandError.checkStandardInput(verification.files + [input])
    let keys = try keys(verification)
    let policy = try Verifier.policy(verification)
    let anchors = try Verifier.anchors(verification)
    let explainer = try CommandError.of { try Explainer(keys, anchors: anchors) }
    let (request, received) = try FileReader.receivedRequest(input)
    let expected = Result { () throws(RequestError) in
      try verification.requestExpectations.adding(to: policy, from: request)
    }
    let explanation = explainer.explain(
      request.span, receivedAs: received, at: Verifier.now(verification),
      under: (try? expected.get()) ?? policy, allowsUnsigned: verification.allowsUnsigned)
    // A fault of the request or the token takes precedence over its order details.
    if case .failure(let error) = expected, explanation.accepted {
      throw CommandError(.noAnswer, "\(error.sentence()).")
    }
    let report = ExplainReport(explanation, of: input, exists: FileWriter.exists)
    try output.answer(report.json, report.text(coloured: Console.answerIsColoured))
    if let error = explanation.keyError { throw CommandError(error) }
    if explanation.accepted { return .success }
    return explanation.diagnosis == .keyUnavailable ? .noAnswer : .finding
  }

  /// Loads the keys, or returns why they cannot be used. The first `--merchant-id` without a file applies to the keys;
  /// the others are candidates.
  private static func keys(_ verification: VerificationOptions) throws(CommandError) -> KeyContext {
    var bound = verification.merchantIDs
    var candidates: [String] = []
    if let first = bound.firstIndex(where: { !$0.contains("=") }) {
      let rest = bound[(first + 1)...]
      candidates = rest.filter { !$0.contains("=") }
      bound = Array(bound[...first]) + rest.filter { $0.contains("=") }
    }
    switch try MerchantKeyFiles.load(verification, merchantIDs: bound) {
    case .success(let keys): return KeyContext(keys, candidates: candidates)
    case .failure(let refusal): return refusal.context
    }
  }
}
