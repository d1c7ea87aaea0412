import PaymentToken
import TokenScanning

/// Runs the stages of one token except 0 and 9 separately, so that each can be measured. Calls the functions that
/// `decrypt` calls, in the same order, and keeps their results.
///
/// Holds the content key and the plaintext until the stage `wipe` runs: use it with test keys only.
package struct StagedDecryption: ~Copyable {
  /// A measured part of a decryption.
  package enum Stage: String, CaseIterable, Sendable {
    /// Stages 1 to 3.
    case json
    /// Stage 4.
    case encodings
    /// Stage 5 without the certificates.
    case cms
    /// The rest of stage 5, and stages 6 and 7. `hasKnownChain` says afterwards whether the chain was cached.
    case chain
    /// Stage 8.
    case signature
    /// Stages 10 and 11.
    case key
    /// Stage 12.
    case decryption
    /// Stages 13 and 14.
    case payload
    /// Wiping secrets and plaintext.
    case wipe
  }

  private let engine: FastDecryptor
  private let token: [UInt8]
  private let now: UnixTime
  private let policy: VerificationPolicy
  private var workspace: Workspace
  // The results of the stages.
  private var fields: TokenFields?
  private var decoded: DecodedToken?
  private var signedData: SignedDataView?
  private var claim: SignatureClaim?
  private var payload: PayloadFields?

  /// Nil if there is no memory for a workspace.
  package init?(_ token: [UInt8], engine: FastDecryptor, at now: UnixTime, under policy: VerificationPolicy) {
    guard let workspace = Workspace() else { return nil }
    self.engine = engine
    self.token = token
    self.now = now
    self.policy = policy
    self.workspace = workspace
  }

  /// Runs one stage. The stages before it must have run.
  package mutating func run(_ stage: Stage) throws(TokenFault) {
    switch stage {
    case .json: fields = try TokenFields(scanning: token.span)
    case .encodings: decoded = try workspace.decode(Self.done(fields), of: token.span)
    case .cms:
      let decoded = Self.done(decoded)
      workspace.heldSigners.begin(with: engine.signers)
      signedData = try workspace.signedData(of: decoded)
    case .chain:
      let signedData = Self.done(signedData)
      let chain = try engine.chain(of: signedData, for: Self.done(decoded), in: &workspace)
      claim = try engine.checkedClaim(signedData, by: chain, at: now, under: policy)
    case .signature:
      let claim = Self.done(claim)
      try engine.verifySignature(claim, of: Self.done(decoded), in: &workspace)
    case .key: try workspace.deriveKey(for: Self.done(decoded).content, with: engine.keys)
    case .decryption: try workspace.decrypt(Self.done(decoded).content)
    case .payload: try readPayload(of: Self.done(decoded))
    case .wipe: workspace.wipe(plaintextCount: Self.done(decoded).content.ciphertextCount)
    }
  }

  /// Whether the chain was in the cache when the stage `chain` ran.
  package var hasKnownChain: Bool { claim?.chain.isKnown ?? false }

  /// The plaintext in the workspace.
  package var plaintext: [UInt8] {
    guard let decoded else { return [] }
    return workspace.plaintext.span.extracting(first: decoded.content.ciphertextCount).withUnsafeBufferPointer {
      [UInt8]($0)
    }
  }

  /// The result of an earlier stage. The benchmarks run the stages in order: a missing result is a programming error.
  private static func done<Value>(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("a stage runs before one that it needs") }
    return value
  }

  private mutating func readPayload(of decoded: DecodedToken) throws(TokenFault) {
    let fields = try workspace.payload(of: decoded.content)
    try policy.checkExpectations(
      decoded, from: TokenOrigin(ExtractedToken(bare: Envelope.apple.name)), fields,
      in: workspace.plaintext.span.extracting(first: decoded.content.ciphertextCount), at: now)
    payload = fields
  }
}

/// Stage 5 alone, for fuzzing, which compares it with the reference's reader.
package enum SignatureShape {
  /// The signing time and the message digest of a CMS; nil if it is malformed.
  package static func read(_ cms: Span<UInt8>, version: TokenVersion) -> (signingTime: UnixTime, digest: Bytes32)? {
    do {
      let view = try SignedDataView(cms, version: version)
      let bytes = cms.extracting(view.certificates)
      let certificates = try ChainVerifier.certificates(in: bytes)
      try ChainVerifier.checkSignatureSize(view.signer.signature.count, certificates, version)
      guard let digest = Bytes32(cms, at: view.signer.attributes.messageDigest.lowerBound) else { return nil }
      return (view.signer.attributes.signingTime, digest)
    } catch {
      return nil
    }
  }
}
