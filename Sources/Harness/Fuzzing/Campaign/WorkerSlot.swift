import CExternals
import HostIO

/// Memory that a worker shares with its parent process: what it is doing, since when, and on which input. It tells the
/// parent which input ended a worker.
struct WorkerSlot {
  enum State: UInt64 {
    case idle, executing, triage
  }

  private struct Header {
    var begun: UInt64 = 0
    var state: UInt64 = 0
    var count = 0
    var wantsMore = false
    var executed = 0
  }

  private static let capacity = 2 << 20
  private let header: UnsafeMutablePointer<Header>
  private let input: UnsafeMutableRawPointer

  /// Nil when no memory is available.
  init?() {
    let size = MemoryLayout<Header>.stride
    guard let memory = assay_shared_memory(size + Self.capacity) else { return nil }
    header = memory.bindMemory(to: Header.self, capacity: 1)
    header.initialize(to: Header())
    input = memory + size
  }

  /// Records what the worker is about to do; an input beyond the capacity is truncated.
  func begin(_ state: State, _ bytes: [UInt8] = []) {
    if state == .executing {
      executed += 1
      header.pointee.count = 0
      let count = min(bytes.count, Self.capacity)
      bytes.withUnsafeBytes { source in
        if let start = source.baseAddress, count > 0 { input.copyMemory(from: start, byteCount: count) }
      }
      header.pointee.count = count
    }
    header.pointee.begun = MonotonicClock.nanoseconds
    header.pointee.state = state.rawValue
  }

  /// Whether the parent wants more samples for an external program than those that are kept.
  var wantsMore: Bool {
    get { header.pointee.wantsMore }
    nonmutating set { header.pointee.wantsMore = newValue }
  }

  /// How many inputs the worker has begun to execute; the parent sets it to zero for another worker.
  var executed: Int {
    get { header.pointee.executed }
    nonmutating set { header.pointee.executed = newValue }
  }

  /// What the worker is doing.
  var state: State { State(rawValue: header.pointee.state) ?? .idle }

  /// When it began, in nanoseconds of the monotonic clock.
  var begun: UInt64 { header.pointee.begun }

  /// The input, as the contents of a sample's file.
  var bytes: [UInt8] {
    // A worker that crashes may have written anything.
    Array(UnsafeRawBufferPointer(start: input, count: min(max(0, header.pointee.count), Self.capacity)))
  }
}

/// Measures how long a worker has been executing one input, by repeated observations.
///
/// An interval between two observations counts as the processor time that the worker used in it, because other programs
/// may take the processor, but as at least a tenth of its length, so that a blocked worker is late after ten times the
/// limit. If the processor time is unknown, the whole interval counts. An interval counts as one second at most: if the
/// machine or the observing process was suspended, the worker may have been as well.
public struct Watchdog: Hashable, Sendable {
  private static let longestInterval: UInt64 = 1_000_000_000
  private var begun: UInt64?
  private var observed: UInt64 = 0
  private var used: UInt64?
  private var counted: UInt64 = 0
  private static let waitingShare: UInt64 = 10

  public init() {}

  /// Observes the worker and returns the seconds counted so far.
  ///
  /// - Parameters:
  ///   - begun: the worker's own timestamp of its input; another timestamp means another input.
  ///   - now: nanoseconds of a monotonic clock.
  ///   - processorTime: nanoseconds of processor time that the worker has used in all; nil if unknown.
  public mutating func seconds(since begun: UInt64, now: UInt64, processorTime: UInt64?) -> Double {
    if self.begun == begun {
      let passed = min(now - observed, Self.longestInterval)
      if let used, let processorTime, processorTime >= used {
        counted += max(min(processorTime - used, passed), passed / Self.waitingShare)
      } else {
        counted += passed
      }
    } else {
      (self.begun, counted) = (begun, 0)
    }
    (observed, used) = (now, processorTime)
    return Double(counted) / 1e9
  }
}
