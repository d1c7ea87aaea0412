import Corpus
import Gateways
import MerchantKeys
import Minting
import PaymentToken
import StrictJSON
import TestCases

/// The lines sent to an external program, each with its newline (Docs/LineProtocol.md).
enum ProtocolLines {
  static func hello(_ setting: TestSetting, windowSeconds: UInt32?) -> [UInt8] {
    let keys = setting.keys.map { key in
      JSONObject([
        "privateKeyPem": string(key.privateKeyPem), "certificatePem": string(certificate(of: key)),
        "merchantId": string(key.merchantId),
      ])
    }
    return line([
      "hello": 1, "keys": keys, "rootsPem": setting.rootsPem.map { string($0) },
      "windowSeconds": windowSeconds.map { JSONValue.raw(String($0)) } ?? null,
    ])
  }

  /// The certificate of a key, or a stand-in with its merchant ID: libraries that read the merchant ID from there would
  /// refuse sound tokens without one.
  private static func certificate(of key: TestKey) -> String? {
    if let certificate = key.certificatePem { return certificate }
    guard let merchantId = key.merchantId else { return nil }
    var file = KeyFile(name: "key", bytes: [UInt8](key.privateKeyPem.utf8))
    defer { file.wipe() }
    // A key that cannot be loaded gets no stand-in, nor does one of RSA_v1: its tokens do not depend on a merchant ID.
    guard let held = try? MerchantKeySet(files: [file], merchantIDs: [.uncertified(merchantID: merchantId)]),
      held.count == 1, case .p256(let point) = held[0].publicKey
    else { return nil }
    return try? MerchantAuthority.standIn(for: point, of: merchantId, at: VectorGenerator.time)
  }

  static func test(_ test: TestCase, id: String) -> [UInt8] {
    let prelude = test.context.prelude
    return line([
      "id": string(id), "token": Base64.encode(test.request), "at": test.context.now.rfc3339,
      "policy": members(of: test.context.policy).nonEmpty,
      "prelude": prelude.isEmpty ? nil : prelude.map { Base64.encode($0) },
    ])
  }

  /// Only what differs from the protocol's defaults.
  private static func members(of policy: TestPolicy) -> JSONObject {
    let expected: JSONObject = [
      "currency": policy.expectations.currencyCode.map { string($0) }, "amount": policy.expectations.transactionAmount,
      "applicationData": policy.expectations.applicationData?.hex,
    ]
    return [
      "envelope": policy.envelope == .named(.apple) ? nil : string(policy.envelope.name),
      "unsigned": policy.isUnsigned ? true : nil, "expect": expected.nonEmpty,
      "replay": policy.replay != nil ? true : nil,
      "revoked": policy.revoked.isEmpty ? nil : policy.revoked.map(\.hex),
    ]
  }

  private static let null = JSONValue.raw("null")

  private static func line(_ message: JSONObject) -> [UInt8] { JSONValue.object(message).text() + [0x0A] }

  /// A string, or null.
  private static func string(_ text: String?) -> JSONValue {
    text.map { .raw(JSONText.quoted($0, .lineFeeds)) } ?? null
  }
}
