import StrictJSON

/// A request of a gateway that this package does not read, recognized by the place of its token.
struct KnownRequest {
  private let gateway: String
  private let path: [String]

  /// The paths are those of the gateways' references: Adyen "Apple Pay, API only", braintree-web's `tokenize`,
  /// Cybersource "Apple Pay, merchant decryption and Cybersource decryption", Stripe "Create an Apple Pay token".
  private static let all = [
    KnownRequest(gateway: "Adyen", path: ["paymentMethod", "applePayToken"]),
    KnownRequest(gateway: "Adyen", path: ["paymentMethod", "applepay.token"]),
    KnownRequest(gateway: "Adyen", path: ["additionalData", "payment.token"]),
    KnownRequest(gateway: "Braintree", path: ["applePaymentToken", "paymentData"]),
    KnownRequest(gateway: "Cybersource", path: ["paymentInformation", "fluidData", "value"]),
    KnownRequest(gateway: "Stripe", path: ["pk_token"]),
  ]

  /// The form of a request of one of these gateways; nil for any other document.
  static func form(of document: JSON, in text: [UInt8]) -> InputForm? {
    guard let request = all.first(where: { document[$0.path].map(\.mayHoldToken) ?? false }) else { return nil }
    return InputForm(
      words: "a request to \(request.gateway)", diagnosis: .otherGatewayRequest,
      subject: "\(request.gateway), \(request.path.joined(separator: "."))", command: TokenPlace(in: text)?.command)
  }

  /// The gateway whose form-encoded requests have the token in this field.
  static func named(byField name: String) -> String? { all.first { $0.path == [name] }?.gateway }
}

extension JSON {
  fileprivate var mayHoldToken: Bool {
    switch self {
    case .object, .string: true
    case .array, .null, .boolean, .number, .verbatim: false
    }
  }
}
