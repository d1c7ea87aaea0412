import COpenSSL
import MerchantKeys

/// Names of the object identifiers that occur in signatures and certificates.
enum ObjectIdentifierNames {
  /// The name; else the numbers joined by full stops, or for a malformed OID its size.
  ///
  /// - Parameter oid: the contents bytes.
  static func name(of oid: some Collection<UInt8>) -> String {
    let malformed = "an OID of \(oid.count) bytes"
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard oid.count <= 32,
      let object = LibcryptoCoding.decoded([0x06, UInt8(oid.count)] + oid, d2i_ASN1_OBJECT, free: ASN1_OBJECT_free)
    else { return malformed }
    defer { ASN1_OBJECT_free(object) }
    let known = OBJ_obj2nid(object)
    // NIST's name of a curve, else the long name, else, if that is a phrase, the short name.
    for name in known == NID_undef ? [] : [EC_curve_nid2nist(known), OBJ_nid2ln(known), OBJ_nid2sn(known)] {
      if let name = name.map({ String(cString: $0) }), !name.contains(" ") { return name }
    }
    // A byte takes at most three digits and a full stop.
    var text = [CChar](repeating: 0, count: 256)
    guard OBJ_obj2txt(&text, Int32(text.count), object, 1) > 0 else { return malformed }
    let dotted = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? malformed
    return others[dotted].map { "\($0) (\(dotted))" } ?? dotted
  }

  private static let others = [
    "1.2.840.113549.1.9.52": "cmsAlgorithmProtection",
    "1.2.840.113635.100.6.29": "Apple's leaf marker", "1.2.840.113635.100.6.2.14": "Apple's intermediate marker",
    "1.2.840.113635.100.6.32": "the merchant-ID hash",
  ]
}
