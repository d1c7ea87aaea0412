import COpenSSL
import CSecrecy
import PaymentToken

/// ECDH on P-256 by libcrypto, with reused objects (NIST SP 800-56A 5.7.1.2; SEC 1 3.3.1).
///
/// `EC_POINT_mul` of one point without a generator term runs in constant time with libcrypto's P-256 assembly
/// (Scripts/check-secrecy).
package struct P256KeyAgreement: ~Copyable {
  private let group: OpaquePointer
  private let peer: OpaquePointer
  // `package` for the test that they hold no secret after an agreement.
  package let product: OpaquePointer
  package let scalar: OpaquePointer
  package let x: OpaquePointer
  private let context: OpaquePointer
  /// A block of the size that libcrypto allocates for the scalar; see `multiply`.
  package private(set) var spare: UnsafeMutableRawPointer?

  /// The sizes of an uncompressed point, of a scalar and of the shared secret, in bytes.
  static var pointSize: Int { 65 }
  static var scalarSize: Int { 32 }
  static var secretSize: Int { 32 }
  private static var spareSize: Int { scalarSize + 1 }

  /// Nil if libcrypto is out of memory or lacks P-256.
  package init?() {
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
    // libcrypto's P-256 runs in constant time without this flag as well.
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

  /// Sets the peer's public key, an uncompressed point of 65 bytes; false if a coordinate is not below p or the point
  /// is not on the curve.
  package mutating func setPeer(_ point: UnsafePointer<UInt8>) -> Bool {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return EC_POINT_oct2point(group, peer, point, Self.pointSize, context) == 1
  }

  /// Writes the x-coordinate of scalar · peer, 32 bytes, and wipes all intermediate values. False if libcrypto lacks
  /// memory or random numbers.
  package mutating func deriveSecret(
    scalar bytes: UnsafePointer<UInt8>, into secret: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    ERR_set_mark()
    defer {
      wipe()
      ERR_pop_to_mark()
    }
    return load(bytes) && multiply()
      && EC_POINT_get_affine_coordinates(group, product, x, nil, context) == 1
      && BN_bn2binpad(x, secret, Int32(Self.secretSize)) == Int32(Self.secretSize)
  }

  /// Loads the scalar in constant time. `BN_bin2bn` skips leading zero bytes one by one, so its time depends on their
  /// number. A byte of 1 before the scalar prevents that, and `BN_mask_bits` removes it afterwards.
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

  /// libcrypto's P-256 copies the scalar to a block of 33 bytes that it frees without wiping it (`p_str` in
  /// ecp_nistz256.c).
  ///
  /// An allocator reuses the block that was freed last among those of a size. So libcrypto gets the spare block, which
  /// is allocated again and wiped afterwards.
  private mutating func multiply() -> Bool {
    CRYPTO_free(spare, nil, 0)
    let isDone = EC_POINT_mul(group, product, nil, peer, scalar, context) == 1
    spare = CRYPTO_malloc(Self.spareSize, nil, 0)
    if let spare { OPENSSL_cleanse(spare, Self.spareSize) }
    return isDone
  }

  /// Wipes the intermediate values. libcrypto clears points only when it frees them, so the product is overwritten with
  /// a public point. Its functions also leave numbers on the stack.
  private func wipe() {
    assay_wipe_stack()
    BN_clear(scalar)
    BN_clear(x)
    _ = EC_POINT_copy(product, EC_GROUP_get0_generator(group))
  }
}
