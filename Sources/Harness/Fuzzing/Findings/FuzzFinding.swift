public import TestCases

/// A violation with its input, which triage replays and, for most kinds, minimizes. `Form` is the form of samples:
/// values, or bytes of files.
public struct FuzzFinding<Form: Sendable>: Sendable {
  public let violation: Violation
  /// The sample after minimization; the original for kinds that are not minimized.
  public var sample: Form
  /// The sample as it was found; for a rewriting, the request before it.
  public var original: Form
  /// The inputs that the engines must process first, in order; empty unless the violation depends on their state.
  public var history: [Form] = []
  public let mutations: [String]
  /// The severity; nil for a finding about the engines, which ranks above all others.
  public var severity: Standing.Severity?
  /// How many of three replays, by fresh engines after the history, showed the violation; 0 without triage too, which
  /// may have ended with its process.
  public var replays = 0
  /// The line the process wrote when it crashed, addresses included; empty without one.
  public var detail = ""
  /// Whether the process was killed by another process, such as the kernel's out-of-memory killer, or lacked memory.
  public var wasKilledExternally = false

  /// Whether the machine may be the cause: no replay shows the violation, and it is a limit that a busy machine exceeds
  /// or a process killed externally. False for an accepted forgery and a wrong verdict, which may be a race, and for a
  /// fault that a program raises itself.
  public var mayBeMachineFault: Bool {
    guard replays == 0 else { return false }
    return [.hang, .slow, .memory].contains(violation.kind) || violation.kind == .crash && wasKilledExternally
  }

  public init(_ violation: Violation, _ sample: Form, mutations: [String] = []) {
    self.violation = violation
    self.sample = sample
    original = sample
    self.mutations = mutations
  }

  /// The same finding with its samples in another form.
  public func map<Other>(_ transform: (Form) -> Other) -> FuzzFinding<Other> {
    var other = FuzzFinding<Other>(violation, transform(sample), mutations: mutations)
    other.original = transform(original)
    other.history = history.map(transform)
    other.replays = replays
    other.severity = severity
    other.detail = detail
    other.wasKilledExternally = wasKilledExternally
    return other
  }
}
