import Corpus
import Gateways
import HostIO
import Minting
import NamedCases
import PaymentToken
import Reports
import TestCases
import TokenScanning

struct MintCommand: Command {
  static let definition = CommandDefinition(
    path: ["mint"], summary: "make test keys, certificates and tokens", operands: "[WORD…]",
    operandLimit: 8,
    options: [
      .value("--out", "DIR", "write root.pem, merchant.key, merchant.pem and token.json to DIR"),
      .choice(
        "--envelope", Envelope.all.map(\.name),
        "gateway request around each token, written to request.json (default: apple, none)"),
      .flag("--force", "replace existing files"),
      .value("--count", "N", "number of tokens, written to token-1.json and so on (default: 1)"),
      .value("--seed", "N", "seed of all keys and tokens (default: random, and reported)"),
      .value("--at", "TIME", "signing time: RFC 3339, a date or now (default: now)"),
      .value("--fault", "NAME", "make a token with this one fault or oddity"),
      .flag("--list-faults", "list the names for --fault by stage, with rule and verdict"),
      .choice(
        "--version", TokenVersion.allCases.map(\.rawValue), "version of the tokens (default: EC_v1, or that of the key)"
      ),
    ] + OwnKey.definitions + PayloadOptions.definitions + CardOptions.definitions + [.json, .quiet],
    remarks: [
      "Needs --out or --json; the JSON document contains everything that the files do. The same seed and time give the",
      "same bytes. With --cert or --key the tokens are for a key of your own; the root that they need is written as well.",
      "--list-faults takes a stage (chain, or 7), or words that name, code, rule or note of a case must contain. No minted",
      "token is ever accepted under Apple's root.",
    ])

  private let folder: String?
  private let force: Bool
  private let count: UInt64
  private let seed: UInt64
  private let time: UnixTime
  private let payload: PayloadOptions
  private let card: CardOptions
  private let version: TokenVersion?
  private let ownKey: OwnKey?
  private let gateway: Gateway?
  /// The currency of the request around the token; nil without a gateway.
  private let currency: Currency?
  private let fault: CaseRecipe?

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    guard arguments.has("--list-faults") else { return try MintCommand(arguments).run(output) }
    // Refuse options that would have no effect.
    let ignored = definition.options.map(\.name).filter { !["--list-faults", "--json", "--quiet"].contains($0) }
    if let option = ignored.first(where: arguments.has) {
      throw .usage("--list-faults makes no token: leave out \(option).")
    }
    let list = try FaultList(arguments.operands)
    try output.answer(list.json, list.text)
    return .success
  }

  private init(_ arguments: ParsedArguments) throws(CommandError) {
    // The printed decryption command contains this path. Without "./", a path that begins with "-" would be read as an
    // option.
    folder = arguments.value("--out").map { $0.hasPrefix("-") ? "./\($0)" : $0 }
    force = arguments.has("--force")
    count = try arguments.number("--count", in: 1...10_000) ?? 1
    // A random seed has only 32 bits, so that it is short enough to type again.
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? UInt64.random(in: 0...UInt64(UInt32.max))
    time = try arguments.timeOrNow("--at")
    guard Minter.times.contains(time) else {
      let (first, last) = (Minter.times.lowerBound.rfc3339, Minter.times.upperBound.rfc3339)
      throw .usage("--at must be from \(first) to \(last): the certificates are valid years before and after it.")
    }
    payload = try PayloadOptions(arguments)
    card = try CardOptions(arguments)
    version = arguments.choice("--version")
    ownKey = try OwnKey(arguments)
    gateway = arguments.value("--envelope").flatMap(Gateway.named)
    currency = gateway == nil ? nil : try payload.details(index: 0).currency
    guard arguments.operands.isEmpty else { throw .usage("mint takes words only for --list-faults.") }
    if let name = arguments.value("--fault") {
      let others = (OwnKey.definitions + PayloadOptions.definitions + CardOptions.definitions).map(\.name)
      guard count == 1, !(others + ["--envelope", "--version"]).contains(where: arguments.has) else {
        throw .usage("--fault makes a single token with its own content.")
      }
      fault = try CaseRecipe.chosen(name)
    } else {
      fault = nil
    }
    guard folder != nil || arguments.has("--json") else {
      throw .usage("mint needs --out DIR or --json.")
    }
  }

  private func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let own = try ownKey.map { (key) throws(CommandError) in try key.load() }
    if let own, let version, own.recipient.version != version {
      throw CommandError(.usage, "the key is for tokens of \(own.recipient.version.rawValue), not \(version.rawValue).")
    }
    var version = own?.recipient.version ?? version ?? .ecV1
    if version == .rsaV1, form?.isSigned == false {
      throw CommandError(.usage, "tokens in parts, which --envelope \(gateway?.name ?? "") makes, are of EC_v1.")
    }
    card.remarkRealNumber(output)
    if let gateway, let currency { Self.remarkCurrency(currency, gateway, output) }
    let minter = try CommandError.of { try Minter(seed: seed, at: time) }
    let files: MintedFiles
    if let fault {
      (files, version) = try MintedFiles.of(fault, by: minter)
      try Self.checkAcceptance(files.options, of: fault)
    } else {
      files = try valid(by: minter, version, own)
    }
    if let folder { try files.write(to: folder, replacing: force) }
    let report = files.report(
      seed: seed, at: time,
      merchant: own == nil ? minter.merchantIdentifier(of: version) : own?.merchantID,
      expected: fault?.verdict ?? (form?.isSigned == false ? "accept unsigned" : "accept"), in: folder)
    try output.answer(report.json, report.text)
    return .success
  }

  /// Refuses cases whose expectations only a library's caller can have, such as a currency of four digits.
  private static func checkAcceptance(_ options: [String], of fault: CaseRecipe) throws(CommandError) {
    do {
      _ = try VerificationOptions(ParsedArguments(options, for: DecryptCommand.definition))
    } catch {
      throw CommandError(.usage, "\(fault.name) is about a caller's own choice of expectations: \(error.message)")
    }
  }

  /// Warns if the gateway's document does not name the currency.
  private static func remarkCurrency(_ currency: Currency, _ gateway: Gateway, _ output: OutputOptions) {
    guard !gateway.currencies.isEmpty, !gateway.currencies.contains(currency) else { return }
    let names = gateway.currencies.map(\.alphabeticCode).listed("and")
    output.remark(
      "\(gateway.nameInText)'s document names only \(names): expect the gateway to refuse \(currency.alphabeticCode).")
  }

  /// Mints `count` valid tokens, each in the gateway's request if there is one.
  private func valid(
    by minter: Minter, _ version: TokenVersion, _ own: OwnKey.Loaded?
  ) throws(CommandError) -> MintedFiles {
    let tokens = try CommandError.of {
      try (0..<count).map { index in
        var recipe = payload.recipe(index: index, of: minter)
        recipe.version = version
        card.apply(to: &recipe.payload, index: index, of: minter)
        let token = try own.map { try minter.mint(recipe, for: $0.recipient) } ?? minter.mint(recipe).bytes
        return try enclosed(token, index: index)
      }
    }
    var options = (own?.decryptOptions ?? []) + ["--at", time.rfc3339]
    if let gateway { options += ["--envelope", gateway.name] }
    if let form, !form.isSigned { options.append("--unsigned") }
    return MintedFiles(
      tokens: tokens, named: gateway == nil ? "token" : "request", roots: minter.anchors.certificates,
      keys: own == nil ? Array(TestKey.all(of: minter, version).prefix(1)) : [], options: options)
  }

  /// The form of the request around the token; nil without a gateway.
  private var form: Gateway.Form? { gateway?.forms.first }

  /// The gateway's request around the token; the token itself if there is no gateway.
  private func enclosed(_ token: [UInt8], index: UInt64) throws -> [UInt8] {
    guard let gateway, let form else {
      try Self.checkSize(token)
      return token
    }
    let details = try payload.details(index: index)
    // A token in a string is written with line breaks, as in the gateways' documents.
    let isText = gateway.envelope.routes.contains { $0.wrapping == .text }
    let token = isText ? EnclosedToken(token).indented : EnclosedToken(token)
    try Self.checkSize(token.text)
    return form.json(token, details).text()
  }

  /// Refuses a token above the maximum size. Only a long `--cardholder` or `--cryptogram` makes one.
  private static func checkSize(_ token: [UInt8]) throws(CommandError) {
    let limit = TokenFields.maximumTokenSize
    guard token.count > limit else { return }
    throw CommandError(
      .usage,
      "the token would have \(token.count) bytes, and tokens have at most \(limit): shorten --cardholder or --cryptogram."
    )
  }
}

extension Minter {
  fileprivate func merchantIdentifier(of version: TokenVersion) -> String {
    switch version {
    case .ecV1: merchants[0].identifier
    case .rsaV1: rsaMerchants[0].identifier
    }
  }
}

extension CaseRecipe {
  /// The case of `mint --fault`.
  fileprivate static func chosen(_ name: String) throws(CommandError) -> CaseRecipe {
    if let recipe = CaseRecipe.named(name) { return recipe }
    let ending = Suggestion.ending(for: name, among: CaseRecipe.all.map(\.name))
    throw .usage("there is no case \(Text.harmless(name))\(ending)", see: "assay mint --list-faults")
  }
}
