/// How a program failed to answer. Each failure is a finding, and the program is restarted.
public enum ExternalFailure: Error, Hashable, Sendable {
  /// The system could not start it.
  case notStarted(errorNumber: Int32)
  /// It ended or closed its output; `afterPart` if in the middle of a line.
  case ended(ExternalEnd, afterPart: Bool)
  /// It wrote no complete line in time.
  case timedOut(milliseconds: Int, afterPart: Bool)
  /// It exceeded the maximum size of an answer.
  case flooded(limit: Int)
  /// The line is not an answer of the protocol. `line` is its beginning, if it may be shown.
  case unreadable(reason: String, line: String?)
  /// The answer has another id than the last request.
  case outOfOrder(answered: String)
  /// It wrote a line without a request.
  case unasked

  /// A short name for reports.
  public var name: String {
    switch self {
    case .notStarted: "not started"
    case .ended: "crashed"
    case .timedOut: "timed out"
    case .flooded: "flooded"
    case .unreadable: "unreadable"
    case .outOfOrder: "out of order"
    case .unasked: "unasked"
    }
  }
}

extension ExternalFailure {
  /// The same failure without the program's output, which may contain a payment.
  var withoutQuotation: ExternalFailure {
    switch self {
    case .unreadable(let reason, _): .unreadable(reason: reason, line: nil)
    case .outOfOrder: .outOfOrder(answered: "another line")
    default: self
    }
  }
}

extension ExternalFailure: CustomStringConvertible {
  /// What happened, without a full stop.
  public var description: String {
    switch self {
    case .notStarted(let number): "could not be started (error \(number))"
    case .ended(let end, let afterPart):
      end.description + (afterPart ? " in the middle of a line" : " without an answer")
    case .timedOut(let milliseconds, let afterPart):
      "no answer within \(Self.seconds(milliseconds)) s" + (afterPart ? ", only part of a line" : "")
    case .flooded(let limit): "wrote more than \(limit) bytes without ending the line"
    case .unreadable(let reason, let line): "\(reason)" + (line.map { ": \($0)" } ?? "")
    case .outOfOrder(let answered): "answered \(answered.prefix(40)), which is not the current request"
    case .unasked: "wrote a line without a request"
    }
  }

  private static func seconds(_ milliseconds: Int) -> String {
    milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)" : "\(Double(milliseconds) / 1_000)"
  }
}

/// How a program ended.
public enum ExternalEnd: Hashable, Sendable, CustomStringConvertible {
  case exited(code: Int32)
  case killed(signal: Int32)
  /// It closed its output and was still running half a second later.
  case closedOutput

  public var description: String {
    switch self {
    // A shell reports a signal as 128 plus its number.
    case .exited(let code) where Self.names[code - 128] != nil:
      "ended with exit code \(code) (\(Self.names[code - 128] ?? ""), reported by a shell)"
    case .exited(let code): "ended with exit code \(code)"
    case .killed(let signal): "was killed by signal \(signal)\(Self.names[signal].map { " (\($0))" } ?? "")"
    case .closedOutput: "closed its output"
    }
  }

  private static let names: [Int32: String] = [
    4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE",
    15: "SIGTERM", 24: "SIGXCPU",
  ]
}
