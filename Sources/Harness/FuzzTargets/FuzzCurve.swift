import COpenSSL
import Minting

/// P-256 by libcrypto, which the kernel is held against. Numbers are 32 bytes, big-endian; points x ‖ y.
///
/// Whatever libcrypto has no memory for ends the process: a fuzzer that goes on would compare nothing.
struct FuzzCurve {
  private let field: ScalarField

  /// Nil without memory.
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

  /// A number modulo n, 1 where that is 0.
  func scalar(_ value: [UInt8]) -> [UInt8] {
    let scalar = Self.must { () throws(MintingError) in try field.reduced(value) }
    return scalar.contains { $0 != 0 } ? scalar : scalar.dropLast() + [1]
  }

  /// n less a number within 1..<n.
  func negated(_ value: [UInt8]) -> [UInt8] { Self.must { () throws(MintingError) in try field.negated(value) } }

  /// scalar · point, of the generator where there is none; nil for a point that is none.
  func multiply(_ scalar: [UInt8], _ point: [UInt8]? = nil) -> [UInt8]? {
    do throws(MintingError) {
      return Array(try field.multiple(scalar, of: point.map { [0x04] + $0 }).dropFirst())
    } catch {
      guard case .recipe = error else { FuzzTargets.fail("crash", "libcrypto", "") }
      return nil
    }
  }

  /// A signature with this nonce (SEC 1 4.1.3); nil where r or s would be 0.
  func sign(_ digest: [UInt8], nonce: [UInt8], by key: [UInt8]) -> ECDSAValue? {
    Self.must { () throws(MintingError) in try field.sign(digest, nonce: nonce, by: key) }
  }

  /// Whether r and s, of any value, sign a digest by a public point.
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
