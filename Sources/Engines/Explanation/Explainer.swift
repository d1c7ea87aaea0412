import MerchantKeys
public import PaymentToken
import ReferenceDecryption

/// Explains why a token is rejected: runs the reference engine, then examines the input for the cause.
///
/// It reads no clock and no file. Only an external key or the policy's replay store may use a network. The variants
/// that it tries, such as another merchant ID, never accept a token and use no replay store.
public struct Explainer: Sendable {
  private let engine: ReferenceDecryptor
  private let keyContext: KeyContext
  private let roots: [Certificate]

  /// Makes an explainer for these keys that trusts the roots in `anchors`.
  ///
  /// - Throws: `EngineError` for a root that breaks the rules for certificates, or if libcrypto lacks an algorithm.
  public init(_ keyContext: KeyContext, anchors: TrustAnchors) throws(EngineError) {
    engine = try ReferenceDecryptor(keys: keyContext.keys, anchors: anchors)
    self.keyContext = keyContext
    roots = Explainer.certificates(of: anchors)
  }

  private static func certificates(of anchors: TrustAnchors) -> [Certificate] {
    anchors.certificates.compactMap { try? Certificate(der: $0) }
  }

  /// Explains one request.
  ///
  /// - Parameters:
  ///   - request: the bytes of `PKPaymentToken.paymentData`, or the request that contains them, see `policy.envelope`.
  ///   - received: the input as it was received, if `request` was converted to JSON from it (`ReceivedBody`).
  ///   - now: the verification time.
  ///   - policy: the policy of the decryption to explain. A token that passes all else enters its replay store, if any.
  ///   - allowsUnsigned: whether unsigned tokens are accepted.
  public func explain(
    _ request: Span<UInt8>, receivedAs received: [UInt8]? = nil, at now: UnixTime, under policy: VerificationPolicy,
    allowsUnsigned: Bool = false
  ) -> Explanation {
    let (result, trace) = decrypt(request, at: now, under: policy, allowsUnsigned: allowsUnsigned)
    let input = Input(request, receivedAs: received, from: policy.envelope)
    let facts = TraceFacts(trace)
    var checkList = CheckList(trace: trace, facts: facts, input: input, roots: roots, keys: keyContext.keys)
    (checkList.expectations, checkList.signingTimes) = (policy.expectations, policy.signingTimes)
    let envelope = trace[.envelope] == nil ? Envelope.apple.name : facts.envelope
    switch result {
    case .success(let opened):
      let notes =
        switch opened {
        case .signed(let token): notes(token, facts, policy)
        case .unsigned(let token): notes(token.payment)
        }
      return Explanation(
        fault: nil, keyError: nil, envelope: envelope, isSigned: opened.isSigned, checks: checkList.checks,
        verdict: Verdict(opened.isSigned ? .sound : .unsignedToken), further: [],
        notes: notes + keyContext.leftAsideNotes)
    case .failure(let fault):
      // If the keys could not be loaded, the set is empty and stage 10 fails. The cause is the error of loading them.
      let isKeyError = keyContext.error != nil && fault.code == .unknownMerchantKey
      checkList.keyError = isKeyError ? keyContext.error : nil
      let form = InputDiagnosis(fault: fault, facts: facts, input: input)
      checkList.receivedForm = form.receivedForm
      checkList.breach = breach(fault, facts, input, roots)
      let verdict = (form.verdict ?? verdict(fault, facts, input, policy)).repairing(input.unwrapping?.token)
      // Before the signature is verified, the name of the sandbox is only a claim.
      let isSandboxNews =
        trace[.signature]?.outcome == .passed && facts.isFromSandbox && verdict.diagnosis != .sandboxToken
      let isTimeFault = [.certificateExpired, .certificateNotYetValid, .signingTimeOutsideWindow].contains(fault.code)
      return Explanation(
        fault: isKeyError ? nil : fault, keyError: keyContext.error,
        envelope: checkList.receivedForm == nil ? envelope : nil, isSigned: nil,
        checks: checkList.checks, verdict: verdict,
        further: furtherVerdicts(
          after: fault, facts, verdict, input, at: now, under: policy, allowsUnsigned: allowsUnsigned),
        notes: (isSandboxNews ? [Note(.sandboxSigner)] : [])
          + (isTimeFault && facts.isYearsAway ? [Note(.timesYearsApart)] : []) + keyContext.leftAsideNotes)
    }
  }

  private func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy, allowsUnsigned: Bool
  ) -> (result: Result<SignedOrUnsignedToken, TokenFault>, trace: Trace) {
    if allowsUnsigned { return engine.decryptAllowingUnsignedTraced(request, at: now, under: policy) }
    let (result, trace) = engine.decryptTraced(request, at: now, under: policy)
    return (result.map { .signed($0) }, trace)
  }

  /// The further problems: what rejects the token when its age, or a difference from the expected payment, is ignored.
  private func furtherVerdicts(
    after first: TokenFault, _ facts: TraceFacts, _ verdict: Verdict, _ input: Input, at now: UnixTime,
    under policy: VerificationPolicy, allowsUnsigned: Bool
  ) -> [Verdict] {
    var (fault, facts) = (first, facts)
    var relaxed = RelaxedChecks(now: facts.verificationTime ?? now, expectations: policy.expectations)
    var verdicts = [verdict]
    while relaxed.passOver(fault, facts) {
      // With the window off, no replay store is asked or updated.
      let policy = VerificationPolicy(
        envelope: policy.envelope, freshness: .windowOff, revoked: policy.revoked, expectations: relaxed.expectations)
      let (result, trace) = decrypt(input.request.span, at: relaxed.now, under: policy, allowsUnsigned: allowsUnsigned)
      guard case .failure(let next) = result else { break }
      (fault, facts) = (next, TraceFacts(trace))
      let found = self.verdict(fault, facts, input, policy)
      // A token may be explained without a key, so a missing key is not reported as a further problem.
      guard !verdicts.contains(found), found.diagnosis != .noKeyLoaded else { break }
      verdicts.append(found)
    }
    return Array(verdicts.dropFirst())
  }

  private func breach(
    _ fault: TokenFault, _ facts: TraceFacts, _ input: Input, _ roots: [Certificate]
  ) -> RuleBreach? {
    RuleBreach(fault, facts, input.text, roots: roots)
  }

  private func verdict(
    _ fault: TokenFault, _ facts: TraceFacts, _ input: Input, _ policy: VerificationPolicy
  ) -> Verdict {
    let verdict = verdictForMerchants(fault, facts, input, policy)
    return roots.areOwn(for: input.text) ? verdict.forTesters : verdict
  }

  private func verdictForMerchants(
    _ fault: TokenFault, _ facts: TraceFacts, _ input: Input, _ policy: VerificationPolicy
  ) -> Verdict {
    if let held = InputDiagnosis(fault: fault, facts: facts, input: input).heldTokenVerdict { return held }
    let request = input.request
    var members: MemberDiagnosis {
      let fitting = facts.envelope == nil ? FittingEnvelope(request.span) : nil
      return MemberDiagnosis(
        fault: fault, fitting: fitting, input: input, isMinted: roots.areOwn(for: input.text))
    }
    var signature: SignatureDiagnosis { signatureDiagnosis(fault, facts, input, policy, engine, roots) }
    var merchantKey: MerchantKeyDiagnosis {
      MerchantKeyDiagnosis(
        facts: facts, keyContext: keyContext,
        firstOpening: {
          engine.firstOpening(request.span, from: policy.envelope, withKeyAt: $0, merchantIDHashes: $1)
        },
        opens: { engine.opens(request.span, from: policy.envelope, withKeyAt: $0) })
    }
    if fault.code == .unknownMerchantKey, let error = keyContext.error {
      return KeyErrorDiagnosis(
        error: error, certificates: keyContext.certificates, keyFiles: keyContext.keyFiles, facts: facts
      ).verdict
    }
    let isInEnvelope = fault.stage == .envelope
    return switch fault.code {
    case .malformedEnvelope: EnvelopeDiagnosis(facts: facts, fitting: FittingEnvelope(request.span)).verdict
    case .ambiguousEnvelope: Verdict(.ambiguousEnvelope, facts.fittingEnvelopes.joined(separator: ", "))
    case .envelopeFieldMismatch where !facts.differingParts.isEmpty:
      Verdict(.contradictingParts, facts.differingParts.listed)
    case .envelopeFieldMismatch:
      Verdict(isInEnvelope ? .contradictingField : .otherTransaction, facts.contradiction?.path.dotted)
    case .tokenTooLarge: isInEnvelope ? Verdict(.requestTooLarge) : members.sizeVerdict
    case .malformedJSON: members.jsonVerdict
    case .duplicateMember: Verdict(.duplicateMember, fault.member?.path)
    case .missingMember: members.missingVerdict
    case .wrongType: members.typeVerdict
    case .unsupportedVersion: members.versionVerdict
    case .conflictingMembers: members.conflictVerdict
    case .invalidBase64: members.base64Verdict
    case .invalidHex: members.hexVerdict
    case .invalidLength: members.lengthVerdict
    case .malformedSignature: signature.shapeVerdict
    case .missingLeafMarker, .missingIntermediateMarker, .signerMismatch: signature.selectionVerdict
    case .unexpectedCertificate: signature.thirdCertificateVerdict
    case .untrustedChain: signature.chainVerdict
    case .certificateRevoked: signature.revokedVerdict
    case .certificateExpired: signature.expiryVerdict
    case .certificateNotYetValid: signature.earlyVerdict
    case .signatureMismatch: signature.contentVerdict
    case .signingTimeOutsideWindow: signature.windowVerdict
    case .unknownMerchantKey: merchantKey.unknownKeyVerdict
    case .invalidEphemeralKey: Verdict(.invalidEphemeralKey, TokenMember.ephemeralPublicKey.path)
    case .keyUnavailable: Verdict(.keyUnavailable)
    case .decryptionFailed: merchantKey.decryptionVerdict
    case .malformedPayload: facts.payloadProblem?.verdict ?? Verdict(.unexpectedPayload)
    case .applicationDataMismatch: Verdict(.otherOrder, TokenMember.applicationData.path)
    case .currencyMismatch: Verdict(.otherCurrency, facts.otherPayment?.currencyName)
    case .amountMismatch:
      facts.otherPayment?.verdict(expecting: policy.expectations) ?? Verdict(.otherOrder, "transactionAmount")
    case .replayedTransaction: Verdict(.replayedTransaction)
    case .replayStoreFull: Verdict(.replayStoreFull)
    case .replayStoreUnavailable: Verdict(.replayStoreUnavailable)
    }
  }

  /// - Parameters:
  ///   - engine: the engine that found `fault` and `facts`.
  ///   - roots: the roots that it trusts.
  private func signatureDiagnosis(
    _ fault: TokenFault, _ facts: TraceFacts, _ input: Input, _ policy: VerificationPolicy,
    _ engine: ReferenceDecryptor, _ roots: [Certificate]
  ) -> SignatureDiagnosis {
    let request = input.request
    return SignatureDiagnosis(
      breach: breach(fault, facts, input, roots), facts: facts, text: input.text, roots: roots,
      verifies: {
        ReferenceDecryptor.signedDigest(of: request.span, from: policy.envelope, withApplicationData: $0)
          == facts.messageDigest?.found
      },
      areAttributesSigned: { engine.areAttributesSigned(of: request.span, from: policy.envelope) },
      atSigningTime: { signatureAtSigningTime(input, policy, engine, roots) },
      underApple: {
        (try? ReferenceDecryptor(keys: keyContext.keys, anchors: .apple)).map {
          signatureAtSigningTime(input, policy, $0, Explainer.certificates(of: .apple))
        }
      },
      expectedApplicationData: policy.expectations.applicationData)
  }

  /// The signature, verified by an engine at the token's signing time.
  private func signatureAtSigningTime(
    _ input: Input, _ policy: VerificationPolicy, _ engine: ReferenceDecryptor, _ roots: [Certificate]
  ) -> SignatureDiagnosis.Attempt {
    let retried = VerificationPolicy(envelope: policy.envelope, freshness: .signingTime)
    let (result, trace) = engine.decryptTraced(input.request.span, at: UnixTime(secondsSinceEpoch: 0), under: retried)
    let facts = TraceFacts(trace)
    guard case .failure(let fault) = result, fault.stage <= .signature else { return .verified }
    guard facts.root != nil else { return .otherChain }
    let diagnosis = signatureDiagnosis(fault, facts, input, policy, engine, roots)
    return .rejected(
      fault.code == .signatureMismatch ? diagnosis.contentVerdict : diagnosis.verdict(.signerCertificateExpired))
  }

  private func notes(_ opened: DecryptedToken, _ facts: TraceFacts, _ policy: VerificationPolicy) -> [Note] {
    var notes = notes(opened.payment)
    if facts.isFromSandbox { notes.append(Note(.sandboxSigner)) }
    switch policy.freshness {
    case .window: break
    case .windowOff, .signingTime: notes.append(Note(.ageUnchecked))
    }
    return notes + certificateNotes(opened)
  }

  private func notes(_ payment: Payment) -> [Note] {
    switch payment.paymentData {
    case .threeDSecure(_, nil): [Note(.eciIndicatorMissing)]
    case .threeDSecure: []
    case .emv: [Note(.emvPayload)]
    }
  }

  private func certificateNotes(_ opened: DecryptedToken) -> [Note] {
    let keys = (0..<keyContext.keys.count).map { keyContext.keys[$0] }
    guard let used = keys.first(where: { $0.publicKeyHash == opened.publicKeyHash }),
      let certificate = used.certificate
    else { return [] }
    var notes: [Note] = []
    if certificate.notAfter < opened.verifiedAt { notes.append(Note(.merchantCertificateExpired, used.words)) }
    let newer = keys.first { other in
      guard let candidate = other.certificate, other.publicKeyHash != used.publicKeyHash else { return false }
      return other.merchantIDHash == used.merchantIDHash && certificate.notBefore < candidate.notBefore
        && candidate.notBefore <= opened.signedAt
    }
    if let newer { notes.append(Note(.newerCertificateUnused, newer.words)) }
    return notes
  }
}

/// The checks that the search for further problems leaves out, one more in each round.
private struct RelaxedChecks {
  /// The verification time.
  var now: UnixTime
  var expectations: Expectations

  /// Leaves out the check that reports a fault.
  ///
  /// - Returns: false if that check cannot be left out.
  mutating func passOver(_ fault: TokenFault, _ facts: TraceFacts) -> Bool {
    switch fault.code {
    case .certificateExpired, .certificateNotYetValid, .signingTimeOutsideWindow:
      guard let time = facts.timeWithinValidity else { return false }
      now = time
    case .applicationDataMismatch: expectations.applicationData = nil
    case .currencyMismatch: expectations.currencyCode = nil
    case .amountMismatch: expectations.transactionAmount = nil
    default: return false
    }
    return true
  }
}
