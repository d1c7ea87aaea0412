import COpenSSL
import MerchantKeys

/// Builds DER for tests. Values are byte arrays.
enum DER {
  static func value(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
    let contents = parts.flatMap { $0 }
    return [tag] + length(contents.count) + contents
  }

  static func length(_ count: Int) -> [UInt8] {
    if count < 0x80 { return [UInt8(count)] }
    if count < 0x100 { return [0x81, UInt8(count)] }
    if count < 0x10000 { return [0x82, UInt8(count >> 8), UInt8(count & 0xFF)] }
    return [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }
  static func oid(_ contents: [UInt8]) -> [UInt8] { value(0x06, contents) }
  static func integer(_ contents: [UInt8]) -> [UInt8] { value(0x02, contents) }
  static func bytes(_ contents: [UInt8]) -> [UInt8] { value(0x04, contents) }
  static func bits(_ contents: [UInt8], unused: UInt8 = 0) -> [UInt8] { value(0x03, [unused], contents) }
  static func utcTime(_ text: String) -> [UInt8] { value(0x17, Array(text.utf8)) }
  static func generalizedTime(_ text: String) -> [UInt8] { value(0x18, Array(text.utf8)) }
  static let null: [UInt8] = [0x05, 0x00]
  static let yes: [UInt8] = [0x01, 0x01, 0xFF]

  static func name(_ text: String) -> [UInt8] {
    sequence(value(0x31, sequence(oid([0x55, 0x04, 0x03]), value(0x0C, Array(text.utf8)))))
  }

  static func algorithm(_ identifier: [UInt8], _ parameters: [UInt8] = []) -> [UInt8] {
    sequence(oid(identifier), parameters)
  }

  static func publicKey(_ point: [UInt8], curve: [UInt8] = ObjectIdentifiers.prime256v1) -> [UInt8] {
    sequence(algorithm(ObjectIdentifiers.ecPublicKey, oid(curve)), bits(point))
  }

  static func rsaPublicKey(modulus: [UInt8], exponent: [UInt8] = [1, 0, 1], parameters: [UInt8] = null) -> [UInt8] {
    sequence(
      algorithm(ObjectIdentifiers.rsaEncryption, parameters), bits(sequence(integer(modulus), integer(exponent))))
  }

  static func extensionEntry(_ identifier: [UInt8], critical: [UInt8] = [], _ contents: [UInt8]) -> [UInt8] {
    sequence(oid(identifier), critical, bytes(contents))
  }
}

/// A certificate member by member. All members are well-formed unless a test changes them. The signature is arbitrary.
struct CertificateRecipe {
  var version: [UInt8] = DER.value(0xA0, DER.integer([2]))
  var serial: [UInt8] = DER.integer([0x01])
  var innerAlgorithm: [UInt8] = DER.algorithm(ObjectIdentifiers.ecdsaWithSHA256)
  var outerAlgorithm: [UInt8]?
  var issuer: [UInt8] = DER.name("issuer")
  var validity: [UInt8] = DER.sequence(DER.utcTime("250101000000Z"), DER.utcTime("350101000000Z"))
  var subject: [UInt8] = DER.name("subject")
  var publicKey: [UInt8] = DER.publicKey(TestPoints.p256)
  /// The fields between the public key and the extensions.
  var uniqueIdentifiers: [UInt8] = []
  var extensions: [[UInt8]] = []
  /// Replaces the whole field [3], which holds the extensions.
  var extensionsField: [UInt8]?
  var afterExtensions: [UInt8] = []
  var signature: [UInt8] = DER.bits([1, 2, 3])
  var afterSignature: [UInt8] = []

  var der: [UInt8] {
    let listed = extensions.isEmpty ? [] : DER.value(0xA3, DER.sequence(extensions.flatMap { $0 }))
    let signed = [
      version, serial, innerAlgorithm, issuer, validity, subject, publicKey, uniqueIdentifiers,
      extensionsField ?? listed, afterExtensions,
    ]
    return DER.sequence(
      DER.sequence(signed.flatMap { $0 }), outerAlgorithm ?? innerAlgorithm, signature, afterSignature)
  }

  /// The error of a recipe changed by `change`; nil when it is accepted.
  static func error(_ change: (inout CertificateRecipe) -> Void) -> CertificateError? {
    var recipe = CertificateRecipe()
    change(&recipe)
    return CertificateRecipe.error(of: recipe.der)
  }

  static func error(of der: [UInt8]) -> CertificateError? {
    do {
      _ = try Certificate(der: der)
      return nil
    } catch {
      return error
    }
  }
}

enum TestPoints {
  /// The generators of P-256 and P-384, uncompressed.
  static let p256 = generator(NID_X9_62_prime256v1)
  static let p384 = generator(NID_secp384r1)

  private static func generator(_ curve: Int32) -> [UInt8] {
    let group = EC_GROUP_new_by_curve_name(curve)
    defer { EC_GROUP_free(group) }
    var bytes = [UInt8](repeating: 0, count: 133)
    let count = EC_POINT_point2oct(
      group, EC_GROUP_get0_generator(group), POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
    return Array(bytes.prefix(count))
  }
}
