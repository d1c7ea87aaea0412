import Minting
import PaymentToken
import StrictJSON
public import TestCases

/// A sample that both engines decided equally, for an external program.
public struct ExaminedSample: Sendable {
  /// As the bytes of a file.
  public let sample: [UInt8]
  public let mutations: [String]
  public let verdict: TestVerdict
  /// Whether the test signer signed its content (`SampleSigner.hasSignedContent`).
  public let isSigned: Bool

  package init(sample: [UInt8], mutations: [String], verdict: TestVerdict, isSigned: Bool) {
    self.sample = sample
    self.mutations = mutations
    self.verdict = verdict
    self.isSigned = isSigned
  }
}

/// What became of a sample that a worker executed without mutating it.
public enum TakenResult: Int, Sendable {
  /// It had new features: a message with the sample came before.
  case kept
  /// All its features were known.
  case covered
  /// It violates a property. The finding may have been reported before.
  case violation
  /// It cannot be kept: it is too large, or accepted without a signature that this process knows.
  case unusable

  /// The result that an outcome of `FuzzLoop.take` means.
  public init(_ outcome: FuzzLoop.Outcome) {
    switch outcome {
    case .kept: self = .kept
    case .covered: self = .covered
    case .found: self = .violation
    case .nothing: self = .unusable
    }
  }
}

/// The result of an exchange with a sync folder.
public struct ExchangeResult: Equatable, Sendable {
  /// Whether nothing is left to be imported.
  public var isComplete = true
  /// Whether another run has taken this run's name.
  public var isNameLost = false
  /// What could not be done; empty if nothing failed.
  public var problem = ""

  public init() {}
}

/// A message to the parent from a worker, or from the process of an exchange: a line of JSON, with bytes in base64. A
/// worker that crashes may end in the middle of a line.
public enum WorkerMessage: Sendable {
  /// A sample that was kept.
  case kept(FuzzLoop.Kept)
  /// The statistics since the previous message.
  case statistics(LoopStatistics)
  /// A violation as it was found, before its triage, with samples as file contents.
  case found(FuzzFinding<[UInt8]>)
  /// A finding after its triage, with samples as file contents.
  case finding(FuzzFinding<[UInt8]>)
  /// A sample for an external program.
  case examined(ExaminedSample)
  /// What became of the initial sample with this index in the worker's task.
  case taken(Int, TakenResult)
  /// A sample of another run in the sync folder.
  case imported([UInt8])
  /// The end of an exchange with the sync folder.
  case exchanged(ExchangeResult)

  /// The message as a line.
  public var line: [UInt8] { Array((document.text(.fewest) + "\n").utf8) }

  private var document: JSON {
    switch self {
    case .kept(let kept):
      [
        "kept": Base64.encode(kept.sample), "stage": kept.stage.rawValue, "accepted": kept.isAccepted,
        "features": Self.packed(kept.features), "coverage": Self.packed(kept.coverage.map(\.rawValue)),
        "fingerprint": Base64.encode(kept.fingerprint),
      ]
    case .statistics(let statistics): ["statistics": statistics.numbers]
    case .found(let finding): ["found": Self.document(of: finding)]
    case .finding(let finding): ["finding": Self.document(of: finding)]
    case .examined(let examined):
      [
        "examined": Base64.encode(examined.sample), "mutations": examined.mutations, "signed": examined.isSigned,
        "plaintext": examined.verdict.plaintext.map { Base64.encode($0) },
        "unsigned": examined.verdict == .acceptUnsigned(plaintext: examined.verdict.plaintext ?? []),
        "code": examined.verdict.fault?.code.rawValue, "stage": examined.verdict.fault?.stage.rawValue,
        "member": examined.verdict.fault?.member?.path,
      ]
    case .taken(let index, let result): ["taken": index, "result": result.rawValue]
    case .imported(let sample): ["imported": Base64.encode(sample)]
    case .exchanged(let result):
      ["exchanged": result.isComplete, "name_lost": result.isNameLost, "problem": result.problem]
    }
  }

  private static func document(of finding: FuzzFinding<[UInt8]>) -> JSON {
    [
      "kind": finding.violation.kind.rawValue, "first": finding.violation.first, "second": finding.violation.second,
      "sample": Base64.encode(finding.sample), "original": Base64.encode(finding.original),
      "history": finding.history.map { Base64.encode($0) }, "mutations": finding.mutations,
      "severity": finding.severity?.rawValue, "replays": finding.replays, "detail": finding.detail,
      "killed": finding.wasKilledExternally,
    ]
  }

  /// Removes lines from `buffer` until one is a message, which is returned; nil if there is none yet.
  public static func take(from buffer: inout [UInt8]) -> WorkerMessage? {
    while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(buffer[..<end])
      let document = try? JSON(reading: line.span)
      buffer.removeSubrange(...end)
      if let message = document.flatMap(WorkerMessage.init) { return message }
    }
    return nil
  }

  private init?(_ document: JSON) {
    if let sample = Self.bytes(document["kept"]), let fingerprint = Self.bytes(document["fingerprint"]),
      let stage = document["stage"]?.integer().flatMap(VerificationStage.init(rawValue:)),
      let features: [UInt64] = Self.unpacked(document["features"]),
      let coverage: [UInt32] = Self.unpacked(document["coverage"])
    {
      self = .kept(
        FuzzLoop.Kept(
          sample: sample, stage: stage, isAccepted: document["accepted"] == .boolean(true),
          features: features, coverage: coverage.map(CoverageFeature.init(rawValue:)), fingerprint: fingerprint))
    } else if let numbers = document["statistics"]?.elements,
      let statistics = LoopStatistics(numbers: numbers.compactMap { $0.integer() })
    {
      self = .statistics(statistics)
    } else if let found = document["found"].flatMap(Self.finding) {
      self = .found(found)
    } else if let finding = document["finding"].flatMap(Self.finding) {
      self = .finding(finding)
    } else if let sample = Self.bytes(document["examined"]), let verdict = Self.verdict(document) {
      self = .examined(
        ExaminedSample(
          sample: sample, mutations: Self.texts(document["mutations"]), verdict: verdict,
          isSigned: document["signed"] == .boolean(true)))
    } else if let index: Int = document["taken"]?.integer(),
      let result = document["result"]?.integer().flatMap(TakenResult.init(rawValue:))
    {
      self = .taken(index, result)
    } else if let sample = Self.bytes(document["imported"]) {
      self = .imported(sample)
    } else if case .boolean(let isComplete)? = document["exchanged"] {
      var result = ExchangeResult()
      result.isComplete = isComplete
      result.isNameLost = document["name_lost"] == .boolean(true)
      result.problem = document["problem"]?.string ?? ""
      self = .exchanged(result)
    } else {
      return nil
    }
  }

  private static func finding(_ document: JSON) -> FuzzFinding<[UInt8]>? {
    guard let violation = Violation(document: document), let sample = bytes(document["sample"]),
      let original = bytes(document["original"]), let history = document["history"]?.elements
    else { return nil }
    var finding = FuzzFinding(violation, sample, mutations: texts(document["mutations"]))
    finding.original = original
    finding.history = history.compactMap { bytes($0) }
    finding.severity = document["severity"]?.string.flatMap(Standing.Severity.init(rawValue:))
    finding.replays = document["replays"]?.integer() ?? 0
    finding.detail = document["detail"]?.string ?? ""
    finding.wasKilledExternally = document["killed"] == .boolean(true)
    return finding
  }

  private static func verdict(_ document: JSON) -> TestVerdict? {
    if let plaintext = bytes(document["plaintext"]) {
      return document["unsigned"] == .boolean(true)
        ? .acceptUnsigned(plaintext: plaintext) : .accept(plaintext: plaintext)
    }
    guard let code = document["code"]?.string.flatMap(TokenFault.Code.init(rawValue:)),
      let stage = document["stage"]?.integer().flatMap(VerificationStage.init(rawValue:))
    else { return nil }
    return .reject(
      TokenFault(code, stage: stage, member: document["member"]?.string.flatMap(TokenMember.init(rawValue:))))
  }

  /// Little-endian bytes in base64: a sample has hundreds of features, and the parent reads those of all samples.
  private static func packed<Number: FixedWidthInteger>(_ numbers: [Number]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * Number.bitWidth / 8)
    for number in numbers {
      for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    return Base64.encode(bytes)
  }

  private static func unpacked<Number: FixedWidthInteger>(_ value: JSON?) -> [Number]? {
    let size = Number.bitWidth / 8
    guard let bytes = bytes(value), bytes.count.isMultiple(of: size) else { return nil }
    return stride(from: 0, to: bytes.count, by: size).map { start in
      bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
  }

  private static func bytes(_ value: JSON?) -> [UInt8]? {
    value?.string.flatMap { LenientBase64.decode(Array($0.utf8)) }
  }

  private static func texts(_ list: JSON?) -> [String] { list?.elements?.compactMap(\.string) ?? [] }
}
