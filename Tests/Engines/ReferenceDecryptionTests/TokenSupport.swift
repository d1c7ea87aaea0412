import Foundation
import MerchantKeys
import PaymentToken
import ReferenceDecryption
import TestSupport

/// Genuine tokens by the beginning of their names, and the means to change them.
enum Genuine {
  static func token(_ prefix: String) throws -> RealToken {
    try required(RealTokens.all.first { $0.name.hasPrefix(prefix) })
  }

  static func engine(_ keys: MerchantKeySet? = nil, anchors: TrustAnchors = .apple) throws -> ReferenceDecryptor {
    try ReferenceDecryptor(keys: try keys ?? RealTokens.keys(), anchors: anchors)
  }
}

/// `#require` for helpers that are not tests.
func required<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw CocoaError(.featureUnsupported) }
  return value
}

extension ReferenceDecryptor {
  /// The result for a token given as bytes.
  func result(
    _ token: [UInt8], at now: UnixTime = .farAway, _ policy: VerificationPolicy = .archival
  ) -> Result<DecryptedToken, TokenFault> {
    decryptTraced(token.span, at: now, under: policy).result
  }

  /// The fault of a token; nil if it is accepted.
  func fault(_ token: [UInt8], at now: UnixTime = .farAway, _ policy: VerificationPolicy = .archival) -> TokenFault? {
    guard case .failure(let fault) = result(token, at: now, policy) else { return nil }
    return fault
  }
}

extension UnixTime {
  /// A time in 2033, when every leaf seen so far has expired.
  static let farAway = UnixTime(secondsSinceEpoch: 2_000_000_000)
}

extension VerificationPolicy {
  static let archival = VerificationPolicy(freshness: .signingTime)
}

/// A token's members as text, to be changed one by one and written again.
struct TokenParts {
  var version = "EC_v1"
  var data = "", signature = "", ephemeralPublicKey = "", publicKeyHash = "", transactionId = ""
  var applicationData: String?

  init(_ token: [UInt8]) throws {
    let object = try required(JSONSerialization.jsonObject(with: Data(token)) as? [String: Any])
    let header = try required(object["header"] as? [String: Any])
    version = try required(object["version"] as? String)
    data = try required(object["data"] as? String)
    signature = try required(object["signature"] as? String)
    ephemeralPublicKey = try required(header["ephemeralPublicKey"] as? String)
    publicKeyHash = try required(header["publicKeyHash"] as? String)
    transactionId = try required(header["transactionId"] as? String)
    applicationData = header["applicationData"] as? String
  }

  var token: [UInt8] {
    let application = applicationData.map { #","applicationData":"\#($0)""# } ?? ""
    return Array(
      """
      {"version":"\(version)","data":"\(data)","signature":"\(signature)","header":{"ephemeralPublicKey":\
      "\(ephemeralPublicKey)","publicKeyHash":"\(publicKeyHash)","transactionId":"\(transactionId)"\(application)}}
      """.utf8)
  }

  var signatureBytes: [UInt8] {
    get { Array(Data(base64Encoded: signature) ?? Data()) }
    set { signature = Base64.encode(newValue) }
  }

  var dataBytes: [UInt8] {
    get { Array(Data(base64Encoded: data) ?? Data()) }
    set { data = Base64.encode(newValue) }
  }

  var ephemeralBytes: [UInt8] {
    get { Array(Data(base64Encoded: ephemeralPublicKey) ?? Data()) }
    set { ephemeralPublicKey = Base64.encode(newValue) }
  }
}
