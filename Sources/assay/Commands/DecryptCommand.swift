import Descriptions
import Explanation
import Gateways
import HostIO
import PaymentToken

enum DecryptCommand: Command {
  private enum Output {
    case text, json, plaintext, csv
    /// The request that sends the payment to this gateway.
    case request(Gateway)

    static let all: [(word: String, output: Output)] =
      [("text", .text), ("json", .json), ("plaintext", .plaintext), (BulkRun.csv, .csv)]
      + OutgoingRequest.gateways.map { ($0.name, .request($0)) }

    var gateway: Gateway? { if case .request(let gateway) = self { gateway } else { nil } }
  }

  static let definition = CommandDefinition(
    path: ["decrypt"], summary: "verify and decrypt one request, or many", operands: "[FILE|-]", operandLimit: 1,
    options: VerificationOptions.definitions + [
      .choice("--output", Output.all.map(\.word), "output format (default: text, of many requests json)"),
      .flag("--json", "the same as --output json; with a request, a document with it and all remarks"),
      .flag("--reveal", "show account number, cryptogram and names in full"),
    ] + BulkRun.definitions + OutgoingRequest.Choices.definitions + [.quiet],
    remarks: [
      "Reads PKPaymentToken.paymentData, or a gateway's request around it, from FILE or standard input. The fields beside",
      "the token in a request are unsigned: expecting them catches mistakes, not attackers. --output plaintext writes the",
      "exact decrypted bytes and nothing else. Keys and passwords are read from files or descriptors (/dev/fd/3), never",
      "from arguments.",
      "--output \(OutgoingRequest.outputs) write the request that sends the payment to that gateway, with card data in full.",
      "If request and token differ in amount, currency or merchant, nothing is written unless --prefer says which to send.",
      "With --lines, and if FILE is a folder of requests, each has its result, in order, as a line of JSON or CSV, and the",
      "counts by code follow on standard error. Exits with 1 if one was rejected, with 2 if one could not be decided. No",
      "replay is detected: a token that comes twice has two results. Docs/Decrypting-Many.md has examples.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let verification = try VerificationOptions(arguments)
    let input = arguments.operands.first ?? "-"
    let word = arguments.value("--output")
    let form = Output.all.first { $0.word == word }?.output ?? (output.json ? .json : .text)
    if output.json, let word, word != "json", form.gateway == nil {
      throw .usage("--json and --output \(word) exclude each other.")
    }
    let choices = try OutgoingRequest.Choices(arguments, for: form.gateway)
    let reveal = arguments.has("--reveal")
    let bulk = try BulkRun(arguments)
    try CommandError.checkStandardInput(verification.files + [input])
    let isBulk = bulk.readsLines || FolderWalk.isFolder(input)
    try bulk.check(isBulk: isBulk)
    let verifier = try Verifier(verification)
    if isBulk { return try bulk.run(input, by: verifier, reveal: reveal, output) }
    var remarks = Remarks(output)
    if let remark = verifier.remark { remarks.add(remark) }
    let (token, received) = try FileReader.receivedRequest(input)
    let outcome = try verifier.outcome(of: token, hasDocument: output.json || word == "json")
    let explanation: Explanation? =
      if case .rejected = outcome { try verifier.explanation(of: token, receivedAs: received) } else { nil }
    let advice = explanation.map {
      RejectionAdvice(
        diagnosis: $0.diagnosis.rawValue, sentence: $0.sentence,
        command: $0.command(on: input, exists: FileWriter.exists),
        further: $0.furtherProblems.map { ($0.diagnosis.rawValue, $0.sentence) })
    }
    let report = DecryptReport(
      engine: verifier.engine.name, outcome: outcome, keyFile: verifier.keyFile(of: outcome), advice: advice,
      reveal: reveal)
    switch form {
    case .text: try Console.answer(report: report.text(coloured: Console.answerIsColoured))
    case .json, .csv: try Console.answer(report.json.text + "\n")
    case .plaintext:
      try writePlaintext(outcome, output)
      for line in advice?.lines ?? [] { output.remark(line) }
    case .request(let gateway):
      let request = OutgoingRequest(to: gateway, choices)
      let body = remarks.body { (remarks) throws(OutgoingRequest.Refusal) in
        try request.body(for: outcome, by: verifier.keys, under: verifier.policy, request: token, &remarks)
      }
      for line in advice?.lines ?? [] { remarks.add(line) }
      if output.json {
        try Console.answer(remarks.document(body, for: gateway).text + "\n")
      } else if let body {
        try Console.answer(body.text + [0x0A])
      }
      if case .undecided = outcome { return .noAnswer }
      return body == nil ? .finding : .success
    }
    return outcome.exitCode
  }

  private static func writePlaintext(_ outcome: DecryptOutcome, _ output: OutputOptions) throws(CommandError) {
    switch outcome {
    case .accepted(let token, let archival):
      if archival { output.remark(DecryptOutcome.archivalRemark) }
      if token.isFromSandbox { output.remark(DecryptOutcome.sandboxRemark) }
      try Console.answer(token.plaintext)
    case .unsigned(let token):
      // Written even with --quiet: nothing in the plaintext shows that the token was unsigned.
      Console.remark("unsigned: anyone may have made this token.")
      try Console.answer(token.plaintext)
    case .rejected(let fault):
      output.remark("rejected: \(fault.description). \(fault.code.advice)")
    case .undecided: break
    }
  }
}
