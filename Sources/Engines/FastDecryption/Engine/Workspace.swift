import COpenSSL
import PaymentToken
import TokenScanning

/// The buffers and contexts one thread decrypts with: made once, so that a token costs no allocation.
///
/// Holds nothing secret of a token between two calls; about 400 kB, and 460 kB more from the first request on whose
/// token is written with escapes or in base64.
///
/// Any engine may use it: what one of them left in it decides nothing in another.
public struct Workspace: ~Copyable {
  /// Content of a string that was written with escapes.
  var text: ByteBuffer
  /// The decoded signature.
  var cms: ByteBuffer
  /// ephemeralPublicKey or wrappedKey ‖ data ‖ transactionId ‖ applicationData, decoded: the signed bytes in one piece.
  var signed: ByteBuffer
  /// A decoded member on its way to its place.
  var small: ByteBuffer
  /// A token that a request holds in a string with escapes; without capacity until there is one.
  var unescaped = ByteBuffer(capacity: 0)
  /// A token that a request holds in base64; likewise.
  var decodedToken = ByteBuffer(capacity: 0)
  /// What reads the requests of each selection of envelopes.
  var readers: [EnvelopeReader] = []
  /// The plaintext.
  var plaintext: ByteBuffer
  /// Content key and what leads to it.
  var secrets: SecretBuffer
  var agreement: P256KeyAgreement
  /// AES-256-GCM for EC_v1.
  var cipher: ContentCipher
  var unwrapping: RSAKeyUnwrapping
  /// AES-128-GCM for RSA_v1.
  var cipher128: ContentCipher
  var verifier: SignatureVerifier
  /// The chain used last, found without asking the shared cache; worth something only to the engine that verified it.
  var lastChain: VerifiedChain?

  /// Room for the longest string a token can hold and for what it decodes to.
  private static var textCapacity: Int { TokenFields.maximumTokenSize }

  /// Nil when the system or libcrypto has no memory left.
  public init?() {
    let capacity = Self.textCapacity
    guard let plaintext = ByteBuffer(guardedCapacity: capacity), let secrets = SecretBuffer(),
      let agreement = P256KeyAgreement(), let cipher = ContentCipher(.aes256), let verifier = SignatureVerifier(),
      let unwrapping = RSAKeyUnwrapping(), let cipher128 = ContentCipher(.aes128)
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
    self.verifier = verifier
  }
}

/// The guarded bytes that lead to a content key, wiped as one.
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
  private static var size: Int { encodedOffset + VersionTraits.largestKey }

  /// Nil when there is no memory.
  package init?() {
    guard let bytes = ByteBuffer(guardedCapacity: Self.size) else { return nil }
    self.bytes = bytes
  }

  /// The input of the KDF (11.2), once Z lies in it with all else around it.
  var derivation: Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.span.extracting(0..<Self.derivationSize) }
  }

  /// Writes what stands before and behind Z in the input of the KDF.
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
  var sharedSecret: UnsafeMutablePointer<UInt8> { bytes.address(at: Self.sharedSecretOffset, count: 32) }
  /// The AES key, 32 bytes for EC_v1, the first 16 of them for RSA_v1.
  package var key: UnsafeMutablePointer<UInt8> { bytes.address(at: Self.keyOffset, count: 32) }
  /// What OAEP gave, 16 bytes.
  var unwrapped: UnsafeMutablePointer<UInt8> { bytes.address(at: Self.unwrappedOffset, count: 16) }
  /// The random key that takes the place of one that cannot be unwrapped, 16 bytes.
  var fallback: UnsafeMutablePointer<UInt8> { bytes.address(at: Self.fallbackOffset, count: 16) }
  /// The OAEP encoding, as long as the modulus, 512 bytes at most.
  var encoded: UnsafeMutablePointer<UInt8> {
    bytes.address(at: Self.encodedOffset, count: Self.size - Self.encodedOffset)
  }

  /// Overwrites all of it.
  package func wipe() {
    bytes.wipe(Self.size)
  }
}

/// Workspaces for callers that keep none of their own: as many as were ever in use at once.
final class WorkspacePool: Sendable {
  /// A workspace in the hands of one caller.
  ///
  /// `@unchecked Sendable`: the pool hands a lease to one caller at a time.
  final class Lease: @unchecked Sendable {
    var workspace: Workspace

    init() {
      guard let workspace = Workspace() else { fatalError("no memory left for a decryption workspace") }
      self.workspace = workspace
    }
  }

  private let idle = Guarded<[Lease]>([])

  func lease() -> Lease {
    idle.withLock { $0.popLast() } ?? Lease()
  }

  func giveBack(_ lease: Lease) {
    idle.withLock { $0.append(lease) }
  }
}
