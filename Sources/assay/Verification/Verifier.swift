import COpenSSL
import Descriptions
import Explanation
import FastDecryption
import Gateways
import HostIO
import MerchantKeys
import PaymentToken
import Reports

struct Verifier: Sendable {
  let engine: any TokenDecryptor
  let policy: VerificationPolicy
  let now: UnixTime
  let keys: MerchantKeySet
  private let options: VerificationOptions
  private let anchors: TrustAnchors

  init(_ options: VerificationOptions) throws(CommandError) {
    let anchors = try Verifier.anchors(options)
    let keys = try Verifier.keys(options)
    (self.keys, self.anchors) = (keys, anchors)
    engine = try CommandError.of { try options.engine.make(keys: keys, anchors: anchors) }
    policy = try Verifier.policy(options)
    now = Verifier.now(options)
    self.options = options
  }

  /// - Parameter hasDocument: whether a document states why the request could not be decided.
  /// - Throws: `CommandError` if the request could not be decided and no document says so.
  func outcome(of request: [UInt8], hasDocument: Bool) throws(CommandError) -> DecryptOutcome {
    let outcome = outcome(of: request, at: now)
    if !hasDocument, let reason = outcome.indecision { throw CommandError(.noAnswer, reason) }
    return outcome
  }

  func outcome(of request: [UInt8], at now: UnixTime) -> DecryptOutcome {
    let policyWithRequest: VerificationPolicy
    do {
      policyWithRequest = try options.requestExpectations.adding(to: policy, from: request)
    } catch {
      // A fault of the request or the token takes precedence over its order details.
      return switch outcome(of: request, at: now, under: policy) {
      case .accepted, .unsigned: .undecided(nil, "\(error.sentence()).")
      case let other: other
      }
    }
    return outcome(of: request, at: now, under: policyWithRequest)
  }

  private func outcome(
    of request: [UInt8], at now: UnixTime, under policy: VerificationPolicy
  ) -> DecryptOutcome {
    do throws(TokenFault) {
      guard options.allowsUnsigned else {
        return accepted(try engine.decrypt(request.span, at: now, under: policy))
      }
      return switch try engine.decryptAllowingUnsigned(request.span, at: now, under: policy) {
      case .signed(let token): accepted(token)
      case .unsigned(let token): .unsigned(token)
      }
    } catch {
      return DecryptOutcome(error)
    }
  }

  /// What to remark on certificates that belong to no key; nil if there are none.
  var remark: String? {
    let unpaired = keys.unpairedCertificates
    return unpaired.isEmpty
      ? nil : "left aside, certificates of none of the given private keys: \(Text.harmless(unpaired.words))."
  }

  /// The file with the private key that opened a token; nil if none did.
  func keyFile(of outcome: DecryptOutcome) -> String? {
    outcome.key.flatMap { keyFile($0.hash, $0.version) }
  }

  /// The file with the private key of this publicKeyHash; nil if none is loaded from a file.
  func keyFile(_ hash: Bytes32, _ version: TokenVersion) -> String? {
    keys.index(of: hash, for: version).flatMap { keys[$0].file }
  }

  /// The fast engine, if it can decide requests in batches: all have the same policy, and none may be unsigned.
  var batchEngine: FastDecryptor? {
    options.allowsUnsigned || !options.requestExpectations.areNone ? nil : engine as? FastDecryptor
  }

  /// The verification time of each batch of requests.
  var clock: @Sendable () -> UnixTime {
    if case .now = options.time { return { WallClock.now } }
    return { [now] in now }
  }

  /// Whether tokens are verified as of their own signing time.
  var isArchival: Bool { options.time == .signingTime }

  /// Why a request was rejected: the reference engine's findings under the same options.
  func explanation(of request: [UInt8], receivedAs received: [UInt8]?) throws(CommandError) -> Explanation {
    let explainer = try CommandError.of { try Explainer(KeyContext(keys), anchors: anchors) }
    let expected = try? options.requestExpectations.adding(to: policy, from: request)
    return explainer.explain(
      request.span, receivedAs: received, at: now, under: expected ?? policy, allowsUnsigned: options.allowsUnsigned)
  }

  private func accepted(_ token: DecryptedToken) -> DecryptOutcome {
    .accepted(token, archival: isArchival)
  }

  static func policy(_ options: VerificationOptions) throws(CommandError) -> VerificationPolicy {
    let freshness: Freshness =
      switch (options.time, options.window) {
      case (.signingTime, _): .signingTime
      case (_, let seconds?): .window(seconds: seconds)
      case (_, nil): .windowOff
      }
    return VerificationPolicy(
      envelope: options.envelope, freshness: freshness,
      revoked: RevokedCertificates(try revokedDigests(options.revokedFile)),
      expectations: options.expectations)
  }

  static func now(_ options: VerificationOptions) -> UnixTime {
    switch options.time {
    case .at(let time): time
    case .now, .signingTime: WallClock.now
    }
  }

  private static func keys(_ options: VerificationOptions) throws(CommandError) -> MerchantKeySet {
    switch try MerchantKeyFiles.load(options, merchantIDs: options.merchantIDs) {
    case .success(let keys): return keys
    case .failure(let refusal):
      // Without keys there is no engine; `explain` verifies what needs none.
      let refused = CommandError(refusal.error)
      throw CommandError(
        refused.exitCode, "\(refused.message) Run assay explain with the same options: it says more about the keys.")
    }
  }

  static func anchors(_ options: VerificationOptions) throws(CommandError) -> TrustAnchors {
    if options.rootFiles.isEmpty { return .apple }
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    for path in options.rootFiles { files.append(try FileReader.keyFile(path)) }
    return try CommandError.of { try TrustAnchors(files: files) }
  }

  /// The digests in a list; empty without a list.
  static func revokedDigests(_ path: String?) throws(CommandError) -> [Bytes32] {
    guard let path else { return [] }
    let text = String(streamSafe: try FileReader.wholeFile(path))
    var digests: [Bytes32] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let word = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      if word.isEmpty { continue }
      // Skipping an invalid line would leave a certificate trusted that the user means to revoke.
      guard word.count == 1, let digest = Bytes32(hex: String(word[0])) else {
        throw CommandError(.noAnswer, "\(Text.harmless(path)) line \(index + 1) is not 64 hexadecimal digits.")
      }
      digests.append(digest)
    }
    return digests
  }
}

extension CommandError {
  /// Returns what a closure makes, and converts its errors to `CommandError`. Errors of minting become internal errors.
  static func of<Value>(_ make: () throws -> Value) throws(CommandError) -> Value {
    do {
      return try make()
    } catch let error as CommandError {
      throw error
    } catch let error as KeyError {
      throw CommandError(error)
    } catch let error as EngineError {
      throw CommandError(error)
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
  }

  init(_ error: EngineError) {
    if case .cryptographyUnavailable(let algorithm) = error {
      self = .unavailable(algorithm)
    } else {
      self.init(.noAnswer, "\(error.reason).")
    }
  }

  /// The error for an algorithm that libcrypto's configuration does not provide. It names the configuration file.
  private static func unavailable(_ algorithm: String) -> CommandError {
    let file =
      Environment.value("OPENSSL_CONF")
      ?? OPENSSL_info(OPENSSL_INFO_CONFIG_DIR).map { "\(String(cString: $0))/openssl.cnf" } ?? "openssl.cnf"
    return CommandError(
      .noAnswer,
      "cryptographyUnavailable: libcrypto, configured by \(Text.harmless(file)), gives no \(algorithm), so nothing can "
        + "be decided: activate the default provider there, or name another file in OPENSSL_CONF."
        + (algorithm == Cryptography.randomNumbers ? " It also needs the system's getrandom or /dev/urandom." : ""))
  }

  /// What is wrong with a key, certificate or root, with the file's name.
  init(_ error: KeyError) {
    var message = error.file.map { "\(Text.harmless($0)): " } ?? ""
    message += "\(error.code.rawValue): \(error.advice)"
    if let detail = error.certificateError { message += " (\(detail.rawValue))" }
    self.init(.noAnswer, message)
  }
}
