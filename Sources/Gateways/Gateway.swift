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

  /// Every gateway that takes tokens, in the order in which lists show them: the one place where their names are written.
  public enum ID: String, Hashable, Sendable, CaseIterable {
    case applepayjs, worldline, alphapay, mpgs, bambora

    /// What it stands for.
    public var gateway: Gateway {
      switch self {
      case .applepayjs: .applepayjs
      case .worldline: .worldline
      case .alphapay: .alphapay
      case .mpgs: .mpgs
      case .bambora: .bambora
      }
    }
  }

  /// Which it is, for what has to be decided gateway by gateway.
  public let id: ID
  /// What people call it.
  public let title: String
  /// What it is called in a sentence.
  public let nameInText: String
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

  /// The name as users choose it; the envelope's as well.
  public var name: String { id.rawValue }

  /// Whether there is a body in which it takes what a token held.
  public var takesOpenedTokens: Bool { bodies.contains(where: \.needsOpenedToken) }

  /// Every gateway that takes tokens.
  public static let all: [Gateway] = ID.allCases.map(\.gateway)

  /// The gateway of that name.
  public static func named(_ name: String) -> Gateway? { ID(rawValue: name)?.gateway }
}

extension Envelope {
  /// A gateway's envelope, which has its name.
  init(_ gateway: Gateway.ID, routes: [Route], marks: [Mark]) {
    self.init(name: gateway.rawValue, routes: routes, marks: marks)
  }
}

extension Gateway.Form {
  /// A request around a token, as short as can be.
  public func request(around token: [UInt8], _ details: RequestDetails = RequestDetails()) -> [UInt8] {
    json(EnclosedToken(token), details).text()
  }

  /// A request around a token in a style; the same generator gives the same bytes.
  public func request(
    around token: [UInt8], _ details: RequestDetails = RequestDetails(), in style: RequestStyle,
    using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let token = EnclosedToken(token)
    return style.text(of: json(style.indentsToken ? token.indented : token, details), using: &random)
  }
}
