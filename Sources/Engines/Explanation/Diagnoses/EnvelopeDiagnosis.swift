import PaymentToken
import ReferenceDecryption

/// Stage 0: what the token came in.
struct EnvelopeDiagnosis {
  let facts: TraceFacts
  /// The one envelope whose shape the request has; nil when none or several fit.
  let fitting: FittingEnvelope?

  /// `malformedEnvelope`.
  var verdict: Verdict {
    switch facts.envelopeProblem {
    case .notJSON, nil: Verdict(.requestNotJSON)
    case .repeatedName(let path): Verdict(.repeatedNameInRequest, path.dotted)
    case .noToken(let paths):
      fitting.map { Verdict(.otherEnvelope, $0.name) } ?? Verdict(.noTokenInRequest, paths.listed)
    case .severalTokens(let paths): Verdict(.severalTokensInRequest, paths.listed)
    case .wrongType(let path, _): Verdict(.wrongTypeInRequest, path.dotted)
    case .notBase64(let path): Verdict(.invalidBase64InRequest, path.dotted)
    }
  }
}
