import Foundation
import Gateways

/// The literal examples of the gateways' documents, comments taken out and a token put in where they have points.
enum DocumentExamples {
  /// Bytes of the right number where the documents have shortened ones.
  static let key = SentPayment.ephemeralKey
  static let hash = SentPayment.publicKeyHash

  static let token = """
    {"version":"EC_v1","data":"\(key)","signature":"\(key)","header":{"publicKeyHash":"\(hash)",\
    "ephemeralPublicKey":"\(key)","transactionId":"\(String(repeating: "c1", count: 32))"}}
    """

  static let createHostedCheckout = """
    {"order":{"amountOfMoney":{"currencyCode":"EUR","amount":1000}},"hostedCheckoutSpecificInput":{"locale":"en_GB",
    "returnUrl":"https://yourReturnUrl.com"},"mobilePaymentMethodSpecificInput":{
    "authorizationMode":"FINAL_AUTHORIZATION","paymentProductId":302}}
    """

  static let createPayment = """
    {"mobilePaymentMethodSpecificInput":{"encryptedPaymentData":"\(key)","paymentProductId":302,
    "authorizationMode":"FINAL_AUTHORIZATION",
    "ephemeralPublicKey":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYcF+GXB1DjbKLn5PgxVky2QTk53HjfoIXOvE7kH6+lixJKSTv1AuPlAUsBD2Nu2qHFwP50Abeh1onwvmvMYY/g==",
    "publicKeyHash":"uUhU0fJoEJNk11gR8Ptd5Uw+jAnudz24rC2EuVcrZhM="},
    "order":{"amountOfMoney":{"amount":3000,"currencyCode":"EUR"}}}
    """

  static let createPaymentDecrypted = """
    {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4761120010000492",
    "cryptogram":"jiSRYgf6G2rjYwAAC0GPAHQAAAA=","expiryDate":"1225","cardholderName":"John Doe","eci":"7"},
    "paymentProductId":302,"authorizationMode":"FINAL_AUTHORIZATION"},
    "order":{"amountOfMoney":{"amount":3000,"currencyCode":"EUR"}}}
    """

  static let authorize = """
    {"apiOperation":"AUTHORIZE","order":{"currency":"USD","amount":"61.00","walletProvider":"APPLE_PAY"},
    "sourceOfFunds":{"type":"CARD","provided":{"card":{"devicePayment":{
    "paymentToken":\(String(decoding: JSONText.quoted(token), as: UTF8.self))}}}},"transaction":{"source":"INTERNET"}}
    """

  static let authorizeDecrypted = """
    {"apiOperation":"AUTHORIZE","order":{"amount":"30.10","currency":"USD","walletProvider":"APPLE_PAY"},
    "sourceOfFunds":{"provided":{"card":{"number":"5123450000000008","expiry":{"month":"01","year":"39"},
    "devicePayment":{"cryptogramFormat":"3DSECURE","onlinePaymentCryptogram":"IA/8pdiWftSsxpFT6wABoDABhgA=",
    "eciIndicator":"20"}}},"type":"CARD"},"device":{"ani":"12341234"},"transaction":{"source":"INTERNET"}}
    """

  static let mastercardResponse = """
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

  static let preOrder = """
    {"paymentRequestId":"string","merchantIdentifier":"merchant.com.example.applepay","order":{"orderAmount":{
    "value":"1","currency":"CAD"},"description":"Apple Pay test order","notifyUrl":"https://www.example.com/notify"}}
    """

  static let preOrderResponse = """
    {"paymentRequestId":"string","paymentId":"string","paymentCreateTime":"2019-08-24T14:15:22Z",
    "paymentExpireTime":"2019-08-24T14:45:22Z","applePayParams":{"orderId":"string",
    "merchantIdentifier":"merchant.com.example.applepay","countryCode":"CA","currencyCode":"CAD",
    "label":"Demo Merchant","amount":"0.01","supportedNetworks":["visa","masterCard","amex"],
    "merchantCapabilities":["supports3DS","supportsCredit","supportsDebit"]},
    "result":{"resultCode":"PAYMENT_IN_PROCESS","resultMessage":"string","resultStatus":"U"}}
    """

  static let pay = """
    {"paymentId":"string","customerId":"string","token":{
    "transactionIdentifier":"\(String(repeating: "c1", count: 32))",
    "paymentMethod":{"displayName":"Visa 1234","network":"Visa","type":"debit"},"paymentData":\(token)}}
    """

  static let payResponse = """
    {"paymentRequestId":"string","paymentId":"string","paymentStatus":"SUCCESS","paymentTime":"2019-08-24T14:16:22Z",
    "transactionId":"string","result":{"resultCode":"SUCCESS","resultMessage":"string","resultStatus":"S"}}
    """

  static let bamboraPayment = """
    {"amount":1.00,"payment_method":"apple_pay","apple_pay":{"apple_pay_merchant_id":"<your_apple_pay_merchant_id>",
    "payment_token":"\(Data(token.utf8).base64EncodedString())","complete":true}}
    """

  static let bamboraApp = """
    {"amount":1.12,"transaction-type":"purchase","apple-wallet":{
    "payment-token":"\(Data(token.utf8).base64EncodedString())","apple-pay-merchant-id":"merchant.com.mycompany.myapp"}}
    """

  /// Each with its gateway and body.
  static let all: [(gateway: String, body: String, text: String)] = [
    ("worldline", "create-hosted-checkout", createHostedCheckout), ("worldline", "create-payment", createPayment),
    ("worldline", "create-payment-decrypted", createPaymentDecrypted), ("mpgs", "authorize", authorize),
    ("mpgs", "authorize-decrypted", authorizeDecrypted), ("mpgs", "response", mastercardResponse),
    ("alphapay", "preorder", preOrder), ("alphapay", "preorder-response", preOrderResponse), ("alphapay", "pay", pay),
    ("alphapay", "pay-response", payResponse), ("bambora", "payment", bamboraPayment), ("bambora", "app", bamboraApp),
  ]
}
