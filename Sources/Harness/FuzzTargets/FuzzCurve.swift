import COpenSSL
import Minting

/// P-256 by libcrypto, the oracle for the kernels. Numbers are 32 bytes, big-endian; points are x ‖ y.
///
/// When libcrypto fails for lack of memory, the process ends: it could not compare anything.
struct FuzzCurve {
  private let field: ScalarField

  /// Nil when no memory is available.
  init?() {
    guard let field = try? ScalarField() else { return nil }
    self.field = field
  }

  private static func must<Value>(_ make: () throws(MintingError) -> Value) -> Value {
    do {
      return try make()
    } catch {
      FuzzTargets.fail("crash", "libcrypto", "")
    }
  }

  private static func must(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer else { FuzzTargets.fail("crash", "libcrypto", "no memory") }
    return pointer
  }

  /// The number modulo n, or 1 if that is 0.
  func scalar(_ value: [UInt8]) -> [UInt8] {
    let scalar = Self.must { () throws(MintingError) in try field.reduced(value) }
    return scalar.contains { $0 != 0 } ? scalar : scalar.dropLast() + [1]
  }

  /// n − value, for a value within 1..<n.
  func negated(_ value: [UInt8]) -> [UInt8] { Self.must { () throws(MintingError) in try field.negated(value) } }

  /// scalar · point, or scalar · G without a point; nil for an invalid point.
  func multiply(_ scalar: [UInt8], _ point: [UInt8]? = nil) -> [UInt8]? {
    do throws(MintingError) {
      return Array(try field.multiple(scalar, of: point.map { [0x04] + $0 }).dropFirst())
    } catch {
      guard case .recipe = error else { FuzzTargets.fail("crash", "libcrypto", "") }
      return nil
    }
  }

  /// A signature with this nonce (SEC 1 4.1.3); nil if r or s would be 0.
  func sign(_ digest: [UInt8], nonce: [UInt8], by key: [UInt8]) -> ECDSAValue? {
    Self.must { () throws(MintingError) in try field.sign(digest, nonce: nonce, by: key) }
  }

  /// Verifies r and s, which may have any value, for a digest and a public point.
  func verifies(_ digest: [UInt8], r: [UInt8], s: [UInt8], by point: [UInt8]) -> Bool {
    let key = Self.must(EC_KEY_new_by_curve_name(NID_X9_62_prime256v1))
    let signature = Self.must(ECDSA_SIG_new())
    defer {
      ECDSA_SIG_free(signature)
      EC_KEY_free(key)
      ERR_clear_error()
    }
    guard EC_KEY_oct2key(key, [0x04] + point, 65, nil) == 1,
      ECDSA_SIG_set0(signature, Self.number(r), Self.number(s)) == 1
    else { FuzzTargets.fail("crash", "libcrypto", "") }
    return ECDSA_do_verify(digest, 32, signature, key) == 1
  }

  private static func number(_ bytes: [UInt8]) -> OpaquePointer {
    must(BN_bin2bn(bytes, Int32(bytes.count), nil))
  }
}
