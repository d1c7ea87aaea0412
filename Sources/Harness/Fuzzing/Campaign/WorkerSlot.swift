import CExternals
import HostIO

/// Memory that a worker shares with the process that watches it: what it is doing, since when, and on which input. So
/// that the input is known whose process ended.
struct WorkerSlot {
  enum State: UInt64 {
    case idle, executing, triage
  }

  private static let capacity = 2 << 20
  private static let header = 32
  private let memory: UnsafeMutableRawPointer

  /// Nil when there is no memory.
  init?() {
    guard let memory = assay_shared_memory(Self.header + Self.capacity) else { return nil }
    self.memory = memory
  }

  /// The worker is about to do something; an input too long is cut.
  func begin(_ state: State, _ bytes: [UInt8] = []) {
    if state == .executing {
      memory.storeBytes(of: 0, toByteOffset: 16, as: UInt64.self)
      let count = min(bytes.count, Self.capacity)
      bytes.withUnsafeBytes { source in
        if let start = source.baseAddress, count > 0 {
          (memory + Self.header).copyMemory(from: start, byteCount: count)
        }
      }
      memory.storeBytes(of: UInt64(count), toByteOffset: 16, as: UInt64.self)
    }
    memory.storeBytes(of: MonotonicClock.nanoseconds, toByteOffset: 0, as: UInt64.self)
    memory.storeBytes(of: state.rawValue, toByteOffset: 8, as: UInt64.self)
  }

  /// What the worker is doing.
  var state: State { State(rawValue: memory.load(fromByteOffset: 8, as: UInt64.self)) ?? .idle }

  /// When it began.
  var begun: UInt64 { memory.load(fromByteOffset: 0, as: UInt64.self) }

  /// The input, as a sample's file.
  var bytes: [UInt8] {
    let count = min(Int(memory.load(fromByteOffset: 16, as: UInt64.self)), Self.capacity)
    return Array(UnsafeRawBufferPointer(start: memory + Self.header, count: count))
  }
}

/// How long a worker has been at one input, counted by a process that looks at it again and again.
///
/// A look that comes late counts for one second: while the machine or the watching process stood still, nobody saw what the worker did.
public struct Watchdog: Hashable, Sendable {
  private static let longestLook: UInt64 = 1_000_000_000
  private var begun: UInt64?
  private var looked: UInt64 = 0
  private var counted: UInt64 = 0

  public init() {}

  /// Looks, and tells the seconds counted so far.
  ///
  /// - Parameters:
  ///   - begun: when the worker began its input, as its own stamp says; another stamp is another input.
  ///   - now: nanoseconds of a clock that never goes back.
  public mutating func seconds(since begun: UInt64, now: UInt64) -> Double {
    if self.begun == begun {
      counted += min(now - looked, Self.longestLook)
    } else {
      (self.begun, counted) = (begun, 0)
    }
    looked = now
    return Double(counted) / 1e9
  }
}
