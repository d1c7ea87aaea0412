import COpenSSL

/// Points by their x.
enum Points {
  /// One of the two y for an x, 32 bytes; nil if there is none.
  static func y(of x: [UInt8]) -> [UInt8]? {
    let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)!
    let point = EC_POINT_new(group)!
    let context = BN_CTX_new()!
    defer {
      BN_CTX_free(context)
      EC_POINT_free(point)
      EC_GROUP_free(group)
    }
    guard EC_POINT_oct2point(group, point, [0x02] + x, 33, context) == 1 else {
      ERR_clear_error()
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 65)
    EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, 65, context)
    return Array(bytes.suffix(32))
  }
}
