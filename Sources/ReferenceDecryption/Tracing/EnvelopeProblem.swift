public import PaymentToken

/// Why a request is no envelope of the kind it was read as (rules 0.2 to 0.5). Names and paths are the envelope's own.
public enum EnvelopeProblem: Hashable, Sendable {
  /// No strict JSON object, or one that nests too deep.
  case notJSON
  /// The name at the end of the path occurs more than once in its object.
  case repeatedName([String])
  /// None of these paths leads to anything.
  case noToken([[String]])
  /// Each of these paths leads to something.
  case severalTokens([[String]])
  /// What stands there is not of the type in which the token would be wrapped so.
  case wrongType([String], Envelope.Wrapping)
  /// The string there is not strict base64.
  case notBase64([String])
}
