import COpenSSL

/// Converts numbers of the kernels' tables, with libcrypto.
enum Montgomery {
  /// words / 2^260 modulo p, 32 bytes; nil unless the words are below p.
  static func fromMontgomery(_ words: [UInt64]) -> [UInt8]? {
    let context = BN_CTX_new()!
    let prime = BN_new()!
    let power = BN_new()!
    defer {
      BN_free(power)
      BN_free(prime)
      BN_CTX_free(context)
    }
    let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)!
    defer { EC_GROUP_free(group) }
    EC_GROUP_get_curve(group, prime, nil, nil, context)
    let bytes = words.reversed().flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    let number = BN_bin2bn(bytes, 32, nil)!
    defer { BN_free(number) }
    guard BN_cmp(number, prime) < 0 else { return nil }
    BN_set_bit(power, 260)
    BN_mod_inverse(power, power, prime, context)
    BN_mod_mul(number, number, power, prime, context)
    var result = [UInt8](repeating: 0, count: 32)
    BN_bn2binpad(number, &result, 32)
    return result
  }
}
