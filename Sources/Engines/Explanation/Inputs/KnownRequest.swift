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

  /// The form of a request of one of these gateways with a token in its place; nil for any other document.
  ///
  /// - Parameter input: what the document was read from.
  static func form(of document: JSON, _ input: Input) -> InputForm? {
    let budget = SearchBudget(for: input.request.count)
    let request = all.first { request in
      document[request.path].map { TokenPlace(in: $0) != nil || HiddenToken.form(in: $0, layers: 1, budget) != nil }
        ?? false
    }
    guard let request, let unwrapping = input.unwrapping else { return nil }
    return InputForm(
      words: "a request to \(request.gateway)", diagnosis: .otherGatewayRequest,
      subject: "\(request.gateway), \(request.path.joined(separator: "."))", command: unwrapping.command,
      token: unwrapping.token)
  }

  /// The gateway whose form-encoded requests have the token in this field.
  static func named(byField name: String) -> String? { all.first { $0.path == [name] }?.gateway }
}

/// The token of another wallet, recognized by the names of its members.
enum OtherWallet {
  /// Google Pay, "Payment data cryptography for merchants": ECv1 and ECv2.
  private static let googlePay = ["signature", "protocolVersion", "signedMessage"]

  /// Nil if the document has none, or also has a token of Apple Pay.
  static func form(of document: JSON) -> InputForm? {
    let isGooglePay: Void? = document.firstResult(strings: 2) { value, _ in
      googlePay.allSatisfy { value[$0] != nil } ? () : nil
    }
    guard isGooglePay != nil, TokenPlace(in: document) == nil else { return nil }
    return InputForm(words: "a token of Google Pay", diagnosis: .otherWallet, subject: "Google Pay")
  }
}
