import COpenSSL
import PaymentToken
import TokenScanning

/// The buffers and contexts one thread decrypts with: made once, so that a token costs no allocation.
///
/// Holds nothing of a token between two calls; about 400 kB.
///
/// Any engine may use it: what one of them left in it decides nothing in another.
public struct Workspace: ~Copyable {
  /// Content of a string that was written with escapes.
  var text: OctetBuffer
  /// The decoded signature.
  var cms: OctetBuffer
  /// ephemeralPublicKey ‖ data ‖ transactionId ‖ applicationData, decoded: the signed bytes in one piece.
  var signed: OctetBuffer
  /// A decoded member on its way to its place.
  var small: OctetBuffer
  /// The plaintext.
  var plaintext: OctetBuffer
  /// Shared secret and content key.
  var secrets: SecretBuffer
  var agreement: P256KeyAgreement
  var cipher: ContentCipher
  var verifier: SignatureVerifier
  /// The chain used last, found without asking the shared cache; worth something only to the engine that verified it.
  var lastChain: VerifiedChain?

  /// Room for the longest string a token can hold and for what it decodes to.
  private static var textCapacity: Int { TokenFields.maximumTokenSize }

  /// Nil when the system or libcrypto has no memory left.
  public init?() {
    let capacity = Self.textCapacity
    guard let plaintext = OctetBuffer(guardedCapacity: capacity), let secrets = SecretBuffer(),
      let agreement = P256KeyAgreement(), let cipher = ContentCipher(), let verifier = SignatureVerifier()
    else { return nil }
    text = OctetBuffer(capacity: capacity)
    cms = OctetBuffer(capacity: capacity)
    small = OctetBuffer(capacity: capacity)
    signed = OctetBuffer(capacity: SignedContent.maximumSize)
    self.plaintext = plaintext
    self.secrets = secrets
    self.agreement = agreement
    self.cipher = cipher
    self.verifier = verifier
  }
}

/// Where the parts of the signed bytes lie.
struct SignedContent {
  static var keySize: Int { 91 }
  static var maximumSize: Int { keySize + TokenFields.maximumTokenSize + 2 * Octets32.count }

  let dataCount: Int
  let transactionId: Octets32
  let applicationData: Octets32?

  /// One past the last signed octet.
  var count: Int {
    Self.keySize + dataCount + Octets32.count * (applicationData == nil ? 1 : 2)
  }
}

/// The guarded octets of the key derivation, wiped as one.
struct SecretBuffer: ~Copyable {
  private let octets: OctetBuffer

  private static var sharedSecretOffset: Int { 0 }
  private static var keyOffset: Int { 32 }
  private static var size: Int { 64 }

  init?() {
    guard let octets = OctetBuffer(guardedCapacity: Self.size) else { return nil }
    self.octets = octets
  }

  /// Z, 32 octets.
  var sharedSecret: UnsafeMutablePointer<UInt8> { octets.address(at: Self.sharedSecretOffset, count: 32) }
  /// The AES-256 key, 32 octets.
  var key: UnsafeMutablePointer<UInt8> { octets.address(at: Self.keyOffset, count: 32) }

  func wipe() {
    octets.wipe(Self.size)
  }
}
