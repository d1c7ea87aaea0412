public import TestCases

/// How requests are passed to an engine, as applications do.
public enum HistoryMode: Int, CaseIterable, Hashable, Sendable {
  /// One after the other, in buffers that the caller keeps.
  case workspace
  /// One after the other, in buffers that the engine keeps.
  case keptWorkspace
  /// As a batch of one time and policy.
  case batch
  /// As a batch in which each request has its own time and policy.
  case mixedBatch
  /// Through a pool.
  case pool

  /// Whether an unsigned token can be accepted that way.
  var takesUnsigned: Bool { self == .workspace || self == .keptWorkspace }
}

/// The keys of an engine, compared with those of the test's setting.
public enum HistoryKeys: Int, CaseIterable, Hashable, Sendable {
  case own
  /// The same keys in reverse order.
  case reversed
  /// The keys of EC_v1 with other merchant identifiers, so that decryption fails.
  case renamed
  /// Other keys at the same indices.
  case foreign
  /// The keys of EC_v1. The first is an external key, if it has a certificate.
  case external
}

/// The roots of an engine, compared with those of the test's setting.
public enum HistoryRoots: Int, CaseIterable, Hashable, Sendable {
  case own
  /// The root that the corpus' tokens are signed under.
  case corpus
  /// A root that no token is signed under.
  case foreign
}

/// Selects one of several engines with the same keys and roots.
public enum HistoryEngine: Int, CaseIterable, Hashable, Sendable {
  case first, second
  /// Made from the first engine of these roots by replacing its keys; they share their caches.
  case replacing
}

/// What a request of a history shares with others: an engine, and the buffers that it is decided in.
public struct HistoryPlace: Hashable, Sendable {
  public var keys = HistoryKeys.own
  public var roots = HistoryRoots.own
  public var engine = HistoryEngine.first
  /// 0 or 1. Every engine uses both.
  public var workspace = 0
  public var mode = HistoryMode.workspace

  /// The first engine of the setting, with the first buffers.
  public init(mode: HistoryMode = .workspace) { self.mode = mode }
}

/// A request of a history, and its verdict when decided alone.
public struct HistoryStep: Hashable, Sendable {
  public var input: TestInput
  public var verdict: Verdict
  public var place = HistoryPlace()
}

/// An engine with all state that its requests share: buffers, caches, lanes, a pool.
public protocol HistoryTarget: AnyObject {
  /// Loads keys and roots. Buffers and the pool stay; a setting other than the last one gets new engines.
  func begin(_ setting: TestSetting)

  /// Decides requests in a place, in their order, each after its prelude and with a replay store of its own.
  ///
  /// - Returns: a verdict for each of them; fewer if some got none; nil if the system gives too few threads or too
  ///   little memory for the place.
  func decide(_ inputs: [TestInput], in place: HistoryPlace) -> [Verdict]?

  /// Whether all memory for secrets is zero.
  var isWiped: Bool { get }
}
