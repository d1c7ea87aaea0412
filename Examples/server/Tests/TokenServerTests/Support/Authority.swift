import Foundation

/// The status and the output of a program; nil if it is not installed.
struct Tool {
  let status: Int32
  let output: String

  init?(_ words: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
    if status == 127 { return nil }
  }

  static func isInstalled(_ program: String) -> Bool { (try? Tool([program, "version", "--version"])) ?? nil != nil }

  static var areForTLS: Bool {
    let areInstalled = ["openssl", "curl"].allSatisfy(isInstalled)
    if !areInstalled { print("tests of TLS are skipped: openssl or curl is not installed") }
    return areInstalled
  }
}

/// Certificates for TLS, made by openssl.
struct Authority {
  let folder: TemporaryFolder
  let name: String
  var certificate: String { folder.path("\(name).pem") }

  init(_ name: String, in folder: TemporaryFolder) throws {
    (self.name, self.folder) = (name, folder)
    try run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "10", "-keyout",
      folder.path("\(name).key"), "-out", certificate, "-subj", "/CN=\(name)",
    ])
  }

  /// Makes `file`.pem and `file`.key.
  func issue(
    _ file: String, subject: String = "/CN=client", names: String? = nil, use: String = "clientAuth", days: Int = 10
  ) throws {
    try run([
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder.path("\(file).key"),
      "-out", folder.path("request"), "-subj", subject,
    ])
    let extensions = "extendedKeyUsage=\(use)\n" + (names.map { "subjectAltName=\($0)\n" } ?? "")
    try folder.write(extensions, to: "extensions")
    try run([
      "x509", "-req", "-in", folder.path("request"), "-CA", certificate, "-CAkey", folder.path("\(name).key"),
      "-CAcreateserial", "-days", String(days), "-extfile", folder.path("extensions"), "-out",
      folder.path("\(file).pem"),
    ])
  }

  /// Makes both files with a certificate that is valid for `seconds` from now.
  func issue(_ file: String, seconds: Int) throws {
    try issue(file)
    try folder.write("", to: "index")
    try folder.write("\(Int.random(in: 10...99))", to: "serial")
    try folder.write(
      """
      [ca]
      default_ca = here
      [here]
      database = \(folder.path("index"))
      serial = \(folder.path("serial"))
      new_certs_dir = \(folder.path(""))
      default_md = sha256
      policy = any
      [any]
      commonName = optional
      """, to: "configuration")
    let format = DateFormatter()
    format.timeZone = TimeZone(identifier: "UTC")
    format.dateFormat = "yyyyMMddHHmmss'Z'"
    try run([
      "ca", "-batch", "-notext", "-config", folder.path("configuration"), "-in", folder.path("request"), "-cert",
      certificate, "-keyfile", folder.path("\(name).key"), "-extfile", folder.path("extensions"), "-enddate",
      format.string(from: Date().addingTimeInterval(Double(seconds))), "-out", folder.path("\(file).pem"),
    ])
  }

  private struct Failure: Error {}

  private func run(_ words: [String]) throws {
    guard try Tool(["openssl"] + words)?.status == 0 else { throw Failure() }
  }
}

/// A TLS connection that stays open, by `openssl s_client`.
final class TLSConnection {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var received = ""

  init(_ address: String, _ options: [String]) throws {
    // The process ends when the server closes. Writing to it must then fail, and not end the tests.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl", "s_client", "-quiet", "-connect", address] + options
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Sends a GET request. Returns what was received until `text` came or the connection ended.
  func get(_ path: String, until text: String) -> String {
    send(Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    return receive(until: text)
  }

  /// Sends bytes. Ignores that the connection may have ended: `receive` then returns an empty text.
  func send(_ bytes: [UInt8]) { try? input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

  /// What was received until `text` came or the connection ended.
  func receive(until text: String) -> String {
    received = ""
    while !received.contains(text) {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty { break }
      received += String(decoding: part, as: UTF8.self)
    }
    return received
  }
}
