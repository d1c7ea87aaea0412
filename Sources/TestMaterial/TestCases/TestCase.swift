public import PaymentToken

/// One request in its context, and the right answer where it is known: a named case, a vector, an input of `assay diff`.
public struct TestCase: Hashable, Sendable {
  /// Unique in its source: the vector's number, the case's or the file's name.
  public var id: String
  /// What it is called, in kebab case; empty when it has no name.
  public var name: String
  /// Where it comes from: a file, or what it was minted from.
  public var source: String
  /// What is wrong with the request, or unusual about it; a sentence for people.
  public var comment: String
  /// The classes of bugs that it catches.
  public var flags: [String]
  /// The rules of Docs/Verification.md that decide.
  public var clauses: [String]
  /// What is to be decided.
  public var input: TestInput
  /// The one right answer. Nil when nobody has said: then the first engine's verdict counts.
  public var expected: TestVerdict?

  /// A case; what is not said is empty.
  public init(
    id: String, name: String = "", source: String = "", comment: String = "", flags: [String] = [],
    clauses: [String] = [], input: TestInput, expected: TestVerdict?
  ) {
    self.id = id
    self.name = name
    self.source = source
    self.comment = comment
    self.flags = flags
    self.clauses = clauses
    self.input = input
    self.expected = expected
  }

  /// The bytes to decide about.
  public var request: [UInt8] { input.request }
  /// What they are decided under.
  public var context: TestContext { input.context }
  /// For people: its id, and its name where it has one.
  public var title: String { name.isEmpty || name == id ? id : "\(id) (\(name))" }

  /// The same with another request, of which nobody has said what is right.
  public func with(request: [UInt8], expected: TestVerdict? = nil) -> TestCase {
    var other = self
    other.input.request = request
    other.expected = expected
    return other
  }
}

/// What a decryptor must say, or said: there is no third answer.
public enum TestVerdict: Hashable, Sendable {
  /// Accept, with exactly this plaintext.
  case accept(plaintext: [UInt8])
  /// Accept, with exactly this plaintext, as a token that nobody signed.
  case acceptUnsigned(plaintext: [UInt8])
  /// Refuse; the fault's stage and member are for decryptors that name them.
  case reject(TokenFault)

  /// What an engine decided.
  public init(_ verdict: Verdict) {
    switch verdict {
    case .success(.signed(let token)): self = .accept(plaintext: token.plaintext)
    case .success(.unsigned(let token)): self = .acceptUnsigned(plaintext: token.plaintext)
    case .failure(let fault): self = .reject(fault)
    }
  }

  /// Whether it is an acceptance, signed or not.
  public var isAccepted: Bool { if case .reject = self { false } else { true } }

  /// As files and the line protocol have it: they do not say whether what was accepted is signed.
  public var asWritten: TestVerdict {
    if case .acceptUnsigned(let plaintext) = self { .accept(plaintext: plaintext) } else { self }
  }

  /// The verdict without the plaintext.
  public var summary: String {
    switch self {
    case .accept(let plaintext), .acceptUnsigned(let plaintext): "accept (\(plaintext.count) bytes)"
    case .reject(let fault): fault.description
    }
  }
}

/// Cases that share keys, roots and window: what one engine, or one `hello` of the line protocol, is made for.
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

  /// How far signing times may be from verification times, in seconds; nil where they do not matter.
  public var windowSeconds: UInt32? { cases.first?.context.policy.windowSeconds }
}
