import PaymentToken
import ReferenceDecryption

/// Diagnoses of stage 0: the request.
struct EnvelopeDiagnosis {
  let facts: TraceFacts
  /// The one envelope that the request matches; nil for none or several.
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
