import CPKCS11
import Foundation
import PKCS11

/// SoftHSM (https://www.opendnssec.org/softhsm/), a token in software, in a folder of its own.
///
/// For processes of their own (exit tests): the module takes its configuration from the environment.
struct SoftHSM {
  /// Where Debian, Fedora and Homebrew install the module; nil when it is not there.
  static let module = [
    "/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so",
    "/opt/homebrew/lib/softhsm/libsofthsm2.so", "/usr/local/lib/softhsm/libsofthsm2.so",
  ].first { FileManager.default.fileExists(atPath: $0) }

  static let isInstalled: Bool = {
    if module == nil { print("SoftHSM is not installed (Debian: softhsm2): the tests with a real PKCS #11 module are skipped.") }
    return module != nil
  }()

  static let label = "assay test"
  static let pin = Array("271828".utf8)

  let folder: URL

  /// Makes an empty token.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "assay-softhsm-\(UUID().uuidString)")
    let tokens = folder.appending(path: "tokens")
    try FileManager.default.createDirectory(at: tokens, withIntermediateDirectories: true)
    let settings = folder.appending(path: "softhsm2.conf")
    try Data("directories.tokendir = \(tokens.path)\nobjectstore.backend = file\nlog.level = ERROR\n".utf8)
      .write(to: settings)
    setenv("SOFTHSM2_CONF", settings.path, 1)
    try run(["--init-token", "--free", "--label", Self.label, "--so-pin", "314159", "--pin", "271828"])
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func open(pin: [UInt8] = pin) throws -> PKCS11Token {
    try PKCS11Token(PKCS11Module(path: Self.module ?? ""), label: Self.label, pin: pin)
  }

  /// Puts a PKCS #8 key into the token.
  func importKey(_ pem: String, label: String, id: String) throws {
    let file = folder.appending(path: "key.pem")
    try Data(pem.utf8).write(to: file)
    try run(["--import", file.path, "--token", Self.label, "--label", label, "--id", id, "--pin", "271828"])
  }

  private func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["softhsm2-util"] + arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  /// Has the token make a P-256 key whose private half cannot be read from it.
  static func generateKey(in token: PKCS11Token, label: String, id: [UInt8]) throws {
    // prime256v1 as DER
    let curve: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    var publicHalf = AttributeTemplate()
    publicHalf.add(CKA_TOKEN, flag: true)
    publicHalf.add(CKA_EC_PARAMS, octets: curve)
    publicHalf.add(CKA_LABEL, octets: Array(label.utf8))
    publicHalf.add(CKA_ID, octets: id)
    var privateHalf = AttributeTemplate()
    privateHalf.add(CKA_TOKEN, flag: true)
    privateHalf.add(CKA_PRIVATE, flag: true)
    privateHalf.add(CKA_SENSITIVE, flag: true)
    privateHalf.add(CKA_EXTRACTABLE, flag: false)
    privateHalf.add(CKA_DERIVE, flag: true)
    privateHalf.add(CKA_LABEL, octets: Array(label.utf8))
    privateHalf.add(CKA_ID, octets: id)
    try token.withSession(writing: true) { (functions, session) throws(PKCS11Error) in
      var mechanism = CK_MECHANISM(mechanism: CKM_EC_KEY_PAIR_GEN, pParameter: nil, ulParameterLen: 0)
      var keys: (CK_OBJECT_HANDLE, CK_OBJECT_HANDLE) = (0, 0)
      let code = publicHalf.withAttributes { publicAttributes, publicCount in
        privateHalf.withAttributes { privateAttributes, privateCount in
          functions.C_GenerateKeyPair(
            session, &mechanism, publicAttributes, publicCount, privateAttributes, privateCount, &keys.0, &keys.1)
        }
      }
      guard code == CKR_OK else { throw .failed(function: "C_GenerateKeyPair", code: code) }
    }
  }
}
