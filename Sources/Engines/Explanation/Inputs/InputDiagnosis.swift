import PaymentToken
import StrictJSON

/// Diagnoses of stages 0 to 4 that come from the form of the input as a whole.
struct InputDiagnosis {
  let fault: TokenFault
  let facts: TraceFacts
  let input: Input

  /// Nil if the form of the input does not explain the fault: then `MemberDiagnosis` examines the members.
  var verdict: Verdict? {
    guard isOfForm else { return nil }
    if let receivedForm { return receivedForm.verdict }
    switch fault.stage {
    case .envelope: return fault.code == .malformedEnvelope ? envelopeVerdict : nil
    case .size:
      guard input.unwrapping != nil else { return nil }
      return input.text == nil ? jsonVerdict : hiddenVerdict
    case .json:
      guard fault.code == .malformedJSON else { return nil }
      return input.text == nil ? jsonVerdict : hiddenVerdict
    default: return memberVerdict
    }
  }

  /// Whether the form of the input may explain the fault. A token may be too large only in base64 or hexadecimal.
  private var isOfForm: Bool {
    if fault.code == .tokenTooLarge {
      return fault.stage == .size && input.token.count <= Envelope.maximumRequestSize
    }
    return fault.stage <= .encodings
  }

  /// The form of an input that was converted to JSON, unless the conversion led to a token.
  var receivedForm: InputForm? {
    guard isOfForm, input.receivedSize != nil else { return nil }
    if facts.envelope != nil, fault.stage > .json, TokenPlace(in: input.token)?.steps.isEmpty ?? true { return nil }
    guard let form = input.receivedForm else { return nil }
    if form.isSpecific { return form }
    return fault.code != .tokenTooLarge && facts.envelope == nil && TokenPlace(in: input.token) == nil && !isFlatToken
      ? form : nil
  }

  /// Whether the converted input is an object with members of a token.
  private var isFlatToken: Bool { JSON(lenient: input.token).map(hasKnownName) ?? false }

  private var envelopeVerdict: Verdict? {
    switch facts.envelopeProblem {
    case .notJSON:
      let form = input.requestForm
      if form.isSpecific || form.diagnosis == .otherJSON { return form.verdict }
      return Verdict(.requestNotJSON, JSONDefect(input.request)?.place)
    case .wrongType(let path, let wrapping):
      if let known = documentForm { return known.verdict }
      let place = TokenPlace(in: input.request)
      guard wrapping == .object, let place, place.path == path.dotted, path.last == "paymentData" else {
        return Verdict(.wrongTypeInRequest, path.dotted, command: input.unwrapping?.command)
      }
      return Verdict(.paymentDataAsString, path.dotted, command: input.unwrapping?.command)
    case .noToken: return documentForm?.verdict
    case .repeatedName, .severalTokens, .notBase64, nil: return nil
    }
  }

  private var jsonVerdict: Verdict {
    let form = input.tokenForm
    return Verdict(form.diagnosis, form.subject, command: input.unwrapping?.command ?? form.command)
  }

  private var memberVerdict: Verdict? {
    if let known = documentForm { return known.verdict }
    if input.text?.isInParts ?? false { return nil }
    guard let token = JSON(lenient: input.token) else { return nil }
    if ChangedNames.isNamedByToken(token) { return Verdict(.tokenAsMemberName) }
    guard fault.code == .missingMember || fault.code == .wrongType else { return nil }
    if fault.code == .missingMember, let changed = ChangedNames.firstChange(in: token) {
      let remedy = ChangedNames.areValuesChanged(in: token) ? ChangedNames.remedyForValues : nil
      return Verdict(
        .changedMemberNames, changed.shortName, command: input.unwrapping?.command, remedy: remedy)
    }
    guard TokenPlace(in: input.token) == nil else { return nil }
    if let hiddenVerdict { return hiddenVerdict }
    guard fault.code == .missingMember, !hasKnownName(token),
      input.isBase64 || FittingEnvelope(input.request.span) == nil
    else { return nil }
    return Verdict(.otherJSON, token.typeName)
  }

  /// The verdict if a member or a part of the token is itself a whole token. Base64 of a token passes stage 4, so the
  /// fault may come as late as stage 8 or, without a signature, stage 12.
  var heldTokenVerdict: Verdict? {
    guard fault.stage >= .size, let text = input.text,
      text.isInParts || TokenPlace(in: input.token)?.steps.isEmpty ?? false
    else { return nil }
    let budget = SearchBudget(for: input.request.count)
    // The header is last, so that a member inside it is named instead.
    let holder = (TokenMember.allCases.filter { $0 != .header } + [.header]).first { member in
      guard let value = text[member].flatMap({ JSON(lenient: Array($0.text)) }) else { return false }
      return TokenPlace(in: value) != nil || HiddenToken.form(in: value, layers: 1, budget) != nil
    }
    return holder.map { Verdict(.tokenInMember, text.name(of: $0), command: input.unwrapping?.command) }
  }

  /// The verdict on an object that contains a `HiddenToken`.
  private var hiddenVerdict: Verdict? {
    guard TokenPlace(in: input.token) == nil, let token = JSON(lenient: input.token),
      let hidden = HiddenToken.form(in: token, layers: 0, SearchBudget(for: input.token.count))
    else { return nil }
    return Verdict(hidden.diagnosis, hidden.subject, command: input.unwrapping?.command)
  }

  /// The form of the whole request, if it is a known kind of document. It does not depend on the fault.
  private var documentForm: InputForm? {
    guard let document = JSON(lenient: input.request) else { return nil }
    return SimulatorToken(document)?.form ?? OtherWallet.form(of: document) ?? TypedJSON.form(of: document)
      ?? KnownRequest.form(of: document, input)
      ?? HiddenToken.lostBytes(in: document, SearchBudget(for: input.request.count))
  }

  /// Whether a name in the object is that of a token's member or of a member of its header.
  private func hasKnownName(_ document: JSON) -> Bool {
    let names = ["ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId"]
    return document.members?.contains { TokenPlace.knownNames.contains($0.name) || names.contains($0.name) } ?? false
  }
}
