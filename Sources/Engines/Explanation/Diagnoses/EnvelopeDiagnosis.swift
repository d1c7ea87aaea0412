import PaymentToken
import ReferenceDecryption

/// Stage 0: what the token came in.
struct EnvelopeDiagnosis {
  let fault: TokenFault
  let facts: TraceFacts
  /// The one envelope whose shape the request has; nil when none or several fit.
  let fitting: FittingEnvelope?

  var verdict: Verdict {
    switch fault.code {
    case .tokenTooLarge: Verdict(.requestTooLarge)
    case .ambiguousEnvelope: Verdict(.ambiguousEnvelope, facts.fittingEnvelopes.joined(separator: ", "))
    case .envelopeFieldMismatch: Verdict(.contradictingField, facts.contradiction?.path.dotted)
    default: problemVerdict
    }
  }

  private var problemVerdict: Verdict {
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
