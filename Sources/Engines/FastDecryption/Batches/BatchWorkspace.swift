import CP256
import PaymentToken
import TokenScanning

/// What one thread decrypts batches with: made once, so that a token costs no allocation. Some 550 kB.
///
/// Holds nothing secret of a token between two calls. Any engine may use it.
public struct BatchWorkspace: ~Copyable {
  /// For what is done one token at a time.
  var workspace: Workspace
  /// How each request of the window stands.
  var outcomes: [WindowOutcome] = []
  /// The tokens that were read up to stage 7 at least, in the order of the requests.
  var tokens: [ReadToken] = []
  /// Key and data of each, side by side.
  let bytes: ByteBuffer
  /// How much of `bytes` is taken.
  var byteCount = 0
  /// The shared secrets, 32 bytes for each token.
  let secrets: ByteBuffer
  /// The signers with tables met so far: asked for once a window, and not counted as in use by every token anew, since
  /// other threads count in the same place.
  var signers: [BatchSigner] = []
  /// Signatures that wait for lanes.
  var signatures: [WaitingSignature] = []
  /// Tokens that wait for lanes, with where their keys stand.
  var agreements: [WaitingAgreement] = []

  /// What the kernel is called with, and what it answers.
  var lanes: [assay_p256_signature] = []
  var agreementLanes: [assay_p256_agreement] = []
  var statuses: [UInt8] = []

  /// Tokens that share lanes. Eight fill them; more share an inversion, and make good for those refused on the way.
  static var window: Int { Int(ASSAY_P256_BATCH) }
  /// Room for the largest token, and for a kilobyte of each of the others.
  private static var byteCapacity: Int { EncryptedContent.maximumSize + 1_024 * window }

  /// Nil when the system or libcrypto has no memory left.
  public init?() {
    let size = P256KeyAgreement.secretSize * Self.window
    guard let workspace = Workspace(), let secrets = ByteBuffer(guardedCapacity: size) else { return nil }
    self.workspace = workspace
    self.secrets = secrets
    bytes = ByteBuffer(capacity: Self.byteCapacity)
    outcomes.reserveCapacity(Self.window)
    tokens.reserveCapacity(Self.window)
    signers.reserveCapacity(Self.window)
    signatures.reserveCapacity(Self.window)
    agreements.reserveCapacity(Self.window)
    lanes.reserveCapacity(Self.window)
    agreementLanes.reserveCapacity(Self.window)
    statuses.reserveCapacity(Self.window)
  }

  /// Whether one more token, of any size, has room.
  var hasRoom: Bool {
    outcomes.count < Self.window && byteCount + EncryptedContent.maximumSize <= Self.byteCapacity
  }

  /// Copies a token's key and data out of the workspace; returns where they lie.
  mutating func keep(_ content: EncryptedContent) -> Int {
    let offset = byteCount
    let count = content.keyCount + content.dataCount
    bytes.address(at: offset, count: count)
      .update(from: workspace.signed.address(at: content.keyOffset, count: count), count: count)
    byteCount += count
    return offset
  }

  /// Copies a token's key and data back to where they were.
  mutating func restore(_ content: EncryptedContent, from offset: Int) {
    let count = content.keyCount + content.dataCount
    workspace.signed.address(at: content.keyOffset, count: count)
      .update(from: bytes.address(at: offset, count: count), count: count)
  }

  /// Whether the token at `index` among those read is not refused.
  func isGood(_ index: Int) -> Bool { outcomes[tokens[index].position].isStanding }

  /// Where the shared secret of the token at `index` among those read lies.
  func secret(at index: Int) -> UnsafeMutablePointer<UInt8> {
    secrets.address(at: index * P256KeyAgreement.secretSize, count: P256KeyAgreement.secretSize)
  }

  /// Empties the window and wipes its secrets.
  mutating func clear() {
    secrets.wipe(P256KeyAgreement.secretSize * tokens.count)
    workspace.cipher.forgetKey()
    outcomes.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    signers.removeAll(keepingCapacity: true)
    signatures.removeAll(keepingCapacity: true)
    agreements.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}

/// How a request of the window stands.
enum WindowOutcome {
  /// Read, and nothing against it so far.
  case standing
  /// Refused, for the first fault in the order of the stages.
  case refused(TokenFault)
  /// Not decided, since its certificates are not known.
  case left

  var isStanding: Bool {
    if case .standing = self { true } else { false }
  }
}

/// A token read up to stage 7 at least.
struct ReadToken {
  /// Its request's place in the window.
  let position: Int
  let origin: TokenOrigin
  let decoded: DecodedToken
  let times: SignatureTimes
  /// Where its key and data lie among the window's bytes.
  let offset: Int
  /// Where the merchant's key stands, if the lanes have made the shared secret.
  var secretKey: Int?
}

/// A signature by a signer with a table.
struct WaitingSignature {
  /// The token's place among those read.
  let token: Int
  let signature: assay_p256_signature
  let digest: Bytes32
  /// Where its signer stands.
  let signer: Int
}

/// A signer of the window.
struct BatchSigner {
  let key: P256SignerKey
  /// What signatures point to: kept until they are verified.
  let table: SignerTable
}

/// A token whose shared secret the lanes are to make.
struct WaitingAgreement {
  /// The token's place among those read.
  let token: Int
  /// Where the merchant's key stands.
  let key: Int
  /// Where the token's key lies among the window's bytes.
  let offset: Int
}
