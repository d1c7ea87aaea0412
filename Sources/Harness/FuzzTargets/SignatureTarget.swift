import FastDecryption
import PaymentToken
import ReferenceDecryption

/// The fast engine's CMS reader against the reference's: stage 5 by itself.
extension FuzzTargets {
  /// The first octet says of which version the token is.
  public static func cms(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard size > 0 else { return -1 }
    let input = octets(data, size)
    let version = TokenVersion.allCases[Int(input[0]) % TokenVersion.allCases.count]
    let cms = Array(input.dropFirst())
    let fast = FastDecryption.SignatureShape.read(cms.span, version: version)
    let reference = ReferenceDecryption.SignatureShape.read(cms, version: version)
    if (fast == nil) != (reference == nil) {
      fail("readers", "cms \(fast == nil ? "malformed" : "read")", "cms \(reference == nil ? "malformed" : "read")")
    }
    if let fast, let reference, fast != reference { fail("readers", "cms read", "cms read otherwise") }
    return 0
  }
}
