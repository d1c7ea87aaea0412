import PaymentToken
public import TestCases

/// A sample that both engines decided equally, for an external program.
public struct ExaminedSample: Sendable {
  /// As the bytes of a file.
  public let sample: [UInt8]
  public let mutations: [String]
  public let verdict: TestVerdict
  /// Whether the test signer signed its content (`SampleSigner.hasSignedContent`).
  public let isSigned: Bool
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

/// A message to the parent from a worker, or from the process of an exchange, framed by length: a worker that crashes
/// may end in the middle of a message.
public enum WorkerMessage: Sendable {
  /// A sample that was kept, as a file's bytes.
  case kept(FuzzLoop.Kept<[UInt8]>)
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

  /// A frame: a kind, the length in eight bytes, the fields.
  public var bytes: [UInt8] {
    let (kind, fields) = fields
    return [kind] + ByteList.joined([ByteList.joined(fields)])
  }

  private var fields: (kind: UInt8, [[UInt8]]) {
    switch self {
    case .kept(let record):
      return (
        1,
        [
          record.sample, ByteList.field(record.mutations),
          ByteList.field([record.stage.rawValue, record.isAccepted ? 1 : 0]), record.fingerprint,
          ByteList.field(record.features),
        ]
      )
    case .statistics(let statistics): return (2, [ByteList.field(statistics.numbers)])
    case .finding(let record): return (3, Self.fields(of: record))
    case .examined(let examined):
      let unsigned = if case .acceptUnsigned = examined.verdict { ["unsigned"] } else { [String]() }
      let fault = examined.verdict.fault.map { [$0.code.rawValue, "\($0.stage.rawValue)", $0.member?.path ?? ""] }
      return (
        4,
        [
          examined.sample, ByteList.field(examined.mutations), ByteList.field([examined.isSigned ? 1 : 0]),
          examined.verdict.plaintext ?? [], ByteList.field(fault ?? unsigned),
        ]
      )
    case .taken(let index, let result): return (5, [ByteList.field([index, result.rawValue])])
    case .imported(let sample): return (6, [sample])
    case .exchanged(let result):
      return (7, [ByteList.field([result.isComplete ? 1 : 0, result.isNameLost ? 1 : 0]), Array(result.problem.utf8)])
    case .found(let record): return (8, Self.fields(of: record))
    }
  }

  private static func fields(of record: FuzzFinding<[UInt8]>) -> [[UInt8]] {
    let violation = record.violation
    return [
      ByteList.field(
        [violation.kind.rawValue, violation.first, violation.second, record.severity?.rawValue ?? "", record.detail]),
      ByteList.field(record.mutations), ByteList.field([record.replays, record.wasKilledExternally ? 1 : 0]),
      record.sample, record.original,
    ] + record.history
  }

  /// Removes frames from `buffer` until one is a message, which is returned; nil if there is none yet.
  public static func take(from buffer: inout [UInt8]) -> WorkerMessage? {
    while let kind = buffer.first, let contents = ByteList.first(of: buffer.dropFirst()) {
      let message = read(kind, ByteList.parts(of: contents))
      buffer.removeSubrange(..<contents.endIndex)
      if let message { return message }
    }
    return nil
  }

  private static func read(_ kind: UInt8, _ fields: [[UInt8]]) -> WorkerMessage? {
    switch (kind, fields.count) {
    case (1, 5):
      let numbers = ByteList.numbers(in: fields[2])
      guard numbers.count == 2, let stage = VerificationStage(rawValue: Int(truncatingIfNeeded: numbers[0])) else {
        return nil
      }
      return .kept(
        FuzzLoop.Kept(
          sample: fields[0], mutations: ByteList.texts(in: fields[1]), stage: stage, isAccepted: numbers[1] != 0,
          features: ByteList.numbers(in: fields[4]), fingerprint: fields[3]))
    case (2, 1):
      let numbers = ByteList.numbers(in: fields[0]).map { Int(truncatingIfNeeded: $0) }
      return LoopStatistics(numbers: numbers).map { .statistics($0) }
    case (3, 5...): return finding(fields).map { .finding($0) }
    case (4, 5):
      return verdict(fields[3], ByteList.texts(in: fields[4])).map {
        .examined(
          ExaminedSample(
            sample: fields[0], mutations: ByteList.texts(in: fields[1]), verdict: $0,
            isSigned: ByteList.numbers(in: fields[2]) == [1]))
      }
    case (5, 1):
      let numbers = ByteList.numbers(in: fields[0]).map { Int(truncatingIfNeeded: $0) }
      guard numbers.count == 2 else { return nil }
      return TakenResult(rawValue: numbers[1]).map { .taken(numbers[0], $0) }
    case (6, 1): return .imported(fields[0])
    case (7, 2):
      let numbers = ByteList.numbers(in: fields[0])
      guard numbers.count == 2 else { return nil }
      var result = ExchangeResult()
      (result.isComplete, result.isNameLost) = (numbers[0] != 0, numbers[1] != 0)
      result.problem = String(decoding: fields[1], as: UTF8.self)
      return .exchanged(result)
    case (8, 5...): return finding(fields).map { .found($0) }
    default: return nil
    }
  }

  private static func finding(_ fields: [[UInt8]]) -> FuzzFinding<[UInt8]>? {
    let words = ByteList.texts(in: fields[0])
    let numbers = ByteList.numbers(in: fields[2])
    guard words.count == 5, let kind = Violation.Kind(rawValue: words[0]), numbers.count == 2 else { return nil }
    var record = FuzzFinding(
      Violation(kind, words[1], words[2]), fields[3], mutations: ByteList.texts(in: fields[1]))
    record.original = fields[4]
    (record.severity, record.detail) = (Standing.Severity(rawValue: words[3]), words[4])
    (record.replays, record.wasKilledExternally) = (Int(truncatingIfNeeded: numbers[0]), numbers[1] != 0)
    record.history = Array(fields[5...])
    return record
  }

  /// Acceptance with a plaintext if there are no words, or the one word `unsigned`; else the words are a code, a stage
  /// and a member.
  private static func verdict(_ plaintext: [UInt8], _ words: [String]) -> TestVerdict? {
    if words.isEmpty { return .accept(plaintext: plaintext) }
    if words == ["unsigned"] { return .acceptUnsigned(plaintext: plaintext) }
    guard words.count == 3, let code = TokenFault.Code(rawValue: words[0]),
      let stage = Int(words[1]).flatMap(VerificationStage.init(rawValue:))
    else { return nil }
    return .reject(TokenFault(code, stage: stage, member: TokenMember(rawValue: words[2])))
  }
}

/// Byte strings one after the other, each after its length in eight bytes. A list of texts is written in the same way
/// into one byte string; a list of numbers takes eight bytes for each.
private enum ByteList {
  static func joined(_ parts: [[UInt8]]) -> [UInt8] { parts.flatMap { field([$0.count]) + $0 } }

  static func field(_ texts: [String]) -> [UInt8] { joined(texts.map { Array($0.utf8) }) }

  static func field(_ numbers: [some BinaryInteger]) -> [UInt8] {
    numbers.flatMap { withUnsafeBytes(of: UInt64(truncatingIfNeeded: $0).bigEndian) { Array($0) } }
  }

  /// The first byte string; nil if it has not arrived in full.
  static func first(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let size = numbers(in: Array(bytes.prefix(8))).first, size <= bytes.count - 8 else { return nil }
    return bytes.dropFirst(8).prefix(Int(size))
  }

  static func parts(of bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = bytes
    while let part = first(of: rest) {
      parts.append(Array(part))
      rest = rest[part.endIndex...]
    }
    return parts
  }

  static func texts(in field: [UInt8]) -> [String] { parts(of: field[...]).map { String(decoding: $0, as: UTF8.self) } }

  static func numbers(in field: [UInt8]) -> [UInt64] {
    stride(from: 0, through: field.count - 8, by: 8).map { start in
      field[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
