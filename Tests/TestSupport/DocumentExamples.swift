import Foundation

/// The examples of the gateways' documents, without comments, and with a token where the documents have only points.
public struct DocumentExamples: Sendable {
  /// The token.
  public let token: String
  /// Members of it.
  let data, key, hash, transactionId: String

  /// - Parameter token: a token of EC_v1.
  public init(token: String) {
    let members = (try? JSONSerialization.jsonObject(with: Data(token.utf8))) as? [String: Any]
    let header = members?["header"] as? [String: String]
    self.token = token
    data = members?["data"] as? String ?? ""
    key = header?["ephemeralPublicKey"] ?? ""
    hash = header?["publicKeyHash"] ?? ""
    transactionId = header?["transactionId"] ?? ""
  }

  /// Base64 of the right number of bytes where the documents shorten it: 91 for a key, 32 for a hash.
  public static let key = Data(0..<91).base64EncodedString()
  public static let hash = Data(0..<32).base64EncodedString()

  /// The examples with JSON that has the form of a token but is none.
  public static let sample = DocumentExamples(
    token: """
      {"version":"EC_v1","data":"\(key)","signature":"\(key)","header":{"publicKeyHash":"\(hash)",\
      "ephemeralPublicKey":"\(key)","transactionId":"\(String(repeating: "c1", count: 32))"}}
      """)

  public static let createHostedCheckout = """
    {"order":{"amountOfMoney":{"currencyCode":"EUR","amount":1000}},"hostedCheckoutSpecificInput":{"locale":"en_GB",
    "returnUrl":"https://yourReturnUrl.com"},"mobilePaymentMethodSpecificInput":{
    "authorizationMode":"FINAL_AUTHORIZATION","paymentProductId":302}}
    """

  public var createPayment: String {
    """
    {"mobilePaymentMethodSpecificInput":{"encryptedPaymentData":"\(data)","paymentProductId":302,
    "authorizationMode":"FINAL_AUTHORIZATION",
    "ephemeralPublicKey":"\(key)",
    "publicKeyHash":"\(hash)"},
    "order":{"amountOfMoney":{"amount":3000,"currencyCode":"EUR"}}}
    """
  }

  public static let createPaymentDecrypted = """
    {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4761120010000492",
    "cryptogram":"jiSRYgf6G2rjYwAAC0GPAHQAAAA=","expiryDate":"1225","cardholderName":"John Doe","eci":"7"},
    "paymentProductId":302,"authorizationMode":"FINAL_AUTHORIZATION"},
    "order":{"amountOfMoney":{"amount":3000,"currencyCode":"EUR"}}}
    """

  private var escapedToken: String { token.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }

  public var authorize: String {
    """
    {"apiOperation":"AUTHORIZE","order":{"currency":"USD","amount":"61.00","walletProvider":"APPLE_PAY"},
    "sourceOfFunds":{"type":"CARD","provided":{"card":{"devicePayment":{
    "paymentToken":"\(escapedToken)"}}}},"transaction":{"source":"INTERNET"}}
    """
  }

  public static let authorizeDecrypted = """
    {"apiOperation":"AUTHORIZE","order":{"amount":"30.10","currency":"USD","walletProvider":"APPLE_PAY"},
    "sourceOfFunds":{"provided":{"card":{"number":"5123450000000008","expiry":{"month":"01","year":"39"},
    "devicePayment":{"cryptogramFormat":"3DSECURE","onlinePaymentCryptogram":"IA/8pdiWftSsxpFT6wABoDABhgA=",
    "eciIndicator":"20"}}},"type":"CARD"},"device":{"ani":"12341234"},"transaction":{"source":"INTERNET"}}
    """

  public static let mastercardResponse = """
    {"authorizationResponse":{"posEntryMode":"812","responseCode":"00"},"device":{"ani":"12341234"},
    "gatewayEntryPoint":"WEB_SERVICES_API","merchant":"TESTMERCHANT","order":{"amount":30.10,
    "authenticationStatus":"AUTHENTICATION_NOT_IN_EFFECT","certainty":"FINAL",
    "chargeback":{"amount":0,"currency":"USD"},"creationTime":"2023-03-14T10:15:33.819Z","currency":"USD",
    "id":"844205983","status":"AUTHORIZED","totalAuthorizedAmount":30.10,"totalCapturedAmount":0.00,
    "walletProvider":"APPLE_PAY"},"response":{"acquirerCode":"00","acquirerMessage":"Approved",
    "gatewayCode":"APPROVED","gatewayRecommendation":"PROCEED"},"result":"SUCCESS","sourceOfFunds":{"provided":{
    "card":{"brand":"MASTERCARD","devicePayment":{"cryptogramFormat":"3DSECURE"},"deviceSpecificExpiry":{"month":"1",
    "year":"39"},"deviceSpecificNumber":"512345xxxxxx0008","encryption":"DEVICE","expiry":{"month":"11","year":"27"},
    "fundingMethod":"UNKNOWN","number":"xxxxxxxxxxxxxxxx","scheme":"MASTERCARD","storedOnFile":"NOT_STORED"}},
    "type":"CARD"},"timeOfRecord":"2023-03-14T10:15:33.930Z","transaction":{"amount":30.10,"currency":"USD",
    "id":"950596203","source":"INTERNET","type":"AUTHORIZATION"},"version":"71"}
    """

  public static let preOrder = """
    {"paymentRequestId":"string","merchantIdentifier":"merchant.com.example.applepay","order":{"orderAmount":{
    "value":"1","currency":"CAD"},"description":"Apple Pay test order","notifyUrl":"https://www.example.com/notify"}}
    """

  public static let preOrderResponse = """
    {"paymentRequestId":"string","paymentId":"string","paymentCreateTime":"2019-08-24T14:15:22Z",
    "paymentExpireTime":"2019-08-24T14:45:22Z","applePayParams":{"orderId":"string",
    "merchantIdentifier":"merchant.com.example.applepay","countryCode":"CA","currencyCode":"CAD",
    "label":"Demo Merchant","amount":"0.01","supportedNetworks":["visa","masterCard","amex"],
    "merchantCapabilities":["supports3DS","supportsCredit","supportsDebit"]},
    "result":{"resultCode":"PAYMENT_IN_PROCESS","resultMessage":"string","resultStatus":"U"}}
    """

  public var pay: String {
    """
    {"paymentId":"string","customerId":"string","token":{
    "transactionIdentifier":"\(transactionId)",
    "paymentMethod":{"displayName":"Visa 1234","network":"Visa","type":"debit"},"paymentData":\(token)}}
    """
  }

  public static let payResponse = """
    {"paymentRequestId":"string","paymentId":"string","paymentStatus":"SUCCESS","paymentTime":"2019-08-24T14:16:22Z",
    "transactionId":"string","result":{"resultCode":"SUCCESS","resultMessage":"string","resultStatus":"S"}}
    """

  /// Of AlphaPay's page "Order Inquiry API", with the amount of `preOrder`.
  public static let inquiryResponse = """
    {"scenarioCode":"APP","paymentRequestId":"string","order":{"orderAmount":{"value":"1","currency":"CAD"},
    "description":"string","notifyUrl":"string","redirectUrl":"string"},"paymentCreateTime":"2019-08-24T14:15:22Z",
    "paymentExpireTime":"2019-08-24T14:15:22Z","paymentTime":"2019-08-24T14:15:22Z","paymentId":"string",
    "paymentStatus":"SUCCESS","result":{"resultCode":"SUCCESS","resultMessage":"string","resultStatus":"S"}}
    """

  public var bamboraPayment: String {
    """
    {"amount":1.00,"payment_method":"apple_pay","apple_pay":{"apple_pay_merchant_id":"<your_apple_pay_merchant_id>",
    "payment_token":"\(Data(token.utf8).base64EncodedString())","complete":true}}
    """
  }

  public var bamboraApp: String {
    """
    {"amount":1.12,"transaction-type":"purchase","apple-wallet":{
    "payment-token":"\(Data(token.utf8).base64EncodedString())","apple-pay-merchant-id":"merchant.com.mycompany.myapp"}}
    """
  }

  /// UPDATE SESSION is AUTHORIZE without its operation: the document has no example of it.
  private static func session(_ text: String) -> String {
    text.replacing(#""apiOperation":"AUTHORIZE","#, with: "")
  }

  /// The examples that enclose a token, each with the names of its gateway and body.
  public var enclosing: [(gateway: String, body: String, text: String)] {
    [
      ("worldline", "create-payment", createPayment), ("mpgs", "authorize", authorize),
      ("mpgs", "update-session", Self.session(authorize)), ("alphapay", "pay", pay),
      ("bambora", "payment", bamboraPayment), ("bambora", "app", bamboraApp),
    ]
  }

  /// All examples, each with the names of its gateway and body.
  public static let all: [(gateway: String, body: String, text: String)] =
    sample.enclosing + [
      ("worldline", "create-hosted-checkout", createHostedCheckout),
      ("worldline", "create-payment-decrypted", createPaymentDecrypted),
      ("mpgs", "authorize-decrypted", authorizeDecrypted),
      ("mpgs", "update-session-decrypted", session(authorizeDecrypted)), ("mpgs", "response", mastercardResponse),
      ("alphapay", "preorder", preOrder), ("alphapay", "preorder-response", preOrderResponse),
      ("alphapay", "pay-response", payResponse), ("alphapay", "inquiry-response", inquiryResponse),
    ]
}
