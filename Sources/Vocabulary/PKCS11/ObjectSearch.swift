package import CPKCS11

/// Finds keys on a PKCS #11 device and reads their public attributes.
struct ObjectSearch {
  let functions: CK_FUNCTION_LIST
  let session: CK_SESSION_HANDLE

  /// A class of objects.
  enum Kind {
    case privateKey, publicKey

    fileprivate var number: CK_ULONG { self == .privateKey ? CKO_PRIVATE_KEY : CKO_PUBLIC_KEY }
  }

  /// The algorithm of keys.
  enum Algorithm {
    case ellipticCurve, rsa

    fileprivate var number: CK_ULONG { self == .rsa ? CKK_RSA : CKK_EC }
  }

  /// Finds the keys of a class with this label and identifier, at most two: enough to detect an ambiguity.
  func find(
    _ kind: Kind, _ algorithm: Algorithm, label: String?, id: [UInt8]?
  ) throws(PKCS11Error) -> [CK_OBJECT_HANDLE] {
    var template = AttributeTemplate()
    template.add(CKA_CLASS, number: kind.number)
    template.add(CKA_KEY_TYPE, number: algorithm.number)
    if let label { template.add(CKA_LABEL, bytes: Array(label.utf8)) }
    if let id { template.add(CKA_ID, bytes: id) }
    let begun = template.withAttributes { functions.C_FindObjectsInit(session, $0, $1) }
    try check(begun, "C_FindObjectsInit")
    defer { _ = functions.C_FindObjectsFinal(session) }
    var found = [CK_OBJECT_HANDLE](repeating: 0, count: 2)
    var count: CK_ULONG = 0
    try check(functions.C_FindObjects(session, &found, CK_ULONG(found.count), &count), "C_FindObjects")
    return Array(found.prefix(Int(count)))
  }

  /// The public keys with the identifier and label of a private key, or with its identifier alone. Without either, any
  /// public key would match, so there is none.
  private func publicKeys(
    of key: CK_OBJECT_HANDLE, _ algorithm: Algorithm
  ) throws(PKCS11Error) -> [CK_OBJECT_HANDLE] {
    let label = attribute(CKA_LABEL, of: key).map { String(decoding: $0, as: UTF8.self) }
    let id = attribute(CKA_ID, of: key)
    guard label != nil || id != nil else { return [] }
    let found = try find(.publicKey, algorithm, label: label, id: id)
    return found.isEmpty && id != nil ? try find(.publicKey, algorithm, label: nil, id: id) : found
  }

  /// 04 ‖ x ‖ y of a private key: its own CKA_EC_POINT, else that of its public key.
  func point(of key: CK_OBJECT_HANDLE) throws(PKCS11Error) -> [UInt8] {
    if let point = uncompressedPoint(of: key) { return point }
    let publicKeys = try publicKeys(of: key, .ellipticCurve)
    guard publicKeys.count == 1, let point = uncompressedPoint(of: publicKeys[0]) else { throw .noPublicKey }
    return point
  }

  /// CKA_EC_POINT is the DER of an OCTET STRING. Old devices return the bare point.
  private func uncompressedPoint(of key: CK_OBJECT_HANDLE) -> [UInt8]? {
    guard let bytes = attribute(CKA_EC_POINT, of: key) else { return nil }
    let point = bytes.count == 67 && bytes.starts(with: [0x04, 0x41]) ? Array(bytes.dropFirst(2)) : bytes
    return point.count == 65 && point[0] == 0x04 ? point : nil
  }

  /// The modulus of a private key with the public exponent 65537, which may be an attribute of its public key alone.
  func modulus(of key: CK_OBJECT_HANDLE) throws(PKCS11Error) -> [UInt8] {
    let own = attribute(CKA_MODULUS, of: key)
    let publicKeys = try publicKeys(of: key, .rsa)
    for candidate in [key] + (publicKeys.count == 1 ? publicKeys : []) {
      guard let modulus = attribute(CKA_MODULUS, of: candidate),
        let exponent = attribute(CKA_PUBLIC_EXPONENT, of: candidate),
        exponent.drop(while: { $0 == 0 }).elementsEqual([0x01, 0x00, 0x01])
      else { continue }
      let digits = Array(modulus.drop { $0 == 0 })
      guard own == nil || own.map({ Array($0.drop { $0 == 0 }) }) == digits else { continue }
      return digits
    }
    throw .noPublicKey
  }

  /// A public attribute of at most 513 bytes; nil when the object has none, or an empty one.
  private func attribute(_ type: CK_ULONG, of object: CK_OBJECT_HANDLE) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 513)
    let count = bytes.withUnsafeMutableBytes { room -> Int? in
      var attribute = CK_ATTRIBUTE(type: type, pValue: room.baseAddress, ulValueLen: CK_ULONG(room.count))
      guard functions.C_GetAttributeValue(session, object, &attribute, 1) == CKR_OK else { return nil }
      return Int(attribute.ulValueLen)
    }
    guard let count, (1...bytes.count).contains(count) else { return nil }
    return Array(bytes.prefix(count))
  }
}

/// The attributes of an object to find or create.
package struct AttributeTemplate {
  private var entries: [(type: CK_ULONG, bytes: [UInt8])] = []

  /// A template without attributes.
  package init() {}

  /// Adds an attribute of bytes.
  package mutating func add(_ type: CK_ULONG, bytes: [UInt8]) { entries.append((type, bytes)) }

  /// Adds an attribute that is a CK_ULONG.
  package mutating func add(_ type: CK_ULONG, number: CK_ULONG) {
    add(type, bytes: withUnsafeBytes(of: number) { Array($0) })
  }

  /// Adds an attribute that is a CK_BBOOL.
  package mutating func add(_ type: CK_ULONG, flag: Bool) { add(type, bytes: [flag ? 1 : 0]) }

  /// Calls `body` with the attributes, which it must not change, and their number.
  package func withAttributes<Result>(_ body: (UnsafeMutablePointer<CK_ATTRIBUTE>?, CK_ULONG) -> Result) -> Result {
    var values = entries.flatMap(\.bytes)
    return values.withUnsafeMutableBytes { storage in
      var offset = 0
      var attributes: [CK_ATTRIBUTE] = []
      for entry in entries {
        let start = storage.baseAddress.map { $0 + offset }
        attributes.append(CK_ATTRIBUTE(type: entry.type, pValue: start, ulValueLen: CK_ULONG(entry.bytes.count)))
        offset += entry.bytes.count
      }
      return attributes.withUnsafeMutableBufferPointer { body($0.baseAddress, CK_ULONG($0.count)) }
    }
  }
}
