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

  public init(sample: [UInt8], mutations: [String], verdict: TestVerdict, isSigned: Bool) {
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
  /// What could not be done; else empty.
  public var problem = ""

  public init() {}
}

/// A message from a worker to its parent, framed by length: a worker that crashes may end in the middle of a message.
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

  /// A frame: a kind, the length in four bytes, the contents.
  public var bytes: [UInt8] {
    var writer = FrameWriter()
    switch self {
    case .kept(let record):
      writer.add(record.sample)
      writer.add(record.mutations.map { Array($0.utf8) })
      writer.add(record.stage.rawValue)
      writer.add(record.isAccepted ? 1 : 0)
      writer.add(record.fingerprint.count)
      for word in record.fingerprint + record.features { writer.add(Int(truncatingIfNeeded: word)) }
      return writer.frame(1)
    case .statistics(let statistics):
      for number in statistics.numbers { writer.add(number) }
      return writer.frame(2)
    case .found(let record), .finding(let record):
      let violation = record.violation
      writer.add([violation.kind.rawValue, violation.first, violation.second].map { Array($0.utf8) })
      writer.add(record.mutations.map { Array($0.utf8) })
      writer.add(record.replays)
      writer.add([record.sample, record.original])
      writer.add(record.history)
      if case .found = self { return writer.frame(8) }
      return writer.frame(3)
    case .examined(let examined):
      writer.add(examined.sample)
      writer.add(examined.mutations.map { Array($0.utf8) })
      writer.add(examined.isSigned ? 1 : 0)
      switch examined.verdict {
      case .accept(let plaintext), .acceptUnsigned(let plaintext): writer.add([plaintext])
      case .reject(let fault):
        let words = [fault.code.rawValue, String(fault.stage.rawValue), fault.member?.path ?? ""]
        writer.add(words.map { Array($0.utf8) })
      }
      return writer.frame(4)
    case .taken(let index, let result):
      writer.add(index)
      writer.add(result.rawValue)
      return writer.frame(5)
    case .imported(let sample):
      writer.add(sample)
      return writer.frame(6)
    case .exchanged(let result):
      writer.add(result.isComplete ? 1 : 0)
      writer.add(result.isNameLost ? 1 : 0)
      writer.add(Array(result.problem.utf8))
      return writer.frame(7)
    }
  }

  /// Removes the first complete frame from `buffer`; nil if there is none yet.
  public static func take(from buffer: inout [UInt8]) -> WorkerMessage? {
    guard buffer.count >= 5 else { return nil }
    let count = buffer[1..<5].reduce(0) { $0 << 8 | Int($1) }
    guard buffer.count >= 5 + count else { return nil }
    let kind = buffer[0]
    var reader = FrameReader(Array(buffer[5..<5 + count]))
    buffer.removeFirst(5 + count)
    switch kind {
    case 1:
      let (bytes, mutations) = (reader.bytes(), reader.texts())
      let stage = VerificationStage(rawValue: reader.number()) ?? .json
      let isAccepted = reader.number() != 0
      let count = reader.number()
      let words = reader.numbers().map { UInt64(truncatingIfNeeded: $0) }
      guard (0...words.count).contains(count) else { return nil }
      return .kept(
        FuzzLoop.Kept(
          sample: bytes, mutations: mutations, stage: stage, isAccepted: isAccepted,
          features: Array(words.dropFirst(count)), fingerprint: Array(words.prefix(count))))
    case 2: return LoopStatistics(numbers: reader.numbers()).map { .statistics($0) }
    case 3, 8:
      let words = reader.texts()
      guard words.count == 3, let violated = Violation.Kind(rawValue: words[0]) else { return nil }
      let mutations = reader.texts()
      let replays = reader.number()
      let samples = reader.list()
      guard samples.count == 2 else { return nil }
      var record = FuzzFinding(Violation(violated, words[1], words[2]), samples[0], mutations: mutations)
      record.original = samples[1]
      record.replays = replays
      record.history = reader.list()
      return kind == 8 ? .found(record) : .finding(record)
    case 4:
      let (sample, mutations, isSigned) = (reader.bytes(), reader.texts(), reader.number() != 0)
      return verdict(reader.list()).map {
        .examined(ExaminedSample(sample: sample, mutations: mutations, verdict: $0, isSigned: isSigned))
      }
    case 5:
      let index = reader.number()
      return TakenResult(rawValue: reader.number()).map { .taken(index, $0) }
    case 6: return .imported(reader.bytes())
    case 7:
      var result = ExchangeResult()
      result.isComplete = reader.number() != 0
      result.isNameLost = reader.number() != 0
      result.problem = String(decoding: reader.bytes(), as: UTF8.self)
      return .exchanged(result)
    default: return nil
    }
  }

  /// A plaintext, or a code, a stage and a member.
  private static func verdict(_ parts: [[UInt8]]) -> TestVerdict? {
    if parts.count == 1 { return .accept(plaintext: parts[0]) }
    let words = parts.map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, let code = TokenFault.Code(rawValue: words[0]),
      let stage = Int(words[1]).flatMap(VerificationStage.init(rawValue:))
    else { return nil }
    return .reject(TokenFault(code, stage: stage, member: TokenMember(rawValue: words[2])))
  }
}

/// Writes numbers, byte strings and lists of byte strings in sequence.
private struct FrameWriter {
  private var contents: [UInt8] = []

  mutating func add(_ number: Int) {
    contents += withUnsafeBytes(of: Int64(number).bigEndian) { Array($0) }
  }

  mutating func add(_ bytes: [UInt8]) {
    add(bytes.count)
    contents += bytes
  }

  mutating func add(_ list: [[UInt8]]) {
    add(list.count)
    for bytes in list { add(bytes) }
  }

  func frame(_ kind: UInt8) -> [UInt8] {
    [kind] + withUnsafeBytes(of: UInt32(contents.count).bigEndian) { Array($0) } + contents
  }
}

/// Reads what `FrameWriter` wrote. Past the end it returns zeros and empty values.
private struct FrameReader {
  let contents: [UInt8]
  private var position = 0

  init(_ contents: [UInt8]) {
    self.contents = contents
  }

  mutating func number() -> Int {
    guard contents.count - position >= 8 else { return 0 }
    defer { position += 8 }
    return Int(truncatingIfNeeded: contents[position..<position + 8].reduce(0) { $0 << 8 | UInt64($1) })
  }

  mutating func numbers() -> [Int] {
    var numbers: [Int] = []
    while contents.count - position >= 8 { numbers.append(number()) }
    return numbers
  }

  mutating func bytes() -> [UInt8] {
    let count = number()
    guard count >= 0, count <= contents.count - position else { return [] }
    defer { position += count }
    return Array(contents[position..<position + count])
  }

  mutating func list() -> [[UInt8]] {
    let count = number()
    guard count >= 0, count <= contents.count else { return [] }
    return (0..<count).map { _ in bytes() }
  }

  mutating func texts() -> [String] { list().map { String(decoding: $0, as: UTF8.self) } }
}
