import HostIO
import MerchantKeys
import PaymentToken
import Reports
import StrictJSON

/// The answer of `assay keys inspect`, for people and for programs.
package struct KeysReport {
  let files: [InspectedFile]
  let time: UnixTime
  let warnDays: Int64
  private let keys: Set<Bytes32>
  private let certified: Set<Bytes32>

  package init(files: [InspectedFile], time: UnixTime, warnDays: Int64) {
    self.files = files
    self.time = time
    self.warnDays = warnDays
    var keys: Set<Bytes32> = []
    var certified: Set<Bytes32> = []
    for item in files.flatMap(\.items) {
      switch item {
      case .privateKey(let secret): keys.insert(secret.publicKeyHash())
      case .certificate(let certificate): certified.insert(certificate.publicKeyHash())
      case .publicKey, .request: continue
      }
    }
    self.keys = keys
    self.certified = certified
  }

  /// 2 if a file could not be read or understood, 1 for a finding.
  package var exitCode: ExitCode {
    if files.contains(where: { (try? $0.result.get()) == nil }) { return .noAnswer }
    return findings.isEmpty ? .success : .finding
  }

  /// The files that could not be read or understood, a few words each.
  package var failures: [String] {
    files.compactMap { file in
      guard case .failure(let problem) = file.result else { return nil }
      // The message about an unreadable file already has its name.
      return problem.isUnreadable
        ? String(problem.message.dropLast()) : "\(PastedText.shown(file.name)): \(problem.code)"
    }
  }

  /// What the user should act on, a few words each.
  package var findings: [String] {
    files.flatMap { file in file.items.flatMap { findings($0).map { "\(PastedText.shown(file.name)): \($0)" } } }
  }

  private func findings(_ item: KeyFileInspection.Item) -> [String] {
    guard case .certificate(let certificate) = item else { return [] }
    var findings: [String] = []
    let days = daysLeft(certificate)
    if time > certificate.notAfter {
      findings.append("expired at \(certificate.notAfter.rfc3339)")
    } else if time < certificate.notBefore {
      findings.append("not valid before \(certificate.notBefore.rfc3339)")
    } else if days < warnDays {
      findings.append("expires in \(Text.counted(Int(days), "day"))")
    }
    if certificate.isMerchants && !keys.isEmpty && !keys.contains(certificate.publicKeyHash()) {
      findings.append("the certificate matches none of the given keys")
    }
    if (try? certificate.merchantIDHash()) == nil,
      certificate.firstExtension(ObjectIdentifiers.appleMerchantIDHash) != nil
    {
      findings.append("the merchant-ID extension is malformed")
    }
    return findings
  }

  /// Whole days until the end of the validity, rounded down; negative after it.
  private func daysLeft(_ certificate: Certificate) -> Int64 {
    let seconds = certificate.notAfter.absoluteDistance(to: time)
    return certificate.notAfter >= time ? Int64(seconds / 86_400) : -Int64((seconds + 86_399) / 86_400)
  }

  /// The document `assay.keys.inspect/1`.
  package var json: JSON {
    [
      "schema": "assay.keys.inspect/1", "at": time.rfc3339, "warnDays": warnDays, "passed": exitCode == .success,
      "files": files.map(document),
    ]
  }

  private func document(_ file: InspectedFile) -> JSON {
    switch file.result {
    case .success(let inspection):
      return [
        "file": file.name, "encoding": inspection.encoding.rawValue, "encrypted": inspection.isEncrypted,
        "items": inspection.items.map { JSON.object(fields($0)) },
      ]
    case .failure(let problem):
      return [
        "file": PastedText.shown(file.name),
        "error": JSON(["code": problem.code, "detail": problem.detail, "message": problem.message]),
      ]
    }
  }

  /// Lines for people.
  package var text: String {
    var lines: [String] = []
    for file in files {
      let name = PastedText.shown(file.name)
      switch file.result {
      case .success(let inspection):
        let encoding = inspection.encoding.rawValue + (inspection.isEncrypted ? ", encrypted" : "")
        for item in inspection.items {
          lines += ["\(name) (\(encoding))"] + Text.pairs(fields(item).compactMap(\.row)).map { "  " + $0 }
          lines += findings(item).map { "  ! \($0)" } + remarks(item).map { "  \($0)" }
        }
      case .failure(let problem):
        lines += [name, "  \(problem.code): \(problem.message)"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line for each key, certificate, request and unreadable file.
  package var list: String {
    let rows = files.flatMap { file -> [[String]] in
      let name = PastedText.shown(file.name)
      return switch file.result {
      case .success(let inspection): inspection.items.map { [name] + row($0) }
      case .failure(let problem): [[name, problem.code]]
      }
    }
    let header = ["file", "kind", "key", "expires", "days", "merchant"]
    let dropping = ["key", "expires", "merchant"]
    return Text.columns([header] + rows, dropping: dropping).joined(separator: "\n") + "\n"
  }

  private func row(_ item: KeyFileInspection.Item) -> [String] {
    let values = Dictionary(fields(item).compactMap(\.row).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    return ["kind", "key", "notAfter", "daysLeft", "merchantID"].map { values[$0] ?? "" }
  }

  /// Remarks that are no findings: on a certificate that is no merchant's and has no key, or on a request without key.
  private func remarks(_ item: KeyFileInspection.Item) -> [String] {
    switch item {
    case .certificate(let certificate)
    where !certificate.isMerchants && !keys.isEmpty && !keys.contains(certificate.publicKeyHash()):
      ["left aside: it belongs to none of the given private keys"]
    case .request(let request) where !keys.contains(request.publicKeyHash()):
      ["the private key is where the request was made: a payment provider who made it is the only one who can decrypt"]
    case .certificate, .request, .privateKey, .publicKey: []
    }
  }

  private func fields(_ item: KeyFileInspection.Item) -> [JSON.Member] {
    switch item {
    case .privateKey(let secret):
      JSON.members(["kind": "privateKey"]) + KeyFields.key(secret.publicKey, hash: secret.publicKeyHash())
        + JSON.members(["hasCertificate": certified.contains(secret.publicKeyHash())])
    case .publicKey(let key, let hash):
      JSON.members(["kind": "publicKey"]) + KeyFields.key(key, hash: hash)
        + JSON.members(["hasPrivateKey": keys.contains(hash)])
    case .request(let request):
      JSON.members(["kind": "certificateRequest", "commonName": request.commonName])
        + KeyFields.key(request.publicKey, hash: request.publicKeyHash())
        + JSON.members(["hasPrivateKey": keys.contains(request.publicKeyHash())])
    case .certificate(let certificate):
      KeyFields.certificate(certificate)
        + JSON.members([
          "hasPrivateKey": keys.contains(certificate.publicKeyHash()), "daysLeft": daysLeft(certificate),
        ])
    }
  }
}

extension Certificate {
  fileprivate var isMerchants: Bool { purpose == .paymentProcessing || purpose == .merchantIdentity }
}

/// A file's name and content, or why it could not be understood.
package struct InspectedFile {
  package let name: String
  package let result: Result<KeyFileInspection, Problem>

  /// Why a file could not be read or understood.
  package struct Problem: Error {
    /// The code of a `KeyError`, or `unreadableFile`.
    package let code: String
    fileprivate var isUnreadable: Bool { code == Problem.unreadable }
    fileprivate static let unreadable = "unreadableFile"
    /// For a malformed certificate: the rule that it breaks.
    package let detail: String?
    package let message: String
  }

  /// Reads a file; one that cannot be read is an entry, too.
  package init(_ path: String, _ password: Password?) {
    name = path
    result = Result { () throws(Problem) in try Self.inspection(path, password) }
  }

  private static func inspection(_ path: String, _ password: Password?) throws(Problem) -> KeyFileInspection {
    // No other variable holds the bytes: wiping a shared array would only wipe a copy.
    var file: KeyFile
    do {
      file = KeyFile(name: path, bytes: try FileReader.wholeFile(path), password: password)
    } catch {
      throw Problem(code: Problem.unreadable, detail: nil, message: error.message)
    }
    defer { file.wipe() }
    do {
      return try KeyFileInspection(file)
    } catch {
      throw Problem(code: error.code.rawValue, detail: error.certificateError?.rawValue, message: error.advice)
    }
  }

  /// Empty if the file could not be understood.
  var items: [KeyFileInspection.Item] { (try? result.get())?.items ?? [] }
}
