import PaymentToken

/// What a request says beside its token and a merchant that decrypts sends on.
///
/// Nobody signs it: it never decides what is paid, which is the token's to say.
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
  /// Who pays.
  public var billingContact: PaymentContact?
  /// Who is sent the goods.
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
  /// - Throws: what the readers of the gateway's requests throw.
  public init(of request: Span<UInt8>, in envelope: Envelope) throws(RequestError) {
    switch envelope {
    case .applepayjs: self.init(try ApplePayJSRequest(reading: request))
    case .worldline: self.init(try WorldlineRequest(reading: request))
    case .mpgs: self.init(try MastercardRequest(reading: request))
    case .bambora: self.init(try BamboraRequest(reading: request))
    default: self.init()
    }
  }

  /// The contacts.
  public init(_ request: ApplePayJSRequest) {
    billingContact = request.billingContact
    shippingContact = request.shippingContact
  }

  /// Reference and mode.
  public init(_ request: WorldlineRequest) {
    reference = request.merchantReference
    capture = request.authorizationMode.map { $0 == .sale ? .purchase : .authorization }
  }

  /// Reference, operation, device and terminal.
  public init(_ request: MastercardRequest) {
    reference = request.reference
    switch request.operation {
    case .authorize: capture = .authorization
    case .pay: capture = .purchase
    case .updateSession: capture = nil
    }
    telephoneNumber = request.ani
    phoneModel = request.phoneModel
    terminalLocation = request.terminalLocation
  }

  /// Number, and whether it is a purchase.
  public init(_ request: BamboraRequest) {
    reference = request.orderNumber
    capture = BamboraCompletion(complete: request.complete) == .purchase ? .purchase : .authorization
  }
}
