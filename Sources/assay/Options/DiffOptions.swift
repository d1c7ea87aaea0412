import Corpus
import Differential
import FastDecryption
import Gateways
import HostIO
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import TestCases

/// The options of `assay diff`, parsed but with no file read yet.
struct DiffOptions {
  static let definitions: [OptionDefinition] =
    [
      .value("--external", "CMD", repeatable: true, "program that speaks the line protocol, as a shell command"),
      .choice("--engine", ["fast", "reference", "both"], "engines of this program to run (default: both)"),
      .choice(
        "--strictness", Strictness.allCases.map(\.rawValue), "what externals must match (default: plaintext)"),
      .choice(
        "--level", Standing.Severity.allCases.dropLast().map(\.rawValue),
        "least severe finding that fails (default: interoperability)"),
      .value("--waivers", "FILE", "findings that do not fail: a test's name and the reason on each line"),
      .value("--test", "ID", repeatable: true, "only tests with this number or name"),
      .suite,
      .value("--mint", "N", "number of tokens to mint, alternately named cases and valid tokens"),
      .value("--seed", "N", "seed of minted tokens (default: random, and reported)"),
      .flag("--histories", "decide every test again, behind others or among them"),
      ExternalOptions.timeout, ExternalOptions.memory,
      .flag("--check-adapter", "try one plain token and one forgery only, and say what is in the way"),
      .value("--findings", "DIR", "write each finding to DIR, minimized, with the command that replays it"),
      .report,
      .flag("--i-trust-this-program-with-my-keys", "send externals keys that are not known to be test keys"),
    ]
    + VerificationOptions.definitions.filter { inputOptions.contains($0.name) }.map { replacements[$0.name] ?? $0 }
    + [.json, .quiet]

  /// Definitions that replace those of `assay decrypt`, whose help or choices do not apply here.
  private static let replacements: [String: OptionDefinition] = [
    "--key": .value("--key", "FILE", repeatable: true, "private key of a payment processing certificate, PEM"),
    "--cert": .value("--cert", "FILE", repeatable: true, "payment processing certificate, PEM; paired by public key"),
    "--at": .value("--at", "TIME", "verification time: RFC 3339 or now (default: now)"),
    "--envelope": .choice(
      "--envelope", ["auto"] + Envelope.all.map(\.name),
      "format of the request that contains the token (default: its folder's name, else apple)"),
    "--expect-currency": .value("--expect-currency", "CODE", "required ISO 4217 code, 978 or EUR"),
    "--expect-amount": .value(
      "--expect-amount", "AMOUNT", "required amount: minor units (1250), or decimals of that currency (12.50)"),
  ]

  /// The verification options that apply to files without a context of their own.
  private static let inputOptions: Set = [
    "--key", "--cert", "--merchant-id", "--root", "--at", "--window", "--revoked", "--envelope", "--unsigned",
    "--expect-currency", "--expect-amount", "--expect-application-data",
  ]

  /// The options that `--check-adapter` heeds.
  private static let adapterOptions: Set = [
    "--check-adapter", "--external", ExternalOptions.timeout.name, ExternalOptions.memory.name, "--json", "--quiet",
  ]

  let paths: [String]
  let engines: [EngineName]
  let externals: [ExternalProgram]
  let strictness: Strictness
  let mint: Int
  let seed: UInt64
  let reports: [ReportRequest]
  private let verification: VerificationOptions
  private let arguments: ParsedArguments

  var playsHistories: Bool { arguments.has("--histories") }
  var findingsFolder: String? { arguments.value("--findings") }
  var checksAdapter: Bool { arguments.has("--check-adapter") }
  var trustsExternals: Bool { arguments.has("--i-trust-this-program-with-my-keys") }
  private var envelope: String? { arguments.value("--envelope") }

  init(_ arguments: ParsedArguments) throws(CommandError) {
    self.arguments = arguments
    let mint = try arguments.number("--mint", in: 1...1_000_000)
    self.mint = mint ?? 0
    paths = arguments.operands.isEmpty && mint == nil ? ["Corpus"] : arguments.operands
    engines = arguments.choice("--engine").map { [$0] } ?? [.reference, .fast]
    externals = try ExternalOptions.programs(arguments)
    strictness = arguments.choice("--strictness") ?? .plaintext
    // A random seed has only 32 bits, so that it is short enough to type again.
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? UInt64.random(in: 0...UInt64(UInt32.max))
    reports = try ReportRequest.all(in: arguments)
    verification = try VerificationOptions(arguments)
    if checksAdapter {
      guard externals.count == 1 else { throw .usage("--check-adapter needs one --external.") }
      guard arguments.operands.isEmpty else { throw .usage("--check-adapter takes no files: it makes its own tests.") }
      if let other = Self.definitions.map(\.name).first(where: {
        arguments.has($0) && !Self.adapterOptions.contains($0)
      }) {
        throw .usage("--check-adapter takes no \(other): it makes its own tests.")
      }
    }
    if verification.keyFiles.isEmpty, let other = ["--cert", "--merchant-id", "--root"].first(where: arguments.has) {
      throw .usage("\(other) needs --key.")
    }
    guard !["--expect-currency", "--expect-amount"].contains(where: { arguments.value($0) == "request" }) else {
      throw .usage("diff takes no expectations from requests: give the value.")
    }
    guard verification.time != .signingTime else {
      throw .usage("diff does not support --at signing-time: externals need a time.")
    }
  }

  var replay: ReplayCommand {
    ReplayCommand(
      contenderWords: externals.flatMap { ["--external", $0.command] }
        + words(of: ["--engine", "--histories", ExternalOptions.timeout.name, ExternalOptions.memory.name]),
      inputWords: words(of: Self.inputOptions.sorted()), strictness: strictness, level: arguments.choice("--level"))
  }

  /// Options as they were given.
  private func words(of names: [String]) -> [String] {
    names.flatMap { name in arguments.values(name).flatMap { $0.isEmpty ? [name] : [name, $0] } }
  }

  /// Which findings about externals fail.
  func failurePolicy() throws(CommandError) -> FailurePolicy {
    FailurePolicy(
      level: arguments.choice("--level") ?? strictness.defaultLevel, waivers: try arguments.waivers())
  }
}

extension DiffOptions {
  /// The tests to run. Without keys, requests are verified with the keys, the time and the root of the corpus.
  func sources() throws(CommandError) -> TestSources {
    var now = Verifier.now(verification)
    let setting: TestSetting
    if verification.keyFiles.isEmpty {
      let minter = try VectorGenerator.minter()
      setting = TestSetting(of: minter)
      if !arguments.has("--at") { now = minter.time }
    } else {
      setting = try givenSetting()
    }
    return try TestSources(
      paths, setting: setting, context: TestContext(now: now, policy: try policy()), namesEnvelope: envelope != nil,
      tests: Set(arguments.values("--test")), suite: CorpusSuite(arguments), mint: mint, seed: seed)
  }

  private func policy() throws(CommandError) -> TestPolicy {
    TestPolicy(
      envelope: envelope.flatMap { EnvelopeSelection(name: $0) } ?? .named(.apple),
      isUnsigned: verification.allowsUnsigned,
      freshness: verification.window.map { .window(seconds: $0, replay: nil) } ?? .windowOff,
      revoked: try Verifier.revokedDigests(verification.revokedFile), expectations: verification.expectations)
  }

  private func givenSetting() throws(CommandError) -> TestSetting {
    let keys = try GivenKeys.read(
      verification.keyFiles + verification.certificateFiles,
      merchantIDs: verification.merchantIDs.map { MerchantIDAssignment(argument: $0) })
    return TestSetting(
      keys: keys, rootsPem: try Verifier.anchors(verification).certificates.map { PEM.certificate($0) },
      hasTestKeys: keys.allSatisfy(TestKeys.isWorthless))
  }
}

extension DiffOptions {
  /// The engines as contenders.
  ///
  /// In single decisions the fast engine makes a table for a signer after some uses, as in a server; in histories
  /// before the first use. So both ways to verify a signature are compared.
  func contenders() throws(CommandError) -> [EngineContender] {
    guard playsHistories else { return engines.map { $0.contender(histories: $0 == .fast ? .known : nil) } }
    let origins = try origins()
    return engines.map { $0.contender(histories: $0 == .fast ? .every : nil, origins: origins) }
  }

  /// The tests. With `--histories`, externals also get each test after other tests.
  func groups(of sources: TestSources) throws(CommandError) -> [TestGroup] {
    guard playsHistories, !externals.isEmpty else { return sources.groups }
    var histories = HistoryTests(origins: try origins())
    return sources.groups.flatMap { [$0, histories.behindOthers($0)] }
  }

  /// Returns a function that makes the valid tokens from which a named case is derived.
  private func origins() throws(CommandError) -> EngineContender.Origins {
    let minter = try VectorGenerator.minter()
    return { test in
      let name = test.name.firstRange(of: "--").map { test.name[..<$0.lowerBound] } ?? test.name[...]
      return CaseRecipe.named(String(name)).flatMap { try? minter.origins(of: $0) } ?? []
    }
  }
}

extension EngineName {
  fileprivate func contender(
    histories effort: HistoryCheck.Effort?, origins: @escaping EngineContender.Origins = { _ in [] }
  ) -> EngineContender {
    EngineContender(
      name: "assay \(rawValue)",
      factory: { setting in
        EngineContender.made(for: setting) { (keys, anchors) throws(EngineError) in
          try make(keys: keys, anchors: anchors)
        }
      },
      histories: effort.map { HistoryCheck(effort: $0) }, origins: origins)
  }
}

extension ParsedArguments {
  /// The waivers of `--waivers`; none without that option.
  func waivers() throws(CommandError) -> [Waiver] {
    guard let file = value("--waivers") else { return [] }
    return try Waiver.read(String(decoding: try FileReader.read(file, limit: 1 << 20), as: UTF8.self), file: file)
  }
}
