public import PaymentToken

/// A request in its context, with the expected verdict if known: a named case, a vector, or an input of `assay diff`.
public struct TestCase: Hashable, Sendable {
  /// Unique in its source: the vector's number, the case's or the file's name.
  public var id: String
  /// Its name in kebab case; empty when it has none.
  public var name: String
  /// Its origin: a file, or the seed it was minted from.
  public var source: String
  /// What is wrong or unusual about the request; a sentence for people.
  public var comment: String
  /// The classes of bugs that the case catches.
  public var flags: [String]
  /// The rules of Docs/Verification.md that decide.
  public var clauses: [String]
  /// How much a wrong verdict matters; nil if unknown.
  public var standing: Standing?
  /// The request and its context.
  public var input: TestInput
  /// The expected verdict. Nil if unknown; then the first engine's verdict is the reference.
  public var expected: TestVerdict?

  /// A case; omitted texts and lists are empty.
  public init(
    id: String, name: String = "", source: String = "", comment: String = "", flags: [String] = [],
    clauses: [String] = [], standing: Standing? = nil, input: TestInput, expected: TestVerdict?
  ) {
    self.id = id
    self.name = name
    self.source = source
    self.comment = comment
    self.flags = flags
    self.clauses = clauses
    self.standing = standing
    self.input = input
    self.expected = expected
  }

  /// The request's bytes.
  public var request: [UInt8] { input.request }
  /// The time, the policy and the earlier requests.
  public var context: TestContext { input.context }
  /// For people: its id, and its name where it has one.
  public var title: String { name.isEmpty || name == id ? id : "\(id) (\(name))" }

  /// The same case with another request, whose verdict is unknown unless given.
  public func with(request: [UInt8], expected: TestVerdict? = nil) -> TestCase {
    var other = self
    other.input.request = request
    other.expected = expected
    return other
  }
}

/// An expected or actual verdict: acceptance or refusal.
public enum TestVerdict: Hashable, Sendable {
  /// Accept, with exactly this plaintext.
  case accept(plaintext: [UInt8])
  /// Accept, with exactly this plaintext, as an unsigned token.
  case acceptUnsigned(plaintext: [UInt8])
  /// Refuse; stage and member are compared only for decryptors that report them.
  case reject(TokenFault)

  /// The verdict of an engine.
  public init(_ verdict: Verdict) {
    switch verdict {
    case .success(.signed(let token)): self = .accept(plaintext: token.plaintext)
    case .success(.unsigned(let token)): self = .acceptUnsigned(plaintext: token.plaintext)
    case .failure(let fault): self = .reject(fault)
    }
  }

  /// Whether the token is accepted, signed or not.
  public var isAccepted: Bool { if case .reject = self { false } else { true } }

  /// The plaintext of an accepted token; nil for a refusal.
  public var plaintext: [UInt8]? {
    switch self {
    case .accept(let plaintext), .acceptUnsigned(let plaintext): plaintext
    case .reject: nil
    }
  }

  /// Why the token is refused; nil for acceptance.
  public var fault: TokenFault? { if case .reject(let fault) = self { fault } else { nil } }

  /// The verdict as files and the line protocol express it: they do not distinguish accepted unsigned tokens.
  public var asWritten: TestVerdict {
    plaintext.map { .accept(plaintext: $0) } ?? self
  }

  /// The verdict without the plaintext.
  public var summary: String {
    fault?.description ?? "accept (\(plaintext?.count ?? 0) bytes)"
  }
}

/// Cases that share keys and roots, for one engine or one `hello` of the line protocol.
public struct TestGroup: Hashable, Sendable {
  /// Keys and roots.
  public var setting: TestSetting
  /// The cases.
  public var cases: [TestCase]

  /// Cases under one setting.
  public init(setting: TestSetting, cases: [TestCase]) {
    self.setting = setting
    self.cases = cases
  }

  /// The window of the first case in seconds; nil without a window.
  public var windowSeconds: UInt32? { cases.first?.context.policy.windowSeconds }
}
