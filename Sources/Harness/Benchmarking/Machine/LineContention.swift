import HostIO
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What it costs two cores to write one cache line: the one figure of `CoreModel` that depends on the machine.
///
/// Two threads write and compute in turns, once to one line and once each to a line of its own. The times between writes
/// are exponentially distributed, so that the threads do not fall into step. From how much longer an operation takes with
/// one line, the model gives the time of a transfer; with it, it must predict what was measured with other pauses.
///
/// With pauses shorter than a transfer, a core writes several times before it gives the line up, and so is faster than the
/// model, in which it gives it up at once. Tokens write microseconds apart.
public struct LineContention: Sendable {
  /// Two threads with a mean pause.
  public struct Sample: Hashable, Sendable {
    /// Nanoseconds of an operation with a line of its own: the write and the pause.
    public let alone: Double
    /// Nanoseconds of an operation if both threads write one line.
    public let together: Double
    /// The model's prediction of `together`.
    public let predicted: Double
  }

  /// Nanoseconds until a line that the other core wrote last can be written.
  public let transfer: Double
  /// With growing pauses; `transfer` is from the second, where it is a large enough part of the time to be measured.
  public let samples: [Sample]

  /// The mean pauses, in iterations.
  private static let pauses = [100, 400, 1_600, 6_400]
  private static let fitted = 1
  private static let rounds = 9
  private static let operationsAtOnce = 2_000

  /// Measures on two CPUs for about `seconds`.
  ///
  /// - Throws: `BenchmarkFailure` if there is one CPU only.
  public init(seconds: Double) throws(BenchmarkFailure) {
    guard ThreadTeam.availableCPUs > 1 else { throw BenchmarkFailure("two CPUs are needed to write one line") }
    let slices = Double(2 * Self.rounds * Self.pauses.count)
    var times: [(alone: Double, together: Double)] = []
    for pause in Self.pauses {
      let lines = WrittenLines()
      let apart = try Self.team(pause) { lines.write($0, at: $1, pausing: $2) }
      let shared = try Self.team(pause) { lines.write(0, at: $1, pausing: $2) }
      let block = 2 * (try shared.run(operationsEach: 10 * Self.operationsAtOnce)) * Double(Self.operationsAtOnce)
      let blocks = max(2, Int(seconds * 1e9 / slices / block))
      var alone: [Double] = []
      var together: [Double] = []
      for _ in 0..<Self.rounds {
        alone.append(2 * (try apart.run(operationsEach: blocks * Self.operationsAtOnce)))
        together.append(2 * (try shared.run(operationsEach: blocks * Self.operationsAtOnce)))
      }
      times.append((OrderStatistics.median(alone), OrderStatistics.median(together)))
    }
    let transfer = Self.transfer(alone: times[Self.fitted].alone, together: times[Self.fitted].together)
    self.transfer = transfer
    samples = times.map { alone, together in
      let model = CoreModel(alone: alone, lines: [1], transfer: transfer)
      return Sample(alone: alone, together: together, predicted: 2e9 / model.operationsPerSecond(cores: 2))
    }
  }

  /// The transfer with which the model predicts `together` for two cores.
  package static func transfer(alone: Double, together: Double) -> Double {
    var (low, high) = (0.0, 4 * max(together, alone))
    for _ in 0..<60 {
      let middle = (low + high) / 2
      let model = CoreModel(alone: alone, lines: [1], transfer: middle)
      if 2e9 / model.operationsPerSecond(cores: 2) < together { low = middle } else { high = middle }
    }
    return low
  }

  private static func team(
    _ pause: Int, _ write: @escaping @Sendable (_ thread: Int, _ count: Int, _ pauses: [Int]) -> Void
  ) throws(BenchmarkFailure) -> ThreadTeam {
    try ThreadTeam(count: 2, operationsAtOnce: operationsAtOnce) { thread in
      var generator = SplitMix64(seed: UInt64(thread))
      let pauses = (0..<operationsAtOnce).map { _ in
        Int((-log(Double.random(in: 0x1p-53..<1, using: &generator)) * Double(pause)).rounded())
      }
      return { count in
        write(thread, count, pauses)
        return true
      }
    }
  }
}

/// Cache lines that are far enough apart not to be fetched together.
///
/// `@unchecked Sendable`: the memory holds atomic numbers only.
private final class WrittenLines: @unchecked Sendable {
  private static let distance = 256
  private let memory: UnsafeMutableRawPointer

  init() {
    memory = .allocate(byteCount: 2 * Self.distance, alignment: Self.distance)
    for index in 0..<2 { line(index).initialize(to: Atomic(0)) }
  }

  deinit {
    memory.deallocate()
  }

  private func line(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (memory + index * Self.distance).assumingMemoryBound(to: Atomic<Int>.self)
  }

  /// Writes to a line `count` times, and computes as long as `pauses` say after each write.
  func write(_ index: Int, at count: Int, pausing pauses: [Int]) {
    let line = line(index)
    var state: UInt64 = 1
    for operation in 0..<count {
      line.pointee.wrappingAdd(1, ordering: .relaxed)
      for _ in 0..<pauses[operation % pauses.count] { state = state &* 6_364_136_223_846_793_005 &+ 1 }
    }
    // Keeps the computation.
    if state == 0 { line.pointee.wrappingAdd(1, ordering: .relaxed) }
  }
}
