import Gateways
import HostIO
import Minting
import NamedCases
import PaymentToken

struct MintCommand: Command {
  static let definition = CommandDefinition(
    path: ["mint"], summary: "make test keys, certificates and tokens",
    options: [
      .value("--out", "DIR", "write root.pem, merchant.key, merchant.pem and token.json to DIR"),
      .choice(
        "--envelope", Envelope.all.map(\.name),
        "gateway request around each token, written to request.json (default: apple, none)"),
      .flag("--force", "replace existing files"),
      .value("--count", "N", "number of tokens, written to token-1.json and so on (default: 1)"),
      .value("--seed", "N", "seed of all keys and tokens (default: random, and reported)"),
      .value("--at", "TIME", "signing time, RFC 3339 or now (default: now)"),
      .value("--fault", "NAME", "make a token with this one fault or oddity"),
      .flag("--list-faults", "list the names for --fault, with rule and verdict"),
    ] + PayloadOptions.definitions + [.json, .quiet],
    remarks: [
      "Needs --out or --json; the JSON document contains everything that the files do. The same seed and time give the",
      "same bytes. No minted token is ever accepted under Apple's root.",
    ])

  private let folder: String?
  private let force: Bool
  private let count: UInt64
  private let seed: UInt64
  private let time: UnixTime
  private let payload: PayloadOptions
  private let gateway: Gateway?
  private let fault: CaseRecipe?
  private let listsFaults: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = arguments.value("--out")
    force = arguments.has("--force")
    count = try arguments.number("--count", in: 1...10_000) ?? 1
    // Few enough digits to type again.
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? UInt64.random(in: 0...UInt64(UInt32.max))
    time = try arguments.timeOrNow("--at")
    payload = try PayloadOptions(arguments)
    gateway = arguments.value("--envelope").flatMap(Gateway.named)
    if gateway != nil { _ = try payload.details(index: 0) }
    listsFaults = arguments.has("--list-faults")
    if let name = arguments.value("--fault") {
      guard count == 1, !PayloadOptions.areGiven(in: arguments), !arguments.has("--envelope") else {
        throw UsageError("--fault makes a single token with its own content.")
      }
      fault = try FaultCase.named(name)
    } else {
      fault = nil
    }
    guard folder != nil || arguments.has("--json") || listsFaults else {
      throw UsageError("mint needs --out DIR or --json.")
    }
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    if listsFaults {
      try output.answer(FaultList.json, FaultList.text)
      return .success
    }
    let minter = try CommandError.ofMinting { try Minter(seed: seed, at: time) }
    let files = if let fault { try FaultCase.files(fault, by: minter) } else { try valid(by: minter) }
    if let folder { try files.write(to: folder, replacing: force) }
    let report = MintReport(
      files: files, seed: seed, time: time, merchantIdentifier: minter.merchants[0].identifier,
      verdict: fault.map(FaultCase.verdict) ?? (form?.isSigned == false ? "accept unsigned" : "accept"), folder: folder)
    try output.answer(report.json, report.text)
    return .success
  }

  private func valid(by minter: Minter) throws(CommandError) -> MintedFiles {
    let tokens = try CommandError.ofMinting {
      try (0..<count).map { try enclosed(minter.mint(payload.recipe(index: $0)).bytes, index: $0) }
    }
    var options = ["--at", time.rfc3339]
    if let gateway { options += ["--envelope", gateway.name] }
    if let form, !form.isSigned { options.append("--unsigned") }
    return MintedFiles(
      tokens: tokens, named: gateway == nil ? "token" : "request", roots: minter.anchors.certificates,
      keys: [MintedFiles.Key(minter.merchants[0].keys[0])], options: options)
  }

  private var form: Gateway.Form? { gateway?.forms.first }

  private func enclosed(_ token: [UInt8], index: UInt64) throws(UsageError) -> [UInt8] {
    guard let gateway, let form else { return token }
    let details = try payload.details(index: index)
    // In a string the token keeps its line breaks, as in the gateway's document.
    let isText = gateway.envelope.routes.contains { $0.wrapping == .text }
    let token = EnclosedToken(token)
    return form.json(isText ? token.indented : token, details).text()
  }
}
