import COpenSSL

/// A BIGNUM that frees itself.
final class BigNumber {
  let pointer: OpaquePointer

  init() throws(MintingError) {
    guard let number = BN_new() else { throw .library("BN_new") }
    pointer = number
  }

  /// From its big-endian magnitude.
  convenience init(_ magnitude: [UInt8]) throws(MintingError) {
    try self.init()
    guard BN_bin2bn(magnitude, Int32(magnitude.count), pointer) != nil else { throw .library("BN_bin2bn") }
  }

  /// The number that `compute` writes to its first argument. The other one is a context; 1 is success.
  convenience init(
    _ call: StaticString, _ compute: (OpaquePointer, OpaquePointer) -> Int32
  ) throws(MintingError) {
    try self.init()
    let context = try BigNumberContext()
    try check(compute(pointer, context.pointer), call)
  }

  deinit { BN_clear_free(pointer) }

  /// The modular inverse; throws if there is none.
  func inverse(modulo number: BigNumber) throws(MintingError) -> BigNumber {
    try BigNumber("BN_mod_inverse") { BN_mod_inverse($0, pointer, number.pointer, $1) == nil ? 0 : 1 }
  }

  /// The big-endian magnitude, padded to `count` bytes.
  func bytes(count: Int) throws(MintingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard BN_bn2binpad(pointer, &bytes, Int32(count)) == Int32(count) else { throw .library("BN_bn2binpad") }
    return bytes
  }
}

/// A BN_CTX that frees itself.
final class BigNumberContext {
  let pointer: OpaquePointer

  init() throws(MintingError) {
    guard let context = BN_CTX_new() else { throw .library("BN_CTX_new") }
    pointer = context
  }

  deinit { BN_CTX_free(pointer) }
}

/// Turns OpenSSL's "1 is success" into a throw.
func check(_ result: Int32, _ call: StaticString) throws(MintingError) {
  guard result == 1 else { throw .library("\(call)") }
}
