#if Redis

import PaymentToken

extension RedisReplayStore {
  /// Whether questions are taken.
  public enum Status: Hashable, Sendable {
    case connecting
    case ready
    /// The last connection failed, and another will be tried.
    case failed(Failure)
  }

  /// Why a question was answered `.unavailable`.
  public enum Cause: String, Hashable, Sendable, CaseIterable {
    case notConnected
    /// More questions than `capacity`.
    case overloaded
    case deadline
    /// The connection ended before the answer.
    case connectionLost
    case serverError
    /// The caller's time and the server's clock differ by more than `clockTolerance`.
    case clockDiffers
    case tooFewReplicas
  }

  /// Counts since the start, and the present state.
  public struct Metrics: Sendable {
    public internal(set) var status = Status.connecting
    public internal(set) var fresh: UInt64 = 0
    public internal(set) var replayed: UInt64 = 0
    public internal(set) var full: UInt64 = 0
    public internal(set) var unavailable: [Cause: UInt64] = [:]
    /// Connections that became ready.
    public internal(set) var connections: UInt64 = 0
    /// Connections that failed, before or after they were ready.
    public internal(set) var failures: UInt64 = 0
    /// Questions that wait to be sent, or whose reply the server owes.
    public internal(set) var outstanding = 0

    mutating func count(_ verdict: ReplayVerdict, _ cause: Cause?) {
      switch verdict {
      case .fresh: fresh += 1
      case .replayed: replayed += 1
      case .full: full += 1
      case .unavailable: unavailable[cause ?? .serverError, default: 0] += 1
      }
    }
  }
}

#endif
