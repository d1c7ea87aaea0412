import Differential
import PaymentToken
import TestCases
import TokenScanning

/// A message after `hello`: a token and the policy to verify it with.
extension TestInput {
  /// Reads the message. The replay store has room for the prelude and the token.
  ///
  /// - Parameter window: the window that `hello` named, in seconds.
  /// - Throws: `MessageError` if the message cannot be used, also for replay detection without a window.
  init(_ message: MessageObject, in line: Span<UInt8>, window: UInt32?) throws(MessageError) {
    try message.requireOnly(["id", "token", "at", "policy", "prelude"], in: line)
    let token = try Self.decoded(try message.bytes("token", in: line).required("token"))
    var context = TestContext(now: try Self.time(try message.text("at", in: line).required("at")))
    for text in try message.byteStrings("prelude", in: line) ?? [] { context.prelude.append(try Self.decoded(text)) }
    var detectsReplays = false
    if let policy = try message.object("policy", in: line) {
      try policy.requireOnly(["envelope", "unsigned", "expect", "replay", "revoked"], in: line)
      context.policy.envelope = try Self.envelope(try policy.text("envelope", in: line))
      context.policy.isUnsigned = try policy.boolean("unsigned", in: line) ?? false
      context.policy.expectations = try Self.expectations(try policy.object("expect", in: line), in: line)
      detectsReplays = try policy.boolean("replay", in: line) ?? false
      for text in try policy.byteStrings("revoked", in: line) ?? [] {
        context.policy.revoked.append(try Self.digest(String(streamSafe: text), "revoked"))
      }
    }
    if let window {
      context.policy.freshness = .window(
        seconds: window, replay: detectsReplays ? .capacity(context.prelude.count + 1) : nil)
    } else {
      if detectsReplays { throw MessageError("replay needs a window, and windowSeconds is null") }
      context.policy.freshness = .windowOff
    }
    self.init(token, context)
  }

  private static func envelope(_ name: String?) throws(MessageError) -> EnvelopeSelection {
    guard let name else { return .named(.apple) }
    guard let envelope = EnvelopeSelection(name: name) else {
      throw MessageError("envelope is not one of the protocol's names")
    }
    return envelope
  }

  private static func expectations(
    _ expect: MessageObject?, in line: Span<UInt8>
  ) throws(MessageError) -> Expectations {
    guard let expect else { return Expectations() }
    try expect.requireOnly(["currency", "amount", "applicationData"], in: line)
    var applicationData: Bytes32?
    if let text = try expect.text("applicationData", in: line) { applicationData = try digest(text, "applicationData") }
    return Expectations(
      applicationData: applicationData, currencyCode: try expect.text("currency", in: line),
      transactionAmount: try expect.integer("amount", in: line, Int64.self))
  }

  private static func digest(_ text: String, _ name: StaticString) throws(MessageError) -> Bytes32 {
    guard let digest = Bytes32(hex: text) else { throw MessageError("\(name) is not 64 hexadecimal digits") }
    return digest
  }

  private static func time(_ text: String) throws(MessageError) -> UnixTime {
    guard text.utf8.last == UInt8(ascii: "Z"), let time = UnixTime(rfc3339: text), time.civil.year > 0 else {
      throw MessageError("at is not a time like 2026-01-31T12:00:00Z")
    }
    return time
  }

  private static func decoded(_ text: [UInt8]) throws(MessageError) -> [UInt8] {
    guard let bytes = Base64Text.decoded(text) else { throw MessageError("a token is not padded base64") }
    return bytes
  }
}
