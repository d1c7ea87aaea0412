import Gateways
import PaymentToken
import StrictJSON
import TestCases

/// The lines that an external reads, each with its newline (Docs/LineProtocol.md).
enum ProtocolLines {
  static func hello(_ setting: TestSetting, windowSeconds: UInt32?) -> [UInt8] {
    let keys = setting.keys.map { key in
      JSONObject([
        .init("privateKeyPem", string(key.privateKeyPem)), .init("certificatePem", string(key.certificatePem)),
        .init("merchantId", string(key.merchantId)),
      ])
    }
    return line(
      JSONObject([
        .init("hello", .raw("1")), .init("keys", .array(keys.map { .object($0) })),
        .init("rootsPem", .array(setting.rootsPem.map { string($0) })),
        .init("windowSeconds", .raw(windowSeconds.map { String($0) } ?? "null")),
      ]))
  }

  static func trial(_ trial: TestCase, id: String) -> [UInt8] {
    var message = JSONObject([
      .init("id", string(id)), .init("token", .string(Base64.encode(trial.request))),
      .init("at", .string(trial.context.now.rfc3339)),
    ])
    let policy = members(of: trial.context.policy)
    if !policy.members.isEmpty { message.append("policy", .object(policy)) }
    if !trial.context.prelude.isEmpty {
      message.append("prelude", .array(trial.context.prelude.map { .string(Base64.encode($0)) }))
    }
    return line(message)
  }

  /// Only what differs from the protocol's defaults.
  private static func members(of policy: TestPolicy) -> JSONObject {
    var members = JSONObject()
    if policy.envelope != .named(.apple) { members.append("envelope", string(policy.envelope.name)) }
    if policy.isUnsigned { members.append("unsigned", .raw("true")) }
    var expected = JSONObject()
    if let currency = policy.expectations.currencyCode { expected.append("currency", string(currency)) }
    if let amount = policy.expectations.transactionAmount { expected.append("amount", .raw(String(amount))) }
    if let data = policy.expectations.applicationData { expected.append("applicationData", .string(data.hex)) }
    if !expected.members.isEmpty { members.append("expect", .object(expected)) }
    if policy.replayCapacity != nil { members.append("replay", .raw("true")) }
    if !policy.revoked.isEmpty { members.append("revoked", .array(policy.revoked.map { .string($0.hex) })) }
    return members
  }

  private static func line(_ message: JSONObject) -> [UInt8] { JSONValue.object(message).text() + [0x0A] }

  /// A string, or null.
  private static func string(_ text: String?) -> JSONValue {
    .raw(text.map { JSONText.quoted($0, .lineFeeds) } ?? Array("null".utf8))
  }
}
