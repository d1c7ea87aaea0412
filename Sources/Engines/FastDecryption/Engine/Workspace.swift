import COpenSSL
import PaymentToken
import TokenScanning

/// The buffers and libcrypto contexts that one thread decrypts tokens with. Reusing them saves the allocations for each
/// token.
///
/// Each stage has a buffer of the largest size that its rules allow. Public bytes are in ordinary memory; the shared
/// secret, the AES key and the plaintext are in guarded memory (`sodium_malloc`) and wiped before a decryption returns.
/// The workspace also holds the chains and tables that its engine knows: a token whose chain and table are among
/// them takes no lock. Use a workspace with one engine, or with engines that share their caches; each switch to another
/// engine takes a lock.
///
/// The buffers take about 115 kB without guard pages, and up to 115 kB more once a request has contained its token
/// escaped or in base64. They hold no secrets between two calls. Any engine can use a workspace; results do not depend
/// on the engine that used it before.
public struct Workspace: ~Copyable {
  /// The content of a member that is written with escapes.
  var text: ByteBuffer
  /// The decoded signature.
  var cms: ByteBuffer
  /// The signed bytes in one piece: ephemeralPublicKey or wrappedKey ‖ data ‖ transactionId ‖ applicationData, decoded.
  var signed: ByteBuffer
  /// A decoded member, before it is copied to its place in `signed`.
  var small: ByteBuffer
  /// A token that a request contains as a string with escapes. Allocated when the first one arrives.
  var unescaped = ByteBuffer(capacity: 0)
  /// A token that a request contains in base64. Allocated when the first one arrives.
  var decodedToken = ByteBuffer(capacity: 0)
  /// A reader for each selection of envelopes, up to eight; a ninth replaces the oldest.
  var readers: [EnvelopeReader] = []
  var plaintext: ByteBuffer
  /// The content key and the secrets it is derived from.
  var secrets: SecretBuffer
  var agreement: P256KeyAgreement
  /// AES-256-GCM for EC_v1.
  var cipher: ContentCipher
  var unwrapping: RSAKeyUnwrapping
  /// AES-128-GCM for RSA_v1.
  var cipher128: ContentCipher
  var signatureVerifier: SignatureVerifier
  /// The layouts of the signatures parsed last.
  var layouts = KnownLayouts()
  /// The chains and tables of the engine that used the workspace last.
  var heldSigners = HeldSigners()
  /// The chain verified last; nil once stage 8 has added it to the cache. After a rejected token it stays until another
  /// chain is verified.
  var unknownChain: VerifiedChain?

  /// Room for the longest string of a token, and for its decoded form.
  private static var textCapacity: Int { TokenFields.maximumTokenSize }

  /// Allocates the buffers; nil if the system or libcrypto is out of memory.
  public init?() {
    let capacity = Self.textCapacity
    guard let plaintext = ByteBuffer(guardedCapacity: capacity), let secrets = SecretBuffer(),
      let agreement = P256KeyAgreement(), let cipher = ContentCipher(.aes256),
      let signatureVerifier = SignatureVerifier(), let unwrapping = RSAKeyUnwrapping(),
      let cipher128 = ContentCipher(.aes128)
    else { return nil }
    text = ByteBuffer(capacity: capacity)
    cms = ByteBuffer(capacity: capacity)
    small = ByteBuffer(capacity: capacity)
    signed = ByteBuffer(capacity: EncryptedContent.maximumSize)
    self.plaintext = plaintext
    self.secrets = secrets
    self.agreement = agreement
    self.cipher = cipher
    self.unwrapping = unwrapping
    self.cipher128 = cipher128
    self.signatureVerifier = signatureVerifier
  }

  /// Whether all memory for secrets is zero, as it must be between two calls.
  package var isWiped: Bool { plaintext.isZero && secrets.isWiped }
}

/// The content key and the secrets it is derived from, in one block of guarded memory.
package struct SecretBuffer: ~Copyable {
  private let bytes: ByteBuffer

  private static var sharedSecretOffset: Int { counter.count }
  private static var algorithmOffset: Int { sharedSecretOffset + P256KeyAgreement.secretSize }
  private static var merchantOffset: Int { algorithmOffset + algorithmAndPartyU.count }
  private static var derivationSize: Int { merchantOffset + Bytes32.count }
  private static var keyOffset: Int { 96 }
  private static var unwrappedOffset: Int { 128 }
  private static var fallbackOffset: Int { 144 }
  private static var encodedOffset: Int { 160 }
  private static var size: Int { encodedOffset + VersionTraits.largestKeyMemberSize }

  /// Nil when there is no memory.
  package init?() {
    guard let bytes = ByteBuffer(guardedCapacity: Self.size) else { return nil }
    self.bytes = bytes
  }

  /// The input of the KDF (11.2), once the shared secret Z and the fixed parts around it are written.
  var derivation: Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.span.extracting(0..<Self.derivationSize) }
  }

  /// Writes the parts of the KDF's input before and after Z.
  func surroundSharedSecret(with merchantIDHash: Bytes32) {
    write(Self.counter.span, at: 0)
    write(Self.algorithmAndPartyU.span, at: Self.algorithmOffset)
    merchantIDHash.withUnsafeBytes { write($0.bindMemory(to: UInt8.self).span, at: Self.merchantOffset) }
  }

  @inline(__always)
  private func write(_ source: Span<UInt8>, at offset: Int) {
    source.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      bytes.address(at: offset, count: source.count).update(from: start, count: source.count)
    }
  }

  /// Z, 32 bytes.
  package var sharedSecret: UnsafeMutablePointer<UInt8> { bytes.address(at: Self.sharedSecretOffset, count: 32) }
  /// The AES key, 32 bytes for EC_v1, the first 16 of them for RSA_v1.
  package var key: UnsafeMutablePointer<UInt8> { bytes.address(at: Self.keyOffset, count: 32) }
  /// The result of OAEP decoding, 16 bytes.
  package var unwrapped: UnsafeMutablePointer<UInt8> { bytes.address(at: Self.unwrappedOffset, count: 16) }
  /// The random key that replaces a key that cannot be unwrapped, 16 bytes.
  package var fallback: UnsafeMutablePointer<UInt8> { bytes.address(at: Self.fallbackOffset, count: 16) }
  /// The OAEP encoding, as long as the modulus, 512 bytes at most.
  package var encoded: UnsafeMutablePointer<UInt8> {
    bytes.address(at: Self.encodedOffset, count: Self.size - Self.encodedOffset)
  }

  /// Overwrites all bytes with zeros.
  package func wipe() {
    bytes.wipe(Self.size)
  }

  var isWiped: Bool { bytes.isZero }
}

/// Workspaces for calls without a workspace. Keeps as many as were ever used at the same time.
final class WorkspacePool: Sendable {
  /// A workspace that one caller uses.
  ///
  /// `@unchecked Sendable`: the pool gives a lease to one caller at a time.
  final class Lease: @unchecked Sendable {
    var workspace: Workspace

    /// - Throws: `keyUnavailable` if there is no memory for a workspace.
    init() throws(TokenFault) {
      guard let workspace = Workspace() else { throw TokenFault(.keyUnavailable) }
      self.workspace = workspace
    }
  }

  private let idle = Locked<[Lease]>([])

  func lease() throws(TokenFault) -> Lease {
    if let lease = idle.withLock({ $0.popLast() }) { return lease }
    return try Lease()
  }

  func end(_ lease: Lease) {
    idle.withLock { $0.append(lease) }
  }
}
