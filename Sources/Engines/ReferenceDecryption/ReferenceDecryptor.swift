import COpenSSL
import CSodium
public import MerchantKeys
public import PaymentToken

/// The reference engine: one function for each stage of Docs/Verification.md, called in order, without state between
/// tokens.
///
/// Other engines are tested against it, so it is written to be compared with the rules by eye rather than to be fast.
/// `decryptTraced` also returns what each stage found, to `assay explain`.
///
/// ```swift
/// let keys = try MerchantKeySet(files: [KeyFile(name: "merchant.p12", bytes: contents)])
/// let engine = try ReferenceDecryptor(keys: keys, anchors: .apple)
/// let token = try engine.decrypt(request.span, at: now, under: VerificationPolicy())
/// ```
///
/// Secrets (keys, shared secrets, plaintext) are wiped before every return. Any number of threads may share an engine.
public struct ReferenceDecryptor: TokenDecryptor {
  let keys: MerchantKeySet
  let roots: [Certificate]
  /// Nil unless a harness made this engine.
  private let reuse: SignatureReuse?

  /// `reference`.
  public var name: String { "reference" }

  /// Makes an engine that opens tokens with `keys` and trusts the roots in `anchors`.
  ///
  /// - Throws: `EngineError` for a root that `Certificate` refuses, for an algorithm that libcrypto does not give, or
  ///   if libsodium cannot be initialized.
  public init(keys: MerchantKeySet, anchors: TrustAnchors) throws(EngineError) {
    try self.init(keys: keys, anchors: anchors, reuse: nil)
  }

  /// An engine for a harness that runs the complete engine on a sample of the same tokens.
  ///
  /// It differs from the complete engine in two ways: `reuse` may return the result of an earlier signature check with
  /// the same inputs, and OpenSSL's cross-check is left out. It decides the same rules. Only this package can make such
  /// an engine.
  ///
  /// - Throws: like ``init(keys:anchors:)``.
  package init(
    keys: MerchantKeySet, anchors: TrustAnchors, reusing reuse: @escaping SignatureReuse
  ) throws(EngineError) {
    try self.init(keys: keys, anchors: anchors, reuse: reuse)
  }

  private init(keys: MerchantKeySet, anchors: TrustAnchors, reuse: SignatureReuse?) throws(EngineError) {
    if let failure = Cryptography.failure { throw failure }
    // It fails if its lock fails. Without getrandom(2) and /dev/urandom, libsodium ends the process instead.
    guard sodium_init() >= 0 else { throw .cryptographyUnavailable(algorithm: "libsodium's random numbers") }
    var roots: [Certificate] = []
    for (index, der) in anchors.certificates.enumerated() {
      do { roots.append(try Certificate(der: der)) } catch { throw EngineError.malformedRoot(index: index) }
    }
    self.keys = keys
    self.roots = roots
    self.reuse = reuse
  }

  /// Verifies and decrypts one token; see `TokenDecryptor.decrypt(_:at:under:)`.
  ///
  /// - Throws: `TokenFault` for the first rule that the token breaks.
  public func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    try decryptTraced(request, at: now, under: policy).result.get()
  }

  /// Verifies and decrypts one token, which may be unsigned; see `TokenDecryptor.decryptAllowingUnsigned(_:at:under:)`.
  ///
  /// - Throws: `TokenFault` for the first rule that the token breaks.
  public func decryptAllowingUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> SignedOrUnsignedToken {
    try decryptAllowingUnsignedTraced(request, at: now, under: policy).result.get()
  }

  /// Decrypts like `decrypt` and records what each stage found. The trace is complete whatever the result.
  package func decryptTraced(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) -> (result: Result<DecryptedToken, TokenFault>, trace: Trace) {
    traced(request, under: policy) { (extracted, trace) throws(TokenFault) in
      try decrypt(extracted, in: request, at: now, under: policy, trace: &trace)
    }
  }

  /// Decrypts like `decryptAllowingUnsigned` and records what each stage found. The trace is complete whatever the
  /// result.
  package func decryptAllowingUnsignedTraced(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) -> (result: Result<SignedOrUnsignedToken, TokenFault>, trace: Trace) {
    traced(request, under: policy) { (extracted, trace) throws(TokenFault) in
      if let parts = extracted.unsignedParts {
        return .unsigned(try decrypt(unsigned: parts, of: extracted, under: policy, trace: &trace))
      }
      return .signed(try decrypt(extracted, in: request, at: now, under: policy, trace: &trace))
    }
  }

  /// Stage 0, then `body` with the extracted token.
  private func traced<Token>(
    _ request: Span<UInt8>, under policy: VerificationPolicy,
    _ body: (ExtractedRequest, inout Trace) throws(TokenFault) -> Token
  ) -> (result: Result<Token, TokenFault>, trace: Trace) {
    // The verification may leave errors in OpenSSL's queue, which are dropped. The caller's errors stay.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    var trace = Trace()
    do throws(TokenFault) {
      let extracted = try ReferenceDecryptor.extract(request, from: policy.envelope, trace: &trace)
      let token = try body(extracted, &trace)
      trace.succeed()
      return (.success(token), trace)
    } catch {
      let fault = error.code.dependsOnLibcrypto ? Cryptography.refusal(error.code) : error
      trace.fail(fault)
      return (.failure(fault), trace)
    }
  }

  /// Stages 1 to 14.
  private func decrypt(
    _ extracted: ExtractedRequest, in request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy,
    trace: inout Trace
  ) throws(TokenFault) -> DecryptedToken {
    let fields = try Self.readFields(extracted.content, in: request, trace: &trace)
    let (signedAt, time, isFromSandbox) = try verify(fields, at: now, under: policy, trace: &trace)
    return try open(fields.sealed, trace: &trace) { (payload, plaintext, trace) throws(TokenFault) in
      try Self.checkExpectations(
        policy, fields: fields, transactionFields: extracted.transactionFields, payload: payload, now: now,
        trace: &trace)
      return DecryptedToken(
        envelope: extracted.envelope, version: fields.version, transactionId: fields.transactionId,
        publicKeyHash: fields.sealed.publicKeyHash, ephemeralPublicKey: fields.sealed.ephemeralPublicKey,
        applicationData: fields.applicationData, signedAt: signedAt, verifiedAt: time,
        isFromSandbox: isFromSandbox, payment: payload.payment, plaintext: Array(plaintext.all))
    }
  }

  /// Stages 5 to 9.
  @discardableResult
  func verify(
    _ fields: TokenFields, at now: UnixTime, under policy: VerificationPolicy, trace: inout Trace
  ) throws(TokenFault) -> (signedAt: UnixTime, verifiedAt: UnixTime, isFromSandbox: Bool) {
    let signedData = try Self.readSignature(fields, trace: &trace)
    let signedAt = signedData.signer.attributes.signingTime
    let time = policy.freshness.verificationTime(now: now, signedAt: signedAt)
    let certificates = try Self.selectCertificates(of: signedData, roots: roots, trace: &trace)
    let chain = try Self.verifyChain(
      certificates, version: fields.version, roots: roots, revoked: policy.revoked, at: time, reusing: reuse,
      trace: &trace)
    try Self.verifySignature(signedData.signer, chain: chain, fields: fields, reusing: reuse, trace: &trace)
    try Self.checkSigningTime(signedAt, at: time, under: policy, trace: &trace)
    return (signedAt, time, DecryptedToken.isSandbox(subject: chain.leaf.subject.span))
  }

  /// Stages 1 to 14 under the unsigned policy: 5 to 9 are skipped.
  private func decrypt(
    unsigned parts: EnvelopeParts, of extracted: ExtractedRequest, under policy: VerificationPolicy,
    trace: inout Trace
  ) throws(TokenFault) -> UnsignedToken {
    let fields = try Self.readUnsignedFields(
      parts, remembersTransactions: policy.freshness.remembersTransactions, trace: &trace)
    trace.omit(.signatureShape ... .signingTime)
    return try open(fields, trace: &trace) { (payload, plaintext, trace) throws(TokenFault) in
      try Self.checkUnsignedExpectations(
        policy.expectations, transactionFields: extracted.transactionFields, payload: payload, trace: &trace)
      return UnsignedToken(
        envelope: extracted.envelope, publicKeyHash: fields.publicKeyHash, payment: payload.payment,
        plaintext: Array(plaintext.all))
    }
  }

  /// Stages 10 to 13, then `body` with the payload and the plaintext, both of which are wiped before this returns.
  private func open<Token>(
    _ fields: SealedFields, trace: inout Trace,
    _ body: (Payload, WipedBytes, inout Trace) throws(TokenFault) -> Token
  ) throws(TokenFault) -> Token {
    let plaintext = try decrypt(fields, trace: &trace)
    defer { plaintext.wipe() }
    let payloadDocument = try Self.readPayloadJSON(plaintext, trace: &trace)
    defer { payloadDocument.wipe() }
    let payload = try Self.readPayload(payloadDocument, version: fields.version, trace: &trace)
    return try body(payload, plaintext, &trace)
  }

  /// Stages 10 to 12; the caller wipes the plaintext.
  func decrypt(_ fields: SealedFields, trace: inout Trace) throws(TokenFault) -> WipedBytes {
    let keyIndex = try Self.findMerchantKey(fields, in: keys, trace: &trace)
    let key =
      switch fields.version.rules.keyTransport {
      case .ephemeral: try Self.deriveSymmetricKey(fields, from: keys, at: keyIndex, trace: &trace)
      case .wrapped: try Self.unwrapSymmetricKey(fields, from: keys, at: keyIndex, trace: &trace)
      }
    defer { key.wipe() }
    return try Self.decryptData(fields.data, key: key, trace: &trace)
  }
}

extension TokenFault.Code {
  /// Whether the fault may result from a failed call of libcrypto.
  fileprivate var dependsOnLibcrypto: Bool {
    [.untrustedChain, .signatureMismatch, .invalidEphemeralKey, .decryptionFailed].contains(self)
  }
}

extension ReferenceDecryptor {
  /// Stages 1 to 4.
  static func readFields(
    _ content: ExtractedRequest.Content, in request: Span<UInt8>, trace: inout Trace
  ) throws(TokenFault) -> TokenFields {
    let text: TokenText
    switch content {
    case .request:
      try checkSize(ofToken: request.count, trace: &trace)
      text = try readShape(readJSON(WipedBytes(request), trace: &trace), trace: &trace)
    case .token(let bytes):
      try checkSize(ofToken: bytes.count, trace: &trace)
      text = try readShape(readJSON(bytes, trace: &trace), trace: &trace)
    case .parts(let parts):
      // 0.8: stage 0 has already read the parts as JSON, so stage 2 has nothing to check.
      try checkSize(ofToken: parts.size, trace: &trace)
      text = try readShape(parts, trace: &trace)
    }
    return try decodeMembers(text, trace: &trace)
  }

  /// Stages 1 to 4 of unsigned parts.
  static func readUnsignedFields(
    _ parts: EnvelopeParts, remembersTransactions: Bool, trace: inout Trace
  ) throws(TokenFault) -> SealedFields {
    try checkSize(ofToken: parts.size, trace: &trace)
    let text = try readUnsignedShape(parts, remembersTransactions: remembersTransactions, trace: &trace)
    return try decodeMembers(text, trace: &trace)
  }
}

extension Freshness {
  /// The verification time, for certificates and the window.
  fileprivate func verificationTime(now: UnixTime, signedAt: UnixTime) -> UnixTime {
    switch self {
    case .window, .windowOff: now
    case .signingTime: signedAt
    }
  }

  /// Whether replays are detected.
  var remembersTransactions: Bool {
    if case .window(_, .some) = self { return true }
    return false
  }
}
