import PaymentToken

/// A gateway: what its requests are called, how they are read and how they are made.
public struct Gateway: Sendable {
  /// One of the requests in which the gateway takes a token.
  public struct Form: Sendable {
    /// What the gateway calls it, `AUTHORIZE`.
    public let name: String
    /// Whether the token's signature travels along; without it the unsigned policy alone opens it.
    public let isSigned: Bool
    /// Puts the request around a token.
    public let json: @Sendable (EnclosedToken, RequestDetails) -> JSONValue
  }

  /// The name as users choose it; the envelope's.
  public var name: String { envelope.name }
  /// What people call it.
  public let title: String
  /// How its requests are unwrapped.
  public let envelope: Envelope
  /// Its requests; at least one.
  public let forms: [Form]
  /// Reads what a request says that its payment is of. Nobody signed that: `RequestTerms`.
  ///
  /// Throws what the request's reader throws, and `noAmount` for requests that name neither amount nor currency.
  public let terms: @Sendable (Span<UInt8>) throws(RequestError) -> RequestTerms

  /// Whether its requests have an amount beside the token.
  public var namesAmount: Bool {
    do {
      _ = try terms(Array("{}".utf8).span)
      return true
    } catch {
      return error != .noAmount
    }
  }

  /// Those whose tokens are opened under any policy.
  public var signedForms: [Form] { forms.filter(\.isSigned) }

  /// Every gateway that takes tokens.
  public static let all: [Gateway] = [.applepayjs, .worldline, .alphapay, .mpgs, .bambora]

  /// The gateway of that name.
  public static func named(_ name: String) -> Gateway? { all.first { $0.name == name } }

  /// Apple Pay JS and PassKit, before any gateway.
  public static let applepayjs = Gateway(
    title: "Apple Pay JS / PassKit", envelope: .applepayjs,
    forms: [
      applepayjs("payment", .payment), applepayjs("token", .token),
    ],
    terms: { _ throws(RequestError) in throw .noAmount })

  private static func applepayjs(_ name: String, _ form: ApplePayJSRequest.Form) -> Form {
    Form(name: name, isSigned: true) { token, details in
      var request = ApplePayJSRequest(form, around: token)
      if !details.namesTransaction { request.transactionIdentifier = nil }
      return request.json(around: token)
    }
  }

  /// Worldline Direct.
  public static let worldline = Gateway(
    title: "Worldline Direct", envelope: .worldline,
    forms: [
      Form(name: "CreatePayment", isSigned: false) { token, details in
        WorldlineRequest(details).json(around: token)
      },
      Form(name: "CreatePayment, signed", isSigned: true) { token, details in
        var request = WorldlineRequest(details)
        request.authorizationMode = .sale
        request.isSigned = true
        return request.json(around: token)
      },
    ],
    terms: { request throws(RequestError) in try WorldlineRequest(reading: request).terms })

  /// AlphaPay.
  public static let alphapay = Gateway(
    title: "AlphaPay", envelope: .alphapay,
    forms: [
      Form(name: "pay", isSigned: true) { token, details in
        var request = AlphaPayRequest(details, around: token)
        if !details.namesTransaction { request.transactionIdentifier = nil }
        return request.json(around: token)
      }
    ],
    terms: { _ throws(RequestError) in throw .noAmount })

  /// Mastercard Gateway.
  public static let mpgs = Gateway(
    title: "CommWeb / Mastercard Gateway", envelope: .mpgs,
    forms: MastercardRequest.Operation.allCases.map { operation in
      Form(name: operation.rawValue, isSigned: true) { token, details in
        MastercardRequest(operation, details).json(around: token)
      }
    },
    terms: { request throws(RequestError) in try MastercardRequest(reading: request).terms })

  /// Bambora.
  public static let bambora = Gateway(
    title: "Bambora", envelope: .bambora,
    forms: [
      Form(name: "purchase", isSigned: true) { token, details in BamboraRequest(details).json(around: token) },
      Form(name: "pre-authorisation", isSigned: true) { token, details in
        BamboraRequest(details, complete: false).json(around: token)
      },
    ],
    terms: { request throws(RequestError) in try BamboraRequest(reading: request).terms })
}

extension Gateway.Form {
  /// A request around a token, as short as can be.
  public func request(around token: [UInt8], _ details: RequestDetails = RequestDetails()) -> [UInt8] {
    json(EnclosedToken(token), details).text()
  }

  /// A request around a token in a style; the same generator gives the same octets.
  public func request(
    around token: [UInt8], _ details: RequestDetails = RequestDetails(), in style: RequestStyle,
    using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let token = EnclosedToken(token)
    return style.text(of: json(style.indentsToken ? token.indented : token, details), using: &random)
  }
}
