import FastDecryption
import Gateways
import HostIO
import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// The options of every command that verifies, parsed but with no file read yet.
struct VerificationOptions {
  static let definitions: [OptionDefinition] = [
    .value("--key", "FILE", repeatable: true, "private key of a payment processing certificate, or a folder of keys"),
    .value("--cert", "FILE", repeatable: true, "payment processing certificate, PEM or DER; paired by public key"),
    .value("--p12", "FILE", repeatable: true, "private key with its certificate, PKCS #12"),
    .value("--password-file", "FILE", "password of .p12 files and encrypted private keys"),
    .value(
      "--merchant-id", "ID", repeatable: true, "merchant identifier of keys without a certificate; KEYFILE=ID for one"),
    .value("--root", "FILE", repeatable: true, "root certificate to trust instead of Apple Root CA - G3"),
    .value("--at", "TIME", "verification time: RFC 3339, now, or signing-time for a stored token (default: now)"),
    .value("--window", "SECONDS", "largest distance between signing time and verification time, or off (default: 300)"),
    .value("--revoked", "FILE", "certificates or public keys not to trust: one SHA-256 in hexadecimal per line"),
    .choice(
      "--envelope", ["auto"] + Envelope.all.map(\.name), "format of the request that contains the token (default: auto)"
    ),
    .flag(
      "--unsigned",
      "also accept unsigned tokens in parts (\(inParts.listed("or"))); anyone may have made them"),
    .choice("--engine", EngineName.allCases.map(\.rawValue), "engine to use (default: fast)"),
    .value(
      "--expect-currency", "CODE", "required ISO 4217 code, 978 or EUR, or request for the one in the request"),
    .value(
      "--expect-amount", "AMOUNT",
      "required amount: 1250 (minor units) or 12.50, or request for that in the request"),
    .value("--expect-application-data", "HEX", "SHA-256 of the request's application data"),
  ]

  private static let inParts = Envelope.all.filter(\.isInParts).map(\.name)

  let time: VerificationTime
  /// Nil if off.
  let window: UInt32?
  let envelope: EnvelopeSelection
  let engine: EngineName
  let expectations: Expectations
  let requestExpectations: RequestExpectations
  private let arguments: ParsedArguments

  var keyFiles: [String] { arguments.values("--key") }
  var certificateFiles: [String] { arguments.values("--cert") }
  var archiveFiles: [String] { arguments.values("--p12") }
  var passwordFile: String? { arguments.value("--password-file") }
  var merchantIDs: [String] { arguments.values("--merchant-id") }
  var rootFiles: [String] { arguments.values("--root") }
  var revokedFile: String? { arguments.value("--revoked") }
  var allowsUnsigned: Bool { arguments.has("--unsigned") }
  var isQuiet: Bool { arguments.has("--quiet") }

  init(_ arguments: ParsedArguments) throws(CommandError) {
    self.arguments = arguments
    envelope = arguments.value("--envelope").flatMap(Envelope.named).map { .named($0) } ?? .automatic
    engine = arguments.choice("--engine") ?? .fast
    time = try VerificationTime(arguments)
    if arguments.has("--window") && time == .signingTime {
      throw .usage("--window has no meaning with --at signing-time.")
    }
    window = arguments.value("--window") == "off" ? nil : try arguments.number("--window", in: 0...UInt32.max) ?? 300
    expectations = try VerificationOptions.expectations(arguments)
    requestExpectations = try RequestExpectations(arguments, envelope)
    if allowsUnsigned, case .named(let envelope) = envelope, !envelope.isInParts {
      let fitting = (Self.inParts + ["auto"]).listed("or")
      throw .usage("--unsigned is for tokens in parts: --envelope \(fitting), not \(envelope.name).")
    }
  }

  var files: [String] {
    keyFiles + certificateFiles + archiveFiles + rootFiles + [revokedFile, passwordFile].compactMap { $0 }
  }

  private static func expectations(_ arguments: ParsedArguments) throws(CommandError) -> Expectations {
    let takesCurrency = arguments.value("--expect-currency") == RequestExpectations.word
    let takesAmount = arguments.value("--expect-amount") == RequestExpectations.word
    let currency = takesCurrency ? nil : try arguments.currency("--expect-currency")
    return Expectations(
      applicationData: try arguments.bytes32("--expect-application-data"), currencyCode: currency,
      transactionAmount: takesAmount ? nil : try arguments.amount("--expect-amount", in: currency))
  }
}

enum VerificationTime: Equatable {
  case now
  case at(UnixTime)
  case signingTime

  init(_ arguments: ParsedArguments) throws(CommandError) {
    switch arguments.value("--at") {
    case nil, "now": self = .now
    case "signing-time": self = .signingTime
    case let text?:
      guard let time = UnixTime(argument: text) else {
        throw .usage(
          "--at must be now, signing-time, a date or a time like 2026-01-31T12:00:00Z, not \(PastedText.shown(text)).")
      }
      self = .at(time)
    }
  }
}

enum EngineName: String, CaseIterable {
  case fast
  case reference

  /// - Throws: `EngineError` for a root that violates the rules for certificates, or if libcrypto lacks an algorithm.
  func make(keys: MerchantKeySet, anchors: TrustAnchors) throws(EngineError) -> any TokenDecryptor {
    switch self {
    case .fast: try FastDecryptor(keys: keys, anchors: anchors)
    case .reference: try ReferenceDecryptor(keys: keys, anchors: anchors)
    }
  }
}
