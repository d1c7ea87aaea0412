import COpenSSL
import CSecrecy
import PaymentToken

/// ECDH on P-256 with everything cached but the scalar (NIST SP 800-56A 5.7.1.2; SEC 1 3.3.1).
///
/// `EC_POINT_mul` of one point without a generator term runs in constant time on libcrypto's P-256 assembly.
struct P256KeyAgreement: ~Copyable {
  private let group: OpaquePointer
  private let peer: OpaquePointer
  private let product: OpaquePointer
  private let scalar: OpaquePointer
  private let x: OpaquePointer
  private let context: OpaquePointer
  /// A block of the size that libcrypto will ask for.
  private var spare: UnsafeMutableRawPointer?

  /// Bytes of an uncompressed point, of a scalar and of the shared secret.
  static var pointSize: Int { 65 }
  static var scalarSize: Int { 32 }
  static var secretSize: Int { 32 }
  private static var spareSize: Int { scalarSize + 1 }

  /// Nil when libcrypto has no memory or no P-256.
  init?() {
    guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
    let peer = EC_POINT_new(group)
    let product = EC_POINT_new(group)
    let scalar = BN_new()
    let x = BN_new()
    let context = BN_CTX_new()
    guard let peer, let product, let scalar, let x, let context else {
      BN_CTX_free(context)
      BN_free(x)
      BN_free(scalar)
      EC_POINT_free(product)
      EC_POINT_free(peer)
      EC_GROUP_free(group)
      return nil
    }
    BN_set_flags(scalar, BN_FLG_CONSTTIME)
    (self.group, self.peer, self.product) = (group, peer, product)
    (self.scalar, self.x, self.context) = (scalar, x, context)
    spare = CRYPTO_malloc(Self.spareSize, nil, 0)
  }

  deinit {
    CRYPTO_free(spare, nil, 0)
    BN_CTX_free(context)
    BN_clear_free(x)
    BN_clear_free(scalar)
    EC_POINT_clear_free(product)
    EC_POINT_free(peer)
    EC_GROUP_free(group)
  }

  /// Reads the peer's uncompressed point; false when a coordinate is not below p or the point is off the curve.
  mutating func setPeer(_ point: UnsafePointer<UInt8>) -> Bool {
    guard EC_POINT_oct2point(group, peer, point, Self.pointSize, context) == 1 else {
      ERR_clear_error()
      return false
    }
    return true
  }

  /// Writes the x-coordinate of scalar times peer, 32 bytes with leading zeros, and wipes what led to it.
  mutating func deriveSecret(
    scalar bytes: UnsafePointer<UInt8>, into secret: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    defer { wipe() }
    guard load(bytes), multiply(),
      EC_POINT_get_affine_coordinates(group, product, x, nil, context) == 1,
      BN_bn2binpad(x, secret, Int32(Self.secretSize)) == Int32(Self.secretSize)
    else {
      ERR_clear_error()
      return false
    }
    return true
  }

  /// BN_bin2bn passes over leading zeros one by one, and so takes a time of its own for a scalar that has some. A byte of
  /// 1 before the scalar leaves it none, and is masked off again.
  private func load(_ bytes: UnsafePointer<UInt8>) -> Bool {
    var padded = InlineArray<33, UInt8>(repeating: 1)
    var span = padded.mutableSpan
    return span.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      defer { OPENSSL_cleanse(start, buffer.count) }
      (start + 1).update(from: bytes, count: Self.scalarSize)
      return BN_bin2bn(start, Int32(buffer.count), scalar) != nil
        && BN_mask_bits(scalar, Int32(8 * Self.scalarSize)) == 1
    }
  }

  /// libcrypto's P-256 copies the scalar to a block of 33 bytes that it frees unwiped (`p_str` in ecp_nistz256.c).
  ///
  /// Allocators hand out the block of a size that was freed last: libcrypto is handed the spare one, which is taken back
  /// and wiped.
  private mutating func multiply() -> Bool {
    CRYPTO_free(spare, nil, 0)
    let isDone = EC_POINT_mul(group, product, nil, peer, scalar, context) == 1
    spare = CRYPTO_malloc(Self.spareSize, nil, 0)
    OPENSSL_cleanse(spare, spare == nil ? 0 : Self.spareSize)
    return isDone
  }

  /// The product is overwritten with a public point: libcrypto clears points only when it frees them. Its functions leave
  /// numbers on the stack.
  private func wipe() {
    assay_wipe_stack()
    BN_clear(scalar)
    BN_clear(x)
    _ = EC_POINT_copy(product, EC_GROUP_get0_generator(group))
  }
}
