import Gateways
import Minting
import PaymentToken
import TestCases

/// Extracts the inputs of single-layer targets from samples.
package enum SeedPieces {
  /// The inputs for a target in a sample's file; none if the layer is missing.
  package static func pieces(of bytes: [UInt8], for target: FuzzTarget, in sampleSigner: SampleSigner) -> [[UInt8]] {
    let draft = Draft(TestInput(file: bytes, defaults: sampleSigner.defaultContext), in: sampleSigner)
    func version(_ bytes: [UInt8]?) -> [[UInt8]] {
      bytes.map { [[UInt8(TokenVersion.allCases.firstIndex(of: draft.version) ?? 0)] + $0] } ?? []
    }
    switch target {
    // Long strings test no more than short ones, and take longer.
    case .json: return [(draft.requestTree?.shortened ?? .object([])).text]
    case .base64: return ["data", "signature"].compactMap { draft.token?.content(at: [$0]) }
    case .cms: return version(draft.fields.signature)
    case .payload: return version(draft.payload)
    case .line:
      return [
        Array(#"{"id":"1","token":"\#(Base64.encode(draft.request))","at":"2026-03-01T12:00:00Z"}"#.utf8),
        Array(#"{"id":"1","accepted":true,"plaintext":"\#(Base64.encode(draft.payload ?? []))"}"#.utf8),
        Array(#"{"id":"1","accepted":false,"code":"signatureMismatch","stage":8,"member":null}"#.utf8),
        Array(#"{"hello":1,"name":"n","version":"1","supports":["EC_v1","RSA_v1","envelopes"]}"#.utf8),
      ]
    case .gateways: return [draft.request] + gateways
    case .kernel: return []
    case .token, .envelopes: return [bytes]
    }
  }

  /// An order, a pre-order, an answer of each kind, a log of events, a form.
  private static let gateways = [
    #"{"amount":1250,"currency":"EUR","reference":"r","capture":"purchase","billingContact":{"givenName":"A"}}"#,
    #"{"paymentRequestId":"1","order":{"orderAmount":{"value":"1250","currency":"CAD"},"description":"x"}}"#,
    #"{"paymentId":"2","applePayParams":{"orderId":"2","merchantIdentifier":"m","countryCode":"CA","currencyCode":"CAD","#
      + #""label":"L","amount":"12.50","supportedNetworks":["visa"],"merchantCapabilities":["supports3DS"]},"#
      + #""result":{"resultStatus":"U"}}"#,
    #"{"paymentId":"2","paymentStatus":"SUCCESS","result":{"resultCode":"SUCCESS","resultStatus":"S"}}"#,
    #"{"result":"SUCCESS","order":{"amount":12.50,"currency":"EUR"},"sourceOfFunds":{"provided":{"card":"#
      + #"{"number":"411111xxxxxx1111"}}},"response":{"gatewayCode":"APPROVED","gatewayRecommendation":"PROCEED"}}"#,
    [
      "load_pending", "load_success", "commit_success", "polling_start", "polling_success", "cancel",
    ].map { #"{"eventName":"onramp_api.\#($0)"}"# }.joined(separator: "\n"),
    "amount=12.50&transaction-type=purchase&apple-wallet%5Bpayment-token%5D=e30%3D",
  ].map { Array($0.utf8) }
}

extension JSONPiece {
  /// The same value with the middle of long strings removed.
  fileprivate var shortened: JSONPiece {
    switch self {
    case .scalar(let text): .scalar(text.count > 72 ? text.prefix(40) + text.suffix(24) : text)
    case .array(let elements): .array(elements.map(\.shortened))
    case .object(let members): .object(members.map { Member(name: $0.name, $0.value.shortened) })
    }
  }
}
