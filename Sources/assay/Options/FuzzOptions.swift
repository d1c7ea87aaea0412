import CMachine
import Corpus
import Differential
import Explanation
import FastDecryption
import Fuzzing
import HostIO
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import Reports
import TestCases

struct FuzzOptions {
  static let definitions: [OptionDefinition] =
    [
      .choice("--driver", FuzzPlan.Driver.allCases.map(\.rawValue), "source of mutations (default: loop)"),
      .choice("--target", FuzzTarget.allCases.map(\.rawValue), "what to fuzz (default: token)"),
      .value("--duration", "TIME", "how long to run: 30s, 90m or 8h (default: 1h)"),
      .value("--jobs", "N", "number of processes (default: one per processor)"),
      .value("--seed", "N", "seed of all choices (default: random, and reported)"),
      .value("--dir", "DIR", "folder of the run, which is resumed if it exists (default: fuzz-run)"),
      CorpusFolder.option,
      .value("--timeout", "SECONDS", "limit of processor time for one input (default: 10)"),
      .value("--without", "MUTATION", repeatable: true, "leave out a mutation"),
      .flag("--stop-at-finding", "stop at the first finding"), waivers,
      .value("--sync", "DIR", "folder in which runs on several machines exchange samples"),
      .value("--name", "NAME", "name of the run there (default: the machine's name and that of the run's folder)"),
    ] + ExternalOptions.oracle + [.flag("--json", "write one JSON event per line"), .quiet]

  /// An option of `fuzz run` and `fuzz status`.
  static let waivers = OptionDefinition.value(
    "--waivers", "FILE", "findings that do not fail: a finding's name and the reason on each line")

  let plan: FuzzPlan
  let folder: String
  let corpus: CorpusFolder
  /// Whether `--corpus` is given. Without it, a run outside of a clone starts from minted tokens alone.
  let namesCorpus: Bool

  init(_ arguments: ParsedArguments) throws(CommandError) {
    let folder = arguments.value("--dir") ?? "fuzz-run"
    var plan = FuzzPlan(
      duration: try Self.seconds(arguments.value("--duration") ?? "1h"),
      jobs: try arguments.number("--jobs", in: 1...256) ?? Int(assay_allowed_cpu_count()))
    plan.driver = arguments.choice("--driver") ?? plan.driver
    plan.target = arguments.choice("--target") ?? plan.target
    plan.seed = try arguments.number("--seed", in: 0...UInt64.max)
    plan.timeout = try arguments.number("--timeout", in: 1...3_600) ?? plan.timeout
    plan.without = Set(arguments.values("--without"))
    plan.stopsAtFinding = arguments.has("--stop-at-finding")
    plan.external = try ExternalOptions.plan(arguments)
    plan.sync = try Self.sync(arguments, runFolder: folder)
    plan.started = WallClock.now
    plan.commit = SourceCommit.current ?? ""
    self.plan = plan
    self.folder = folder
    corpus = CorpusFolder(arguments)
    namesCorpus = arguments.value(CorpusFolder.option.name) != nil
    for name in plan.without.sorted() where Mutation.named(name) == nil {
      let ending = Suggestion.ending(for: name, among: Mutation.all.map(\.name))
      throw .usage("there is no mutation \(Text.harmless(name))\(ending)")
    }
    if plan.driver != .loop, plan.external != nil {
      throw .usage("--external is for the loop: libFuzzer runs the engines alone.")
    }
    if plan.driver != .loop, plan.sync != nil {
      throw .usage("--sync is for the loop: libFuzzer's samples have other names.")
    }
    if plan.driver == .loop, !plan.target.runsInLoop {
      throw .usage(
        "--target \(plan.target.rawValue) needs --driver libfuzzer: the loop fuzzes token and envelopes.")
    }
  }

  private static func sync(_ arguments: ParsedArguments, runFolder: String) throws(CommandError) -> SyncPlan? {
    let name = arguments.value("--name")
    guard let path = arguments.value("--sync") else {
      if name != nil { throw .usage("--name is the name of the run in the folder of --sync.") }
      return nil
    }
    guard name.map(SyncPlan.isName) != false else {
      throw .usage("--name has up to 64 letters, digits, dots, _ and -, and begins with no dot.")
    }
    return SyncPlan(path: path, name: name ?? SyncPlan.defaultName(runFolder: runFolder))
  }

  /// The seconds of a duration: `30s`, `90m` or `8h`.
  static func seconds(_ text: String) throws(CommandError) -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
    guard let last = text.last, let unit = units[last], let number = UInt32(text.dropLast()), number > 0 else {
      throw .usage("--duration must be a time like 30s, 90m or 8h, not \(Text.harmless(text)).")
    }
    return Double(number) * unit
  }
}

extension FuzzEngines {
  /// Both engines, with the keys and the root of the corpus' minter.
  init() throws(CommandError) {
    let minter = try VectorGenerator.minter()
    let sampleSigner = try CommandError.of { try SampleSigner(minter) }
    let anchors = sampleSigner.anchors
    let keys: MerchantKeySet
    let rememberingKeys: MerchantKeySet
    let fast: FastDecryptor
    let reference: ReferenceDecryptor
    do {
      keys = try minter.merchantKeySet()
      rememberingKeys = try minter.merchantKeySet()
      RememberedUnwrapping.replaceOperation(in: rememberingKeys)
      fast = try FastDecryptor(keys: rememberingKeys, anchors: anchors, kernel: .preferred, tables: .atOnce)
      reference = try ReferenceDecryptor(keys: keys, anchors: anchors)
    } catch {
      throw CommandError(.internalError, "the minter's own keys could not be loaded.")
    }
    let setting = TestSetting(of: minter, anchors: anchors.certificates)
    self.init(
      sampleSigner: sampleSigner, reference: reference,
      // Making an engine from the same keys again cannot fail.
      pair: {
        let fresh = try? FastDecryptor(keys: rememberingKeys, anchors: anchors, kernel: .preferred, tables: .atOnce)
        return (fresh ?? fast, reference)
      })
    reusing = {
      let cache = ResultCache()
      return (try? ReferenceDecryptor(keys: rememberingKeys, anchors: anchors, reusing: cache.check)) ?? reference
    }
    histories = { effort in
      var check = HistoryCheck(effort: effort, preparing: { RememberedUnwrapping.replaceOperation(in: $0) })
      check.begin(setting)
      return check
    }
    explanation = { sample in
      let (result, trace) = reference.decryptTraced(
        sample.request.span, at: sample.context.now, under: sample.context.policy.verificationPolicy())
      if case .failure(let fault) = result { return "\(fault) \(fault.code.advice) \(trace)" }
      return "\(trace)"
    }
  }
}
