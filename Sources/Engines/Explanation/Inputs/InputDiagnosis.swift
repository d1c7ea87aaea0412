import PaymentToken
import StrictJSON

/// Diagnoses of stages 0 to 4 that come from the form of the input as a whole.
struct InputDiagnosis {
  let fault: TokenFault
  let facts: TraceFacts
  let input: Input
  /// The input as it was received, if it was converted to JSON before it was decided.
  let received: [UInt8]?

  /// Nil when the input has no form of its own, so that its members have to be looked at.
  var verdict: Verdict? {
    guard fault.stage <= .encodings, fault.code != .tokenTooLarge else { return nil }
    if let received, facts.envelope == nil || fault.stage <= .json {
      let form = InputForm(received)
      if form.isSpecific { return form.verdict }
    }
    switch fault.stage {
    case .envelope: return fault.code == .malformedEnvelope ? envelopeVerdict : nil
    case .json: return fault.code == .malformedJSON && input.text == nil ? jsonVerdict : nil
    default: return memberVerdict
    }
  }

  private var envelopeVerdict: Verdict? {
    switch facts.envelopeProblem {
    case .notJSON:
      let form = InputForm(input.request)
      if form.isSpecific || form.diagnosis == .otherJSON { return form.verdict }
      return Verdict(.requestNotJSON, JSONDefect(input.request)?.place)
    case .wrongType(let path, let wrapping):
      if let known = documentForm { return known.verdict }
      let place = TokenPlace(in: input.request)
      guard wrapping == .object, let place, place.path == path.dotted, path.last == "paymentData" else {
        return Verdict(.wrongTypeInRequest, path.dotted, command: place?.command)
      }
      return Verdict(.paymentDataAsString, path.dotted, command: place.command)
    case .noToken: return documentForm?.verdict
    case .repeatedName, .severalTokens, .notBase64, nil: return nil
    }
  }

  private var jsonVerdict: Verdict {
    let form = InputForm(input.token)
    let isWhole = input.token == input.request
    return Verdict(
      form.diagnosis, form.subject, command: isWhole ? form.command : TokenPlace(in: input.request)?.command)
  }

  private var memberVerdict: Verdict? {
    if input.text?.isInParts ?? false { return nil }
    if let known = documentForm { return known.verdict }
    guard let token = JSON(lenient: input.token) else { return nil }
    if ChangedNames.isNamedByToken(token) { return Verdict(.tokenAsMemberName) }
    if fault.code == .missingMember, let changed = ChangedNames.form(of: token) {
      let isWhole = input.token == input.request
      return Verdict(changed.diagnosis, changed.subject, command: isWhole ? changed.command : nil)
    }
    guard fault.code == .missingMember, TokenPlace(in: input.token) == nil, !hasKnownName(token),
      FittingEnvelope(input.request.span) == nil
    else { return nil }
    return Verdict(.otherJSON, token.typeName)
  }

  /// What the request is as a document, whatever is wrong with it.
  private var documentForm: InputForm? {
    guard let document = JSON(lenient: input.request) else { return nil }
    return SimulatorToken(document)?.form ?? KnownRequest.form(of: document, in: input.request)
  }

  /// Whether an object has a name that is one of a token's, outside or inside the header.
  private func hasKnownName(_ document: JSON) -> Bool {
    let names = ["ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId"]
    return document.members?.contains { TokenPlace.knownNames.contains($0.name) || names.contains($0.name) } ?? false
  }
}
