import FastDecryption
import ReferenceDecryption

/// The fast engine's CMS reader against the reference's: stage 5 by itself.
extension FuzzTargets {
  public static func cms(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard let (version, cms) = versioned(data, size) else { return -1 }
    let fast = FastDecryption.SignatureShape.read(cms.span, version: version)
    let reference = ReferenceDecryption.SignatureShape.read(cms, version: version)
    demandAgreement("cms", fast != nil, reference != nil)
    if let fast, let reference, fast != reference { fail("readers", "cms read", "cms read otherwise") }
    return 0
  }
}
