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
  /// How the token is extracted from its requests.
  public let envelope: Envelope
  /// Its requests; at least one.
  public let forms: [Form]
  /// Whether its requests have an amount beside the token.
  public let namesAmount: Bool
  /// Reads what a request says beside the token. Nobody signed that.
  ///
  /// Throws what the request's reader throws.
  public let order: @Sendable (Span<UInt8>) throws(RequestError) -> OrderFields
  /// The bodies that its document describes, requests and responses, and more than one only where their marks differ.
  public let bodies: [BodyDescription]
  /// Reads one of its answers to a body of this name, `preorder-response`; nil where its document describes none.
  ///
  /// Throws what the answer's reader throws.
  public let answer: (@Sendable (Span<UInt8>, String) throws(RequestError) -> GatewayAnswer)?
  /// What its sandbox answers, and what its values mean.
  public let meanings: [Meaning]

  /// A value of the gateway's and what it says.
  public typealias Meaning = (value: String, advice: String)

  /// What a request says that its payment is of.
  ///
  /// - Throws: what the request's reader throws, and `noAmount` for requests that name neither amount nor currency.
  public func terms(of request: Span<UInt8>) throws(RequestError) -> RequestTerms {
    guard namesAmount else { throw .noAmount }
    return try order(request).terms
  }

  /// Those whose tokens are opened under any policy.
  public var signedForms: [Form] { forms.filter(\.isSigned) }

  /// Every gateway that takes tokens.
  public static let all: [Gateway] = [.applepayjs, .worldline, .alphapay, .mpgs, .bambora]

  /// The gateway of that name.
  public static func named(_ name: String) -> Gateway? { all.first { $0.name == name } }
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
