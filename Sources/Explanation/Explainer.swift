import MerchantKeys
public import PaymentToken
import ReferenceDecryption

/// Tells why a token is refused: runs the reference engine, and looks again at what it refused.
///
/// It reads no clock, no file and no network. A yes to what it tries, such as another merchant ID, accepts no token.
public struct Explainer: Sendable {
  private let engine: ReferenceDecryptor
  private let circumstances: KeyCircumstances
  private let roots: [Certificate]

  /// - Throws: `TrustAnchorError` for a root that breaks the rules for certificates.
  public init(_ circumstances: KeyCircumstances, anchors: TrustAnchors) throws(TrustAnchorError) {
    engine = try ReferenceDecryptor(keys: circumstances.keys, anchors: anchors)
    self.circumstances = circumstances
    roots = anchors.certificates.compactMap { try? Certificate(der: $0) }
  }

  /// Explains one raw token.
  ///
  /// - Parameters:
  ///   - token: the bytes of `PKPaymentToken.paymentData`, or what is taken for them.
  ///   - now: the verification time.
  ///   - policy: what a decryption would have been asked for; a replay store of it is asked, too.
  public func explain(_ token: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy) -> Explanation {
    let (result, trace) = engine.decryptTraced(token, at: now, under: policy)
    let facts = TraceFacts(trace)
    let text = TokenText(token)
    var ladder = Ladder(trace: trace, facts: facts, text: text, roots: roots, keys: circumstances.keys)
    ladder.expectations = policy.expectations
    switch result {
    case .success(let opened):
      return Explanation(
        fault: nil, keyError: nil, checks: ladder.checks, diagnosis: .sound, subject: nil,
        notes: notes(opened, facts, policy))
    case .failure(let fault):
      // Without keys stage 10 decides nothing: what is the matter is why there are none.
      let isKeyError = circumstances.error != nil && fault.stage >= .merchantKey
      ladder.keyError = isKeyError ? circumstances.error : nil
      ladder.input = fault.stage <= .json ? Array(copying: token) : []
      let verdict = verdict(fault, facts, text, token, policy)
      return Explanation(
        fault: isKeyError ? nil : fault, keyError: circumstances.error, checks: ladder.checks,
        diagnosis: verdict.diagnosis, subject: verdict.subject,
        notes: isSandboxProven(fault, facts) && verdict.diagnosis != .sandboxToken ? [Note(.sandboxSigner)] : [])
    }
  }

  private func verdict(
    _ fault: TokenFault, _ facts: TraceFacts, _ text: TokenText?, _ token: Span<UInt8>, _ policy: VerificationPolicy
  ) -> Verdict {
    let input = Array(copying: token)
    switch fault.stage {
    case .envelope, .size, .json, .shape, .encodings:
      return MemberDiagnosis(fault: fault, input: input, text: text).verdict
    case .signatureShape, .certificates, .chain, .signature, .signingTime:
      return SignatureDiagnosis(
        fault: fault, facts: facts, text: text, roots: roots,
        holds: {
          ReferenceDecryptor.signedDigest(of: input.span, from: policy.envelope, withApplicationData: $0)
            == facts.messageDigest?.found
        },
        isApples: { isApples(token: input) },
        expectedApplicationData: policy.expectations.applicationData
      ).verdict
    case .merchantKey, .symmetricKey, .decryption:
      if let error = circumstances.error {
        return KeyErrorDiagnosis(
          error: error, certificates: circumstances.certificates, publicKeyHash: facts.publicKeyHash
        ).verdict
      }
      return MerchantKeyDiagnosis(
        fault: fault, facts: facts, circumstances: circumstances,
        firstOpening: { engine.firstOpening(input.span, from: policy.envelope, withKeyAt: $0, merchantIDHashes: $1) },
        opens: { engine.opens(input.span, from: policy.envelope, withKeyAt: $0) }
      ).verdict
    case .payload: return Verdict(.unexpectedPayload)
    case .expectations: return orderVerdict(fault)
    }
  }

  /// Whether the token passes as far as a verified chain when Apple's root is trusted.
  private func isApples(token: [UInt8]) -> Bool {
    guard let engine = try? ReferenceDecryptor(keys: circumstances.keys, anchors: .apple) else { return false }
    let trace = engine.decryptTraced(
      token.span, at: UnixTime(secondsSinceEpoch: 0), under: VerificationPolicy(freshness: .signingTime)
    ).trace
    return TraceFacts(trace).root != nil
  }

  /// Before the signature has been verified, anybody may have written the leaf's name.
  private func isSandboxProven(_ fault: TokenFault, _ facts: TraceFacts) -> Bool {
    fault.stage > .signature && facts.isFromSandbox
  }

  private func orderVerdict(_ fault: TokenFault) -> Verdict {
    switch fault.code {
    case .applicationDataMismatch: Verdict(.otherOrder, TokenMember.applicationData.path)
    case .currencyMismatch: Verdict(.otherOrder, "currencyCode")
    case .replayedTransaction: Verdict(.replayedTransaction)
    case .replayStoreFull: Verdict(.replayStoreFull)
    default: Verdict(.otherOrder, "transactionAmount")
    }
  }

  private func notes(_ opened: DecryptedToken, _ facts: TraceFacts, _ policy: VerificationPolicy) -> [Note] {
    var notes: [Note] = []
    if case .threeDSecure(_, nil) = opened.payment.paymentData { notes.append(Note(.eciIndicatorMissing)) }
    if facts.isFromSandbox { notes.append(Note(.sandboxSigner)) }
    switch policy.freshness {
    case .window: break
    case .windowOff, .signingTime: notes.append(Note(.ageUnchecked))
    }
    return notes + certificateNotes(opened)
  }

  private func certificateNotes(_ opened: DecryptedToken) -> [Note] {
    let keys = (0..<circumstances.keys.count).map { circumstances.keys[$0] }
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

extension [UInt8] {
  /// The octets of a span.
  init(copying octets: Span<UInt8>) {
    self = octets.withUnsafeBufferPointer { Array($0) }
  }
}
