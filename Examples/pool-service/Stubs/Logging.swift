// The declarations of swift-log 1.14 that the examples use, with the same signatures.
import Synchronization

public enum LoggingSystem {}

/// This logger keeps its entries for tests.
public struct Logger: Sendable {
  public enum Level: String, Sendable, CaseIterable { case trace, debug, info, notice, warning, error, critical }
  public typealias Message = String
  public typealias Metadata = [String: String]

  public struct Entry: Sendable, Equatable {
    public let level: Level
    public let message: Message
    public let metadata: Metadata

    public init(_ level: Level, _ message: Message, _ metadata: Metadata = [:]) {
      (self.level, self.message, self.metadata) = (level, message, metadata)
    }
  }

  private final class Kept: Sendable {
    let entries = Mutex<[Entry]>([])
  }

  private let kept = Kept()
  public var entries: [Entry] { kept.entries.withLock { $0 } }
  public var lines: [String] { entries.map(\.message) }

  public init(label: String) {}

  public func log(
    level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {
    let entry = Entry(level, message(), metadata() ?? [:])
    kept.entries.withLock { $0.append(entry) }
  }

  public func warning(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {
    log(level: .warning, message(), metadata: metadata())
  }

  public func error(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {
    log(level: .error, message(), metadata: metadata())
  }
}
