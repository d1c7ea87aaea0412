import PaymentToken

/// What a body is made from, in addition to the order.
@nonexhaustive
public enum BodyMaterial: Sendable {
  /// Only the order: no token exists yet.
  case nothing
  /// The encrypted token: the gateway decrypts.
  case token(EnclosedToken)
  /// The decrypted token: the merchant decrypts. The choice says which to use if the token and the order differ; if
  /// nil, a difference is an error.
  case opened(DecryptedToken, preferring: OrderDifference.Choice?)
}

extension BodyDescription {
  /// How a body is made; each takes one kind of material.
  enum Making: Sendable {
    case order(@Sendable (OrderFields) -> JSONValue)
    case enclosing(@Sendable (EnclosedToken, OrderFields) -> JSONValue)
    case decrypted(@Sendable (DecryptedToken, OrderFields, OrderDifference.Choice?) throws(MappingError) -> JSONValue)

    func json(of material: BodyMaterial, _ order: OrderFields) throws(MappingError) -> JSONValue? {
      switch (self, material) {
      case (.order(let make), .nothing): make(order)
      case (.enclosing(let make), .token(let token)): make(token, order)
      case (.decrypted(let make), .opened(let token, let choice)): try make(token, order, choice)
      default: nil
      }
    }
  }

  /// Whether it contains decrypted payment data.
  public var needsOpenedToken: Bool {
    if case .decrypted? = making { return true }
    return false
  }

  /// Whether it is made from an order without a token.
  public var needsNoToken: Bool {
    if case .order? = making { return true }
    return false
  }
}

/// A body made for a gateway, checked against the gateway's document.
public struct OutgoingBody: Sendable {
  /// The body's description.
  public let body: BodyDescription
  /// Its JSON, one line of printable characters; with card data in full if the merchant decrypted.
  public let text: [UInt8]
  /// What the document requires and the body lacks or has in a wrong form. Do not send a body with problems.
  public let problems: [BodyProblem]
}

extension Gateway {
  /// The bodies that can be made here, in the order of `bodies`.
  public var outgoingBodies: [BodyDescription] { bodies.filter { $0.making != nil } }

  /// Makes a body.
  ///
  /// - Parameters:
  ///   - material: the payment to send on.
  ///   - order: the order's fields.
  ///   - name: the body to make; nil takes the first that fits the order.
  /// - Returns: nil if the gateway has no such body for this material.
  /// - Throws: `MappingError` for a token that cannot be sent on as card data.
  public func body(
    of material: BodyMaterial, _ order: OrderFields, as name: String? = nil
  ) throws(MappingError) -> OutgoingBody? {
    for body in bodies where name == nil || body.name == name {
      guard let json = try body.making?.json(of: material, order) else { continue }
      let text = JSONText.printable(json.text())
      do {
        let check = try BodyCheck(text.span, among: [body], as: name)
        return OutgoingBody(body: body, text: text, problems: body.problems(check.problems, of: order))
      } catch {
        // With these order details, the JSON is another of the gateway's bodies.
        if error == .unrecognized { continue }
        let problem = BodyProblem(
          path: "body", kind: .form,
          expectation: "a strict JSON object of at most 65,536 bytes without repeated names", section: "none")
        return OutgoingBody(body: body, text: text, problems: [problem])
      }
    }
    return nil
  }
}

extension OutgoingBody: RedactedReflection {
  public var description: String { "OutgoingBody(\(body.name), \(problems.count) problems)" }
}
