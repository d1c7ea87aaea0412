import PaymentToken

/// A payment gateway: the requests it accepts, how they are read and how they are written.
public struct Gateway: Sendable {
  /// A request form in which the gateway accepts a token.
  public struct Form: Sendable {
    /// The gateway's name for the request, such as `AUTHORIZE`.
    public let name: String
    /// Whether the request includes the token's signature; otherwise only the unsigned policy opens the token.
    public let isSigned: Bool
    /// Makes the request around a token.
    package let json: @Sendable (EnclosedToken, RequestDetails) -> JSONValue
  }

  /// Every gateway that accepts tokens, in the order of lists. Raw values are the names users choose from.
  package enum ID: String, Hashable, Sendable, CaseIterable {
    case applepayjs, worldline, alphapay, mpgs, bambora

    /// The gateway with this identifier.
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

  /// Identifies the gateway in code that differs from gateway to gateway.
  package let id: ID
  /// The name in headings.
  public let title: String
  /// The name within a sentence.
  package let nameInText: String
  /// Where its requests contain the token.
  public let envelope: Envelope
  /// Its request forms; at least one.
  public let forms: [Form]
  /// Whether its requests contain an amount in addition to the token.
  package let namesAmount: Bool
  /// The only currencies that its document names; empty where it names many or none.
  public private(set) var currencies: [Currency] = []
  /// Reads the order details of a request. They are unsigned.
  package let order: @Sendable (Span<UInt8>) throws(RequestError) -> OrderFields
  /// The bodies that its document describes, requests and responses; the marks of any two differ.
  public let bodies: [BodyDescription]
  /// Reads a response, given its body's name, such as `preorder-response`; nil if the document describes no responses.
  package let record: (@Sendable (Span<UInt8>, String) throws(RequestError) -> ResponseRecord)?
  /// The responses of its sandbox, and the meaning of its values.
  package let meanings: [Meaning]

  /// A value that the gateway uses, and its meaning.
  package typealias Meaning = (value: String, advice: String)

  /// The amount and currency that a request names.
  ///
  /// - Throws: the errors of `order`, and `noAmount` for requests that name neither amount nor currency.
  public func terms(of request: Span<UInt8>) throws(RequestError) -> RequestTerms {
    guard namesAmount else { throw .noAmount }
    return try order(request).terms
  }

  /// Whether its document describes responses.
  package var describesResponses: Bool { record != nil }

  /// What a response says, and what to do next.
  ///
  /// - Parameters:
  ///   - response: the checked response, as the gateway sent it.
  ///   - check: what the check found; a response with problems has an unknown outcome.
  ///   - order: what was sent; nil compares the response only with itself.
  /// - Returns: nil if the document describes no responses.
  /// - Throws: `RequestError` for a response without problems that cannot be read.
  public func answer(
    _ response: Span<UInt8>, _ check: BodyCheck, to order: OrderFields? = nil
  ) throws(RequestError) -> GatewayAnswer? {
    guard let record else { return nil }
    do {
      return try record(response, check.body.name).answer(to: order, problems: check.problems)
    } catch {
      // The problems include the reason why it cannot be read.
      guard !check.problems.isEmpty else { throw error }
      return ResponseRecord().answer(problems: check.problems)
    }
  }

  /// The forms that include the token's signature.
  public var signedForms: [Form] { forms.filter(\.isSigned) }

  /// The name that users choose it by, and its envelope's name.
  public var name: String { id.rawValue }

  /// Whether it accepts a body with decrypted payment data.
  package var takesOpenedTokens: Bool { bodies.contains(where: \.needsOpenedToken) }

  /// Every gateway that accepts tokens.
  public static let all: [Gateway] = ID.allCases.map(\.gateway)

  /// The gateway with this name.
  public static func named(_ name: String) -> Gateway? { ID(exactly: name)?.gateway }
}

extension Envelope {
  init(_ gateway: Gateway.ID, routes: [Route], marks: [Mark]) {
    self.init(name: gateway.rawValue, routes: routes, marks: marks)
  }
}

extension Gateway.Form {
  /// A request around a token, without white space.
  public func request(around token: [UInt8], _ details: RequestDetails = RequestDetails()) -> [UInt8] {
    json(EnclosedToken(token), details).text()
  }

  /// A request around a token in a style; equal generators give equal bytes.
  public func request(
    around token: [UInt8], _ details: RequestDetails = RequestDetails(), in style: RequestStyle,
    using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let token = EnclosedToken(token)
    return style.text(of: json(style.indentsToken ? token.indented : token, details), using: &random)
  }
}
