import PaymentToken
import TokenScanning

/// What a request says beside its token and a merchant that decrypts sends on. Nobody signs it: it never decides what is
/// paid, which is the token's to say.
public struct OrderFields: Hashable, Sendable {
  /// Whether the money is taken at once.
  public enum Capture: Hashable, Sendable {
    /// Worldline FINAL_AUTHORIZATION, Mastercard Gateway AUTHORIZE, Bambora `complete` false.
    case authorization
    /// Worldline SALE, Mastercard Gateway PAY, Bambora `complete` true.
    case purchase
  }

  /// Nil when the request does not say: an authorization, which takes nothing yet.
  public var capture: Capture?
  /// The merchant's name for the order.
  public var reference: String?
  public var billingContact: PaymentContact?
  public var shippingContact: PaymentContact?
  /// `device.ani`: the telephone number the order came from.
  public var telephoneNumber: String?
  /// `device.mobilePhoneModel`
  public var phoneModel: String?
  /// `posTerminal.location`
  public var terminalLocation: MastercardRequest.TerminalLocation?

  /// None at all.
  public init() {}

  /// The fields of a request that came in an envelope; an absent field stays nil.
  ///
  /// - Throws: `malformedRequest`, `malformedField`.
  public init(of request: Span<UInt8>, in envelope: Envelope) throws(MappingError) {
    let document: JSONTree
    do {
      document = try JSONTree(reading: request)
    } catch {
      throw .malformedRequest
    }
    let reader = OrderFieldsReader(document)
    switch envelope {
    case .applepayjs:
      billingContact = try reader.contact(["billingContact"])
      shippingContact = try reader.contact(["shippingContact"])
    case .worldline:
      reference = try reader.text(["order", "references", "merchantReference"])
      capture = try reader.capture(
        ["mobilePaymentMethodSpecificInput", "authorizationMode"],
        [
          WorldlineRequest.AuthorizationMode.finalAuthorization.rawValue: .authorization,
          WorldlineRequest.AuthorizationMode.sale.rawValue: .purchase,
        ])
    case .mpgs:
      reference = try reader.text(["order", "reference"])
      capture = try reader.capture(
        ["apiOperation"],
        [
          MastercardRequest.Operation.authorize.rawValue: .authorization,
          MastercardRequest.Operation.pay.rawValue: .purchase,
        ])
      telephoneNumber = try reader.text(["device", "ani"])
      phoneModel = try reader.text(["device", "mobilePhoneModel"])
      terminalLocation = try reader.terminalLocation(["posTerminal", "location"])
    case .bambora:
      reference = try reader.text(["order_number"])
      capture =
        BamboraCompletion(complete: try reader.boolean(["apple_pay", "complete"])) == .purchase
        ? .purchase : .authorization
    default: break
    }
  }
}
