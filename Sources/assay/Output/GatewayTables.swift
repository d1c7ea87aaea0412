import Gateways
import PaymentToken

/// What a merchant that decrypts sends on, member by member.
enum GatewayMappings {
  /// To either gateway that takes decrypted payments.
  static let bothWays: [GatewayDescription.Row] = [
    ("to Worldline", "--output worldline (see gateway show worldline)"),
    ("to the Mastercard Gateway", "--output mpgs (see gateway show mpgs)"),
  ]

  static func rows(_ envelope: Envelope) -> [GatewayDescription.Row] {
    switch envelope {
    case .applepayjs: bothWays + [("billingContact, shippingContact", "--output worldline carries them over")]
    case .worldline: worldline
    case .mpgs: mastercard
    case .alphapay, .bambora:
      bothWays + [("to the gateway itself", "the encrypted token: it takes no decrypted payment")]
    default: bothWays
    }
  }

  private static let worldline: [GatewayDescription.Row] = [
    ("order.amountOfMoney.amount", "transactionAmount, minor units"),
    ("order.amountOfMoney.currencyCode", "currencyCode, three letters"),
    ("order.references.merchantReference", "the request's reference"),
    ("order.customer.contactDetails", "emailAddress, phoneNumber of the contacts"),
    ("order.customer.personalInformation.name", "givenName, familyName of the billing contact"),
    ("order.customer.billingAddress", "the billing contact's address"),
    ("order.customer.shippingAddress", "the shipping contact's name and address"),
    (".paymentProductId", "302"),
    (".authorizationMode", "SALE for a purchase, else FINAL_AUTHORIZATION"),
    (".publicKeyHash", "header.publicKeyHash"),
    (".ephemeralKey", "header.ephemeralPublicKey; none under RSA_v1"),
    (".decryptedPaymentData.dpan", "applicationPrimaryAccountNumber"),
    (".decryptedPaymentData.expiryDate", "applicationExpirationDate, MMYY"),
    (".decryptedPaymentData.cryptogram", "onlinePaymentCryptogram"),
    (".decryptedPaymentData.eci", "eciIndicator, if there, a number"),
    (".decryptedPaymentData.cardholderName", "cardholderName, if there"),
  ].map { name, value in
    (name: name.hasPrefix(".") ? "mobilePaymentMethodSpecificInput" + name : name, value: value)
  }

  private static let mastercard: [GatewayDescription.Row] = [
    ("apiOperation", "PAY for a purchase, else AUTHORIZE"),
    ("order.amount", "transactionAmount, major units"),
    ("order.currency", "currencyCode, three letters"),
    ("order.reference", "the request's reference"),
    ("order.walletProvider", "APPLE_PAY"),
    ("sourceOfFunds.type", "CARD"),
    (".number", "applicationPrimaryAccountNumber"),
    (".expiry.month", "applicationExpirationDate, MM"),
    (".expiry.year", "applicationExpirationDate, YY"),
    (".nameOnCard", "cardholderName, if there"),
    (".devicePayment.cryptogramFormat", "3DSECURE"),
    (".devicePayment.onlinePaymentCryptogram", "onlinePaymentCryptogram"),
    (".devicePayment.eciIndicator", "eciIndicator, if there"),
    ("transaction.source", "INTERNET"),
    ("device.ani", "the request's"),
    ("device.mobilePhoneModel", "the request's"),
    ("posTerminal.location", "the request's"),
  ].map { name, value in
    (name: name.hasPrefix(".") ? "sourceOfFunds.provided.card" + name : name, value: value)
  }
}

/// How the gateways' sandboxes behave.
enum GatewaySandbox {
  static func rows(_ envelope: Envelope) -> [GatewayDescription.Row] {
    switch envelope {
    case .mpgs:
      MastercardSandbox.allCases.map { ("order.amount \($0.amount)", "\($0.gatewayCode): \($0.advice)") }
    case .alphapay:
      AlphaPayResultStatus.allCases.map { ("resultStatus \($0.rawValue)", $0.advice) }
        + AlphaPayPaymentStatus.allCases.map { ("paymentStatus \($0.rawValue)", $0.advice) }
    case .bambora: BamboraCompletion.allCases.map { ("apple_pay.complete \($0.complete)", $0.advice) }
    default: []
    }
  }
}
