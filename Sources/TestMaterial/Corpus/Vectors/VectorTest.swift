import PaymentToken

/// One token and the one right answer.
public struct VectorTest: Hashable, Sendable {
  /// Unique in its file.
  public var id: Int
  /// Unique among all vectors, in kebab case; the minter's name of the case, where it minted it.
  public var name: String?
  /// A sentence for people.
  public var comment: String
  /// Which bugs it catches; each is explained by the file's notes.
  public var flags: [String]
  /// The rules of Docs/Verification.md that it puts to the test.
  public var clauses: [String]
  /// Tokens decrypted before, under the same circumstances; their verdicts do not matter.
  public var prelude: [[UInt8]]
  /// The request's bytes.
  public var token: [UInt8]
  /// What a decryptor must say.
  public var verdict: VectorVerdict

  public init(
    id: Int, name: String?, comment: String, flags: [String], clauses: [String], prelude: [[UInt8]] = [],
    token: [UInt8], verdict: VectorVerdict
  ) {
    self.id = id
    self.name = name
    self.comment = comment
    self.flags = flags
    self.clauses = clauses
    self.prelude = prelude
    self.token = token
    self.verdict = verdict
  }
}

/// What a decryptor must say: there is no third answer.
public enum VectorVerdict: Hashable, Sendable {
  /// Accept, with exactly this plaintext.
  case accept(plaintext: [UInt8])
  /// Refuse; the fault's stage and member are for decryptors that name them.
  case reject(TokenFault)
}
