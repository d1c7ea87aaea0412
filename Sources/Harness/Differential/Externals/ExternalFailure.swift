/// What a program did instead of answering. Each is a finding; the program is started anew.
public enum ExternalFailure: Error, Hashable, Sendable {
  /// The system could not start it.
  case notStarted(errorNumber: Int32)
  /// It ended, or closed its output; `afterPart` when it had begun a line.
  case ended(ExternalEnd, afterPart: Bool)
  /// No complete line in time.
  case timedOut(milliseconds: Int, afterPart: Bool)
  /// It wrote more than an answer may have without ending the line.
  case flooded(limit: Int)
  /// The line is no answer of the protocol; its beginning, where it may be shown.
  case unreadable(reason: String, line: String?)
  /// The answer is to another line than the last one.
  case outOfOrder(answered: String)
  /// It wrote when it was not asked.
  case unasked

  /// A word for reports.
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
  /// The same with nothing of what the program wrote, which may hold a payment.
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
    case .outOfOrder(let answered): "answered \(answered.prefix(40)), which was not asked for now"
    case .unasked: "wrote a line before it was asked"
    }
  }

  private static func seconds(_ milliseconds: Int) -> String {
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    guard rest > 0 else { return String(whole) }
    var digits = String(rest + 1_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}

/// How a program ended.
public enum ExternalEnd: Hashable, Sendable, CustomStringConvertible {
  case exited(code: Int32)
  case killed(signal: Int32)
  /// It runs on, with its output closed.
  case closedOutput

  public var description: String {
    switch self {
    // A shell in between tells a signal by 128 and more.
    case .exited(let code) where Self.names[code - 128] != nil:
      "ended with exit code \(code) (\(Self.names[code - 128] ?? ""), as a shell tells it)"
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
