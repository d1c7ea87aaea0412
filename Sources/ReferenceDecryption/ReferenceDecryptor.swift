import COpenSSL
import CSodium
public import MerchantKeys
public import PaymentToken

/// The textbook engine: each stage of Docs/Verification.md a function, in that order, nothing remembered between tokens.
///
/// It is what a faster engine is proved against, so it is written to be compared with the rules by eye.
public struct ReferenceDecryptor: TokenDecryptor {
  let keys: MerchantKeySet
  private let roots: [Certificate]

  public var name: String { "reference" }

  /// An engine for these merchants that trusts these roots.
  ///
  /// - Throws: `TrustAnchorError` for a root that breaks rules 5.13-5.18.
  public init(keys: MerchantKeySet, anchors: TrustAnchors) throws(TrustAnchorError) {
    precondition(sodium_init() >= 0, "libsodium cannot be used")
    var roots: [Certificate] = []
    for (index, der) in anchors.certificates.enumerated() {
      do { roots.append(try Certificate(der: der)) } catch { throw TrustAnchorError(index: index) }
    }
    self.keys = keys
    self.roots = roots
  }

  public func decrypt(
    _ token: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    try decryptTraced(token, at: now, under: policy).result.get()
  }

  public func decryptUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> TokenUnderUnsignedPolicy {
    .signed(try decrypt(request, at: now, under: policy))
  }

  /// The same with an account of the way there; the trace is complete whatever the result.
  public func decryptTraced(
    _ token: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) -> (result: Result<DecryptedToken, TokenFault>, trace: Trace) {
    // What OpenSSL queues of refused tokens is nobody else's concern.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    var trace = Trace()
    do throws(TokenFault) {
      let token = try decrypt(token, at: now, under: policy, trace: &trace)
      trace.succeed()
      return (.success(token), trace)
    } catch {
      trace.fail(error)
      return (.failure(error), trace)
    }
  }

  private func decrypt(
    _ token: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy, trace: inout Trace
  ) throws(TokenFault) -> DecryptedToken {
    typealias Stages = ReferenceDecryptor

    try Stages.checkSize(of: token, trace: &trace)
    let document = try Stages.readJSON(WipedBytes(token), trace: &trace)
    let text = try Stages.readShape(document, trace: &trace)
    let fields = try Stages.decodeMembers(text, trace: &trace)

    let signedData = try Stages.readSignature(fields, trace: &trace)
    let signedAt = signedData.signer.attributes.signingTime
    let time = policy.freshness.verificationTime(now: now, signedAt: signedAt)
    let certificates = try Stages.selectCertificates(of: signedData, roots: roots, trace: &trace)
    let chain = try Stages.verifyChain(
      certificates, version: fields.version, roots: roots, revoked: policy.revoked, at: time, trace: &trace)
    try Stages.verifySignature(signedData.signer, chain: chain, fields: fields, trace: &trace)
    try Stages.checkSigningTime(signedAt, at: time, freshness: policy.freshness, trace: &trace)

    let keyIndex = try Stages.findMerchantKey(fields, in: keys, trace: &trace)
    let key =
      switch fields.version {
      case .ecV1: try Stages.deriveSymmetricKey(fields, from: keys, at: keyIndex, trace: &trace)
      case .rsaV1: Stages.unwrapSymmetricKey(fields, from: keys, at: keyIndex, trace: &trace)
      }
    defer { key.wipe() }
    let plaintext = try Stages.decryptData(fields.data, key: key, trace: &trace)
    defer { plaintext.wipe() }
    let payloadDocument = try Stages.readPayloadJSON(plaintext, trace: &trace)
    defer { payloadDocument.wipe() }
    let payload = try Stages.readPayload(payloadDocument, version: fields.version)
    try Stages.checkExpectations(policy, fields: fields, payload: payload, now: now, trace: &trace)

    return DecryptedToken(
      envelope: Envelope.apple.name, version: fields.version, transactionId: fields.transactionId,
      publicKeyHash: fields.publicKeyHash, ephemeralPublicKey: fields.version == .ecV1 ? fields.keyField : nil,
      applicationData: fields.applicationData, signedAt: signedAt, verifiedAt: time, payment: payload.payment,
      plaintext: Array(plaintext.all))
  }
}

extension Freshness {
  /// The time that certificates and the window are measured by.
  fileprivate func verificationTime(now: UnixTime, signedAt: UnixTime) -> UnixTime {
    switch self {
    case .window, .windowOff: now
    case .signingTime: signedAt
    }
  }
}
