import CPKCS11
import Foundation
import Minting
import PKCS11
import TestSupport
import Testing

/// SoftHSM (https://www.opendnssec.org/softhsm/), a PKCS #11 device in software, in a separate folder.
///
/// Only for exit tests, which run in their own processes: the module takes its configuration from the environment.
struct SoftHSM {
  /// The path at which Debian, Fedora or Homebrew has installed the module; nil if none has.
  static let module = [
    "/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so",
    "/opt/homebrew/lib/softhsm/libsofthsm2.so", "/usr/local/lib/softhsm/libsofthsm2.so",
  ].first { FileManager.default.fileExists(atPath: $0) }

  static let isInstalled: Bool = {
    if module == nil {
      print("SoftHSM is not installed (Debian: softhsm2): the tests with a real PKCS #11 module are skipped.")
    }
    return module != nil
  }()

  static let label = "assay test"
  static let pin = Array("271828".utf8)

  let folder: URL

  /// Makes an empty PKCS #11 token for `body`, and records errors.
  static func use(_ body: (SoftHSM) async throws -> Void) async {
    do {
      let softHSM = try SoftHSM()
      defer { try? FileManager.default.removeItem(at: softHSM.folder) }
      try await body(softHSM)
    } catch {
      Issue.record(error)
    }
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "assay-softhsm-\(UUID().uuidString)")
    let tokens = folder.appending(path: "tokens")
    try FileManager.default.createDirectory(at: tokens, withIntermediateDirectories: true)
    let settings = folder.appending(path: "softhsm2.conf")
    try Data("directories.tokendir = \(tokens.path)\nobjectstore.backend = file\nlog.level = ERROR\n".utf8)
      .write(to: settings)
    setenv("SOFTHSM2_CONF", settings.path, 1)
    try run(["--init-token", "--free", "--label", Self.label, "--so-pin", "314159", "--pin", "271828"])
  }

  func open(pin: [UInt8] = pin) throws -> PKCS11Token {
    try PKCS11Token(in: PKCS11Module(path: Self.module ?? ""), label: Self.label, pin: pin)
  }

  private func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["softhsm2-util"] + arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.blockUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  /// prime256v1 as DER.
  private static let curve: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

  private static func publicTemplate(_ label: String, _ id: [UInt8]) -> AttributeTemplate {
    var template = AttributeTemplate()
    template.add(CKA_CLASS, number: CKO_PUBLIC_KEY)
    template.add(CKA_KEY_TYPE, number: CKK_EC)
    template.add(CKA_TOKEN, flag: true)
    template.add(CKA_EC_PARAMS, bytes: curve)
    template.add(CKA_LABEL, bytes: Array(label.utf8))
    template.add(CKA_ID, bytes: id)
    return template
  }

  /// A private key whose value cannot be read.
  private static func privateTemplate(_ label: String, _ id: [UInt8]) -> AttributeTemplate {
    var template = AttributeTemplate()
    template.add(CKA_CLASS, number: CKO_PRIVATE_KEY)
    template.add(CKA_KEY_TYPE, number: CKK_EC)
    template.add(CKA_TOKEN, flag: true)
    template.add(CKA_PRIVATE, flag: true)
    template.add(CKA_SENSITIVE, flag: true)
    template.add(CKA_EXTRACTABLE, flag: false)
    template.add(CKA_DERIVE, flag: true)
    template.add(CKA_LABEL, bytes: Array(label.utf8))
    template.add(CKA_ID, bytes: id)
    return template
  }

  static func generateKey(in token: PKCS11Token, label: String, id: [UInt8]) throws {
    try token.withSession(for: .writing) { (functions, session) throws(PKCS11Error) in
      var mechanism = CK_MECHANISM(mechanism: CKM_EC_KEY_PAIR_GEN, pParameter: nil, ulParameterLen: 0)
      var keys: (CK_OBJECT_HANDLE, CK_OBJECT_HANDLE) = (0, 0)
      let code = publicTemplate(label, id).withAttributes { publicAttributes, publicCount in
        privateTemplate(label, id).withAttributes { privateAttributes, privateCount in
          functions.C_GenerateKeyPair(
            session, &mechanism, publicAttributes, publicCount, privateAttributes, privateCount, &keys.0, &keys.1)
        }
      }
      guard code == CKR_OK else { throw .failed(function: "C_GenerateKeyPair", code: code) }
    }
  }

  /// Imports an RSA key of two primes into the device. With `modulus`, the public key is another's, and the private key
  /// has no public exponent.
  static func importKey(
    _ pair: RSAKeyPair, in token: PKCS11Token, label: String, publicModulus modulus: [UInt8]? = nil
  ) throws {
    // RSAPrivateKey: version, n, e, d, p, q, d mod (p - 1), d mod (q - 1), 1/q mod p.
    let numbers = try pair.privateKeyNode().children.map { Array($0.contents.drop { $0 == 0 }) }
    var publicHalf = AttributeTemplate()
    publicHalf.add(CKA_CLASS, number: CKO_PUBLIC_KEY)
    var privateHalf = AttributeTemplate()
    privateHalf.add(CKA_CLASS, number: CKO_PRIVATE_KEY)
    privateHalf.add(CKA_PRIVATE, flag: true)
    privateHalf.add(CKA_SENSITIVE, flag: true)
    privateHalf.add(CKA_EXTRACTABLE, flag: false)
    privateHalf.add(CKA_DECRYPT, flag: true)
    let parts = [
      CKA_PRIVATE_EXPONENT, CKA_PRIME_1, CKA_PRIME_2, CKA_EXPONENT_1, CKA_EXPONENT_2, CKA_COEFFICIENT,
    ]
    for (part, number) in zip(parts, numbers.dropFirst(3)) { privateHalf.add(part, bytes: number) }
    var halves = [publicHalf, privateHalf]
    for index in halves.indices {
      halves[index].add(CKA_KEY_TYPE, number: CKK_RSA)
      halves[index].add(CKA_TOKEN, flag: true)
      halves[index].add(CKA_LABEL, bytes: Array(label.utf8))
      halves[index].add(CKA_MODULUS, bytes: index == 0 ? modulus ?? numbers[1] : numbers[1])
      if index == 0 || modulus == nil { halves[index].add(CKA_PUBLIC_EXPONENT, bytes: numbers[2]) }
    }
    try create(halves, in: token)
  }

  static func importKey(
    _ pair: KeyPair, in token: PKCS11Token, label: String, id: [UInt8], publicLabel: String? = nil
  ) throws {
    var publicHalf = publicTemplate(publicLabel ?? label, id)
    publicHalf.add(CKA_EC_POINT, bytes: [0x04, 0x41] + pair.point)
    var privateHalf = privateTemplate(label, id)
    privateHalf.add(CKA_EC_PARAMS, bytes: curve)
    privateHalf.add(CKA_VALUE, bytes: pair.scalar)
    try create([publicHalf, privateHalf], in: token)
  }

  private static func create(_ halves: [AttributeTemplate], in token: PKCS11Token) throws {
    try token.withSession(for: .writing) { (functions, session) throws(PKCS11Error) in
      for half in halves {
        var object: CK_OBJECT_HANDLE = 0
        let code = half.withAttributes { functions.C_CreateObject(session, $0, $1, &object) }
        guard code == CKR_OK else { throw .failed(function: "C_CreateObject", code: code) }
      }
    }
  }
}
