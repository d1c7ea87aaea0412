import Corpus
import Differential
import Gateways
import HostIO
import Minting
import PaymentToken
import Reports
import StrictJSON
import TestCases

/// Writes a finding to disk: the input, its layers, both verdicts, and the command that replays it. `finding.json` is
/// written last and marks the folder as complete.
struct FuzzFindingFolder {
  let run: RunFolder
  let engines: FuzzEngines
  let target: FuzzTarget
  let external: ExternalPlan?
  /// The name and version of the external program.
  let program: String?
  private var sampleSigner: SampleSigner { engines.sampleSigner }

  func write(_ record: FuzzFinding<[UInt8]>, seed: UInt64) throws(CommandError) {
    let id = record.violation.findingID
    let folder = Self.path(of: record)
    try FileWriter.makeFolder("\(run.path)/\(folder)", visibility: .everyone)
    let sample = TestInput(file: record.sample, defaults: sampleSigner.defaultContext)
    try run.write(record.sample, to: "\(folder)/sample")
    try run.write(record.original, to: "\(folder)/original")
    try run.write(sample.request, to: "\(folder)/input")
    for (index, bytes) in record.history.enumerated() {
      try run.write(bytes, to: "\(folder)/\(Self.nameOfInput(before: index))")
    }
    if target.runsInLoop { try writeRequest(sample, record, folder) }
    try run.write(Array(text(record, sample, folder: folder).utf8), to: "\(folder)/README.txt")
    try run.write(document(record, id: id, seed: seed), to: "\(folder)/finding.json")
  }

  /// The folder of a finding, below that of the run.
  static func path(of record: FuzzFinding<[UInt8]>) -> String {
    FindingsFolder(isUnreproducible: record.mayBeMachineFault).path(of: record.violation.findingID)
  }

  /// Writes what only findings about whole requests have: the layers and the vector.
  private func writeRequest(
    _ sample: TestInput, _ record: FuzzFinding<[UInt8]>, _ folder: String
  ) throws(CommandError) {
    try FileWriter.makeFolder("\(run.path)/\(folder)/layers", visibility: .everyone)
    let draft = Draft(sample, in: sampleSigner)
    // The layers that could be decoded, and at most four certificates.
    var layers: [(name: String, bytes: [UInt8]?)] = [
      ("data", draft.fields.data), (draft.keyName, draft.fields.key), ("signature.ber", draft.fields.signature),
      ("payload.json", draft.payload),
    ]
    if case .route? = draft.location, !draft.tokenText.isEmpty { layers.append(("token.json", draft.tokenText)) }
    for (index, certificate) in (draft[.certificates]?.children ?? []).prefix(4).enumerated() {
      layers.append(("certificate-\(index + 1).der", certificate.encoded))
    }
    for case (let name, let bytes?) in layers { try run.write(bytes, to: "\(folder)/layers/\(name)") }
    // The engine may crash on the input.
    _ = IsolatedTask.succeeds(within: 20) {
      guard let vector = vector(sample, record) else { return }
      try? run.write(VectorWriter.write(vector), to: "\(folder)/vector.json")
    }
  }

  /// The name of the file of an input that the engines must process first.
  static func nameOfInput(before index: Int) -> String { "before-" + (index < 9 ? "0\(index + 1)" : "\(index + 1)") }

  private func document(_ record: FuzzFinding<[UInt8]>, id: String, seed: UInt64) -> JSON {
    let program: JSON = ["name": program, "strictness": external?.strictness.rawValue]
    return [
      "schema": "assay.fuzz-finding/2", "id": id, "identity": record.violation.identity,
      "kind": record.violation.kind.rawValue,
      "first": record.violation.first, "second": record.violation.second, "mutations": record.mutations,
      "replays": record.replays, "before": record.history.count, "sample_bytes": record.sample.count, "seed": seed,
      "severity": record.severity?.rawValue, "detail": record.detail, "unreproducible": record.mayBeMachineFault,
      "program": record.severity.map { _ in program },
    ]
  }

  private func text(_ record: FuzzFinding<[UInt8]>, _ sample: TestInput, folder name: String) -> String {
    let violation = record.violation
    let labels = labels(record)
    // Those of a sample of the corpus, and of libFuzzer and of a process that ended, which do not say how they made it.
    let mutations = record.mutations.isEmpty ? "none known" : record.mutations.joined(separator: ", ")
    var lines = [
      violation.identity, "",
      labels.first + violation.first, labels.second + violation.second,
      "mutations \(mutations)",
      "replayed  \(record.replays) of 3 times"
        + (record.history.isEmpty ? "" : ", after \(record.history.count) earlier inputs"),
      "bytes     \(sample.request.count), of \(record.original.count) as found",
      record.severity.map { "severity  \($0.rawValue)" },
      record.detail.isEmpty ? nil : "wrote     \(record.detail)",
    ].compactMap { $0 }.map { Text.harmless($0) }
    let folder = "\(run.path)/\(name)"
    lines += ["", "Replay it:", command(record, folder)]
    if record.severity != nil { return lines.joined(separator: "\n") + "\n" }
    if run.exists("\(name)/vector.json") {
      lines += ["", "Add it to the regression tests, once the verdict in vector.json is confirmed:"]
      lines.append("assay corpus add --regression " + ShellWord.quoted("\(folder)/vector.json"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func labels(_ record: FuzzFinding<[UInt8]>) -> (first: String, second: String) {
    if record.severity != nil { return ("engines   ", "program   ") }
    let isPair = [.disagreement, .readers].contains(record.violation.kind)
    return isPair ? ("fast      ", "reference ") : ("result    ", "detail    ")
  }

  private func command(_ record: FuzzFinding<[UInt8]>, _ folder: String) -> String {
    guard target.runsInLoop else {
      return LibFuzzerBuild(target: target).program + " " + ShellWord.quoted("\(folder)/sample")
    }
    let replay = "assay fuzz replay " + ShellWord.quoted(folder)
    guard record.severity != nil, let external else { return replay }
    let (timeout, growth) = (external.program.timeoutMilliseconds / 1_000, external.growthLimit >> 20)
    return replay + " --external " + ShellWord.quoted(external.program.command)
      + (timeout == 5 ? "" : " --answer-timeout \(timeout)") + (growth == 1_024 ? "" : " --growth \(growth)")
  }

  /// The finding as a test vector with the reference engine's verdict; nil if vectors cannot express it, as those with
  /// a history.
  private func vector(_ sample: TestInput, _ record: FuzzFinding<[UInt8]>) -> VectorFile? {
    guard record.history.isEmpty, sample.context.isExpressible else { return nil }
    let verdict = TestVerdict(sample.verdict(by: engines.reference))
    let stage = verdict.fault?.stage.rawValue ?? 14
    let test = TestCase(
      id: "1", comment: "found by fuzzing: \(record.violation.first) / \(record.violation.second)", flags: ["Fuzzing"],
      clauses: [String(stage)], input: sample, expected: verdict)
    return VectorFile(
      generator: "assay fuzz", seed: VectorGenerator.seed,
      notes: [
        VectorNote(
          flag: "Fuzzing", bugType: "PARSER", description: "An input that violated a property of the engines.",
          effect: "One of them accepts what it must refuse, or refuses what it must accept.")
      ],
      groups: [
        TestGroup(
          setting: sampleSigner.setting, cases: [test])
      ])
  }
}
