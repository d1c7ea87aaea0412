import Differential
import Gateways
import PaymentToken
import TokenScanning

/// A token to decide about, and under which demands.
struct TestMessage {
  let token: [UInt8]
  let now: UnixTime
  /// Tokens to decrypt before, under the same demands.
  let prelude: [[UInt8]]
  let expectations: Expectations
  let revoked: RevokedCertificates
  /// Whether the transactions of the prelude and the token are remembered.
  let detectsReplays: Bool
  /// What the tokens come in.
  let envelope: EnvelopeSelection
  /// Whether the unsigned policy is asked for.
  let isUnsigned: Bool

  /// - Throws: `MessageError` for what cannot be used.
  init(_ message: MessageObject, in line: Span<UInt8>) throws(MessageError) {
    try message.requireOnly(["id", "token", "at", "policy", "prelude"], in: line)
    token = try Self.decoded(try message.octets("token", in: line).required("token"))
    now = try Self.time(try message.text("at", in: line).required("at"))
    var prelude: [[UInt8]] = []
    for text in try message.octetStrings("prelude", in: line) ?? [] { prelude.append(try Self.decoded(text)) }
    self.prelude = prelude
    guard let policy = try message.object("policy", in: line) else {
      (expectations, revoked, detectsReplays) = (Expectations(), RevokedCertificates(), false)
      (envelope, isUnsigned) = (.named(.apple), false)
      return
    }
    try policy.requireOnly(["envelope", "unsigned", "expect", "replay", "revoked"], in: line)
    envelope = try Self.envelope(try policy.text("envelope", in: line))
    isUnsigned = try policy.boolean("unsigned", in: line) ?? false
    expectations = try Self.expectations(try policy.object("expect", in: line), in: line)
    detectsReplays = try policy.boolean("replay", in: line) ?? false
    revoked = try Self.revoked(try policy.octetStrings("revoked", in: line) ?? [])
  }

  /// The policy for the token and its prelude, with a replay store of their own.
  ///
  /// - Throws: `MessageError` when replays are to be detected without a window.
  func policy(window: UInt32?) throws(MessageError) -> VerificationPolicy {
    VerificationPolicy(
      envelope: envelope, freshness: try freshness(window: window), revoked: revoked, expectations: expectations)
  }

  private func freshness(window: UInt32?) throws(MessageError) -> Freshness {
    guard let window else {
      if detectsReplays { throw MessageError("replay needs a window, and windowSeconds is null") }
      return .windowOff
    }
    let store = MemoryReplayStore(capacity: prelude.count + 1, longestWindow: window)
    return .window(seconds: window, replay: detectsReplays ? store : nil)
  }

  private static func envelope(_ name: String?) throws(MessageError) -> EnvelopeSelection {
    guard let name else { return .named(.apple) }
    if name.utf8.elementsEqual("auto".utf8) { return .automatic }
    guard let envelope = Envelope.all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw MessageError("envelope is none of the protocol's")
    }
    return .named(envelope)
  }

  private static func expectations(
    _ expect: MessageObject?, in line: Span<UInt8>
  ) throws(MessageError) -> Expectations {
    guard let expect else { return Expectations() }
    try expect.requireOnly(["currency", "amount", "applicationData"], in: line)
    var applicationData: Octets32?
    if let text = try expect.text("applicationData", in: line) { applicationData = try digest(text, "applicationData") }
    return Expectations(
      applicationData: applicationData, currencyCode: try expect.text("currency", in: line),
      transactionAmount: try expect.integer("amount", in: line, Int64.self))
  }

  private static func revoked(_ texts: [[UInt8]]) throws(MessageError) -> RevokedCertificates {
    var digests: [Octets32] = []
    for text in texts { digests.append(try digest(String(decoding: text, as: UTF8.self), "revoked")) }
    return RevokedCertificates(digests)
  }

  private static func digest(_ text: String, _ name: StaticString) throws(MessageError) -> Octets32 {
    guard let digest = Octets32(hex: text) else { throw MessageError("\(name) is not 64 hexadecimal digits") }
    return digest
  }

  private static func time(_ text: String) throws(MessageError) -> UnixTime {
    guard text.utf8.last == UInt8(ascii: "Z"), let time = UnixTime(rfc3339: text) else {
      throw MessageError("at is not a time like 2026-01-31T12:00:00Z")
    }
    return time
  }

  private static func decoded(_ text: [UInt8]) throws(MessageError) -> [UInt8] {
    guard let octets = Base64Text.decoded(text) else { throw MessageError("a token is not padded base64") }
    return octets
  }
}
