import PaymentToken
import TokenScanning

/// One token whose stages can be done again one by one, to learn what each costs: the functions that `decrypt` calls, in its
/// order, with what lies between two of them kept.
///
/// Holds a plaintext and its key for as long as it lives: for tokens of test keys.
package struct StagedDecryption: ~Copyable {
  /// A part of the way from token to payment.
  package enum Stage: String, CaseIterable, Sendable {
    /// Stages 1 to 3.
    case json
    /// Stage 4.
    case encodings
    /// Stage 5 but for certificates.
    case cms
    /// The rest of 5, 6 and 7, with the chain known.
    case chain
    /// Stage 8.
    case signature
    /// Stages 10 and 11.
    case key
    /// Stage 12.
    case decryption
    /// Stages 13 and 14.
    case payload
    /// Secrets and plaintext overwritten.
    case wipe
  }

  private let engine: FastDecryptor
  private let token: [UInt8]
  private let now: UnixTime
  private let policy: VerificationPolicy
  private var workspace: Workspace
  // What each stage leaves to those after it.
  private var fields: TokenFields?
  private var decoded: DecodedToken?
  private var signedData: SignedDataView?
  private var chain: FoundChain?
  private var payload: PayloadFields?

  /// Nil when there is no memory for a workspace.
  package init?(_ token: [UInt8], engine: FastDecryptor, at now: UnixTime, under policy: VerificationPolicy) {
    guard let workspace = Workspace() else { return nil }
    self.engine = engine
    self.token = token
    self.now = now
    self.policy = policy
    self.workspace = workspace
  }

  /// Does one stage; those before it must have been done.
  package mutating func run(_ stage: Stage) throws(TokenFault) {
    switch stage {
    case .json: fields = try TokenFields(scanning: token.span)
    case .encodings: decoded = try workspace.decode(try Self.done(fields), of: token.span)
    case .cms:
      let decoded = try Self.done(decoded)
      signedData = try workspace.signedData(decoded.signatureCount, version: decoded.version)
    case .chain:
      let chain = try engine.chain(of: try Self.done(signedData), for: try Self.done(decoded), in: &workspace)
      try chain.verified.check(at: time(try Self.done(signedData)), revoked: policy.revoked)
      self.chain = chain
    case .signature:
      let chain = try Self.done(chain)
      let signer = chain.verified.signer
      try workspace.checkSignature(
        try Self.done(signedData).signer, of: try Self.done(decoded), by: signer,
        table: signer.table(among: engine.tables))
      engine.remember(chain, in: &workspace)
    case .key: try agree(on: try Self.done(decoded).content)
    case .decryption: try workspace.decrypt(try Self.done(decoded).content)
    case .payload: try readPayload(of: try Self.done(decoded))
    case .wipe: workspace.wipe(plaintextCount: try Self.done(decoded).content.ciphertextCount)
    }
  }

  /// Whether the engine did not have to verify the certificates, once `chain` is done.
  package var hasKnownChain: Bool { chain?.isKnown ?? false }

  /// The octets of the plaintext as it lies in the workspace.
  package var plaintext: [UInt8] {
    guard let decoded else { return [] }
    return workspace.plaintext.span.extracting(first: decoded.content.ciphertextCount).withUnsafeBufferPointer {
      [UInt8]($0)
    }
  }

  /// A stage asked for before what it needs is decided as what it would find there: nothing.
  private static func done<Value>(_ value: Value?) throws(TokenFault) -> Value {
    guard let value else { throw TokenFault(.missingMember) }
    return value
  }

  private func time(_ signedData: SignedDataView) -> UnixTime {
    switch policy.freshness {
    case .window, .windowOff: now
    case .signingTime: signedData.signer.attributes.signingTime
    }
  }

  private mutating func agree(on content: EncryptedContent) throws(TokenFault) {
    guard let index = engine.keys.index(of: content.publicKeyHash, for: content.version) else {
      throw TokenFault(.unknownMerchantKey)
    }
    switch content.version {
    case .ecV1: try workspace.agreeOnKey(content, with: engine.keys, at: index)
    case .rsaV1: workspace.unwrapKey(content, with: engine.keys, at: index)
    }
  }

  private mutating func readPayload(of decoded: DecodedToken) throws(TokenFault) {
    let count = decoded.content.ciphertextCount
    let fields = try PayloadFields(
      scanning: workspace.plaintext.span.extracting(first: count), version: decoded.version)
    try policy.check(
      decoded, from: TokenOrigin(WrappedToken(unwrapped: Envelope.apple.name)), fields,
      in: workspace.plaintext.span.extracting(first: count), at: now)
    payload = fields
  }
}
