import CP256
import PaymentToken
import TokenScanning

/// The buffers that one thread decrypts batches with, about 285 kB with guard pages. They are reused for each batch.
///
/// Holds no secrets between two calls. Any engine can use it; results do not depend on the engine that used it before.
public struct BatchWorkspace: ~Copyable {
  /// For the stages that are decided token by token.
  var workspace: Workspace
  /// The state of each request of the window.
  var outcomes: [WindowOutcome] = []
  /// The tokens that passed `FastDecryptor.read`, in the order of the requests.
  var tokens: [ReadToken] = []
  /// Key and data of each token, one after the other.
  let bytes: ByteBuffer
  /// The used part of `bytes`.
  var byteCount = 0
  /// The shared secrets, 32 bytes for each token.
  let secrets: ByteBuffer
  /// Signatures that wait for the lanes.
  var signatures: [WaitingSignature] = []
  /// Key agreements that wait for the lanes.
  var agreements: [WaitingAgreement] = []

  // The kernel's arguments and results.
  var lanes: [assay_p256_signature] = []
  var agreementLanes: [assay_p256_agreement] = []
  /// The kernel's statuses of the last signatures or agreements. They are not secret.
  package internal(set) var statuses: [UInt8] = []

  /// The maximum number of requests in a window. Eight fill the lanes. With more, one modular inversion serves all of
  /// them, and the lanes are filled even if some tokens are rejected.
  static var window: Int { Int(ASSAY_P256_BATCH) }
  /// Room for one token of the largest size and a window of tokens of 1 kB.
  private static var byteCapacity: Int { EncryptedContent.maximumSize + 1_024 * window }

  /// Allocates the buffers; nil if the system or libcrypto is out of memory.
  public init?() {
    let size = P256KeyAgreement.secretSize * Self.window
    guard let workspace = Workspace(), let secrets = ByteBuffer(guardedCapacity: size) else { return nil }
    self.workspace = workspace
    self.secrets = secrets
    bytes = ByteBuffer(capacity: Self.byteCapacity)
    outcomes.reserveCapacity(Self.window)
    tokens.reserveCapacity(Self.window)
    signatures.reserveCapacity(Self.window)
    agreements.reserveCapacity(Self.window)
    lanes.reserveCapacity(Self.window)
    agreementLanes.reserveCapacity(Self.window)
    statuses.reserveCapacity(Self.window)
  }

  /// Whether all memory for secrets is zero, as it must be between two calls.
  package var isWiped: Bool { workspace.isWiped && secrets.isZero }

  /// Whether there is room for another token of any size.
  var hasRoom: Bool {
    outcomes.count < Self.window && byteCount + EncryptedContent.maximumSize <= Self.byteCapacity
  }

  /// Copies a token's key and data from the workspace into `bytes`, and returns their offset.
  mutating func keep(_ content: EncryptedContent) -> Int {
    let offset = byteCount
    let count = content.keySize + content.dataSize
    bytes.address(at: offset, count: count)
      .update(from: workspace.signed.address(at: content.keyOffset, count: count), count: count)
    byteCount += count
    return offset
  }

  /// Copies a token's key and data back into the workspace.
  mutating func restore(_ content: EncryptedContent, from offset: Int) {
    let count = content.keySize + content.dataSize
    workspace.signed.address(at: content.keyOffset, count: count)
      .update(from: bytes.address(at: offset, count: count), count: count)
  }

  /// Whether `tokens[index]` is not rejected so far.
  func isPending(_ index: Int) -> Bool { outcomes[tokens[index].position].isPending }

  /// The address of the shared secret of `tokens[index]`, 32 bytes.
  func secret(at index: Int) -> UnsafeMutablePointer<UInt8> {
    secrets.address(at: index * P256KeyAgreement.secretSize, count: P256KeyAgreement.secretSize)
  }

  /// Empties the window and wipes its secrets.
  mutating func clear() {
    secrets.wipe(P256KeyAgreement.secretSize * tokens.count)
    workspace.cipher.forgetKey()
    outcomes.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    signatures.removeAll(keepingCapacity: true)
    agreements.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}

/// The state of a request of the window.
enum WindowOutcome {
  /// Passed the stages decided so far, with the index of its token in `tokens`.
  case pending(token: Int)
  /// Rejected with the first fault in the order of the stages.
  case refused(TokenFault)
  /// Not decided, because it takes long.
  case skipped(SlowReason)

  var isPending: Bool {
    if case .pending = self { true } else { false }
  }
}

/// A token that passed stage 7, and stage 8 unless its signature waits for the lanes.
struct ReadToken {
  /// The index of its request in the window.
  let position: Int
  let origin: TokenOrigin
  let decoded: DecodedToken
  let signature: SignatureFacts
  /// The offset of its key and data in the window's bytes.
  let offset: Int
  /// The index of the merchant's key, once the lanes have computed the shared secret.
  var secretKey: Int?
}

/// A signature that waits for the lanes.
struct WaitingSignature {
  /// The index of its token in `tokens`.
  let token: Int
  let signature: assay_p256_signature
  let digest: Bytes32
  /// Its signer. The window's snapshots retain it, and the table that `signature` refers to.
  let signer: Unmanaged<P256SignerKey>
}

/// A key agreement that waits for the lanes.
struct WaitingAgreement {
  /// The index of its token in `tokens`.
  let token: Int
  /// The index of the merchant's key.
  let key: Int
  /// The offset of the token's key in the window's bytes.
  let offset: Int
}
