public import Corpus
public import PaymentToken

/// One token to decide about, under which circumstances, and the right answer where it is known.
public struct Trial: Hashable, Sendable {
  /// The one right answer.
  public enum Expectation: Hashable, Sendable {
    /// With this plaintext; nil when it is not known.
    case accept(plaintext: [UInt8]?)
    /// With this fault's code; nil when any will do.
    case reject(TokenFault?)
  }

  /// Unique in its source: the vector's number, the case's or the file's name.
  public let id: String
  /// What it is called; empty when it has no name.
  public let name: String
  /// Where it comes from: a file, or what it was minted from.
  public let source: String
  /// What is wrong with the token, or unusual about it.
  public let comment: String
  /// The classes of bugs it hunts.
  public let flags: [String]
  /// The rules of Docs/Verification.md that decide.
  public let clauses: [String]
  /// The verification time.
  public let at: UnixTime
  public let policy: VectorPolicy
  /// Tokens decrypted before, under the same time and policy.
  public let prelude: [[UInt8]]
  /// The octets to decide about.
  public let token: [UInt8]
  /// Nil when nobody has said: then the first engine's verdict counts.
  public let expected: Expectation?

  public init(
    id: String, name: String = "", source: String, comment: String = "", flags: [String] = [], clauses: [String] = [],
    at: UnixTime,
    policy: VectorPolicy = VectorPolicy(), prelude: [[UInt8]] = [], token: [UInt8], expected: Expectation?
  ) {
    self.id = id
    self.name = name
    self.source = source
    self.comment = comment
    self.flags = flags
    self.clauses = clauses
    self.at = at
    self.policy = policy
    self.prelude = prelude
    self.token = token
    self.expected = expected
  }

  /// For people: its id, and its name where it has one.
  public var title: String { name.isEmpty || name == id ? id : "\(id) (\(name))" }

  /// The same with other octets, of which nobody has said what is right.
  public func with(token: [UInt8], expected: Expectation? = nil) -> Trial {
    Trial(
      id: id, name: name, source: source, comment: comment, flags: flags, clauses: clauses, at: at, policy: policy,
      prelude: prelude, token: token, expected: expected)
  }
}

/// Trials that share keys, roots and window.
public struct TrialGroup: Sendable {
  public let setting: TrialSetting
  public let trials: [Trial]

  public init(setting: TrialSetting, trials: [Trial]) {
    self.setting = setting
    self.trials = trials
  }
}

extension Trial {
  /// The versions that a decryptor must know to decide, as far as the request or its flags tell.
  var versions: [TokenVersion] {
    let named = SeedPath.versions(in: token)
    // The name may be written in escapes.
    return flags.contains("RSAv1") && !named.contains(.rsaV1) ? named + [.rsaV1] : named
  }
}
