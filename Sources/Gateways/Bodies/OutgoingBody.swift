import PaymentToken

/// What a body is made of, beside the order.
public enum BodyMaterial: Sendable {
  /// Nothing: there is no token yet.
  case nothing
  /// The token as it came: the gateway decrypts.
  case token(EnclosedToken)
  /// What the token held: the merchant has decrypted. The choice says which counts where it and the order differ; nil refuses
  /// that.
  case opened(DecryptedToken, preferring: OrderDifference.Choice?)
}

extension BodyDescription {
  /// How a body is made; each is made of one kind of material.
  enum Making: Sendable {
    case order(@Sendable (OrderFields) -> JSONValue)
    case enclosing(@Sendable (EnclosedToken, OrderFields) -> JSONValue)
    case decrypted(@Sendable (DecryptedToken, OrderFields, OrderDifference.Choice?) throws(MappingError) -> JSONValue)

    /// Nil for another kind of material.
    func json(of material: BodyMaterial, _ order: OrderFields) throws(MappingError) -> JSONValue? {
      switch (self, material) {
      case (.order(let make), .nothing): make(order)
      case (.enclosing(let make), .token(let token)): make(token, order)
      case (.decrypted(let make), .opened(let token, let choice)): try make(token, order, choice)
      default: nil
      }
    }
  }

  /// Whether it is made of what a token held.
  public var needsOpenedToken: Bool {
    if case .decrypted? = making { return true }
    return false
  }

  /// Whether it is made of an order alone.
  public var needsNoToken: Bool {
    if case .order? = making { return true }
    return false
  }
}

/// A body made for a gateway, judged by the gateway's document.
public struct OutgoingBody: Sendable {
  /// Which of the gateway's bodies it is.
  public let body: BodyDescription
  /// Its JSON, on one line and printable throughout; with card data in full where the merchant has decrypted.
  public let text: [UInt8]
  /// What the document demands, and neither the token nor the order says: it is not to be sent while there is any.
  public let problems: [BodyProblem]
}

extension Gateway {
  /// Its bodies that are made here, in the order of the list.
  public var outgoingBodies: [BodyDescription] { bodies.filter { $0.making != nil } }

  /// Makes a body.
  ///
  /// - Parameter name: which of its bodies; nil takes the first that the order asks for.
  /// - Returns: nil where the gateway has no such body of this material.
  /// - Throws: `MappingError` for a token that cannot be sent on as card data.
  public func body(
    of material: BodyMaterial, _ order: OrderFields, as name: String? = nil
  ) throws(MappingError) -> OutgoingBody? {
    for body in bodies where name == nil || body.name == name {
      guard let json = try body.making?.json(of: material, order) else { continue }
      let text = JSONText.printable(json.text())
      do {
        let check = try BodyCheck(text.span, among: [body], as: name)
        return OutgoingBody(body: body, text: text, problems: check.problems)
      } catch {
        // What the order asks for makes it another of the gateway's bodies.
        if error == .unrecognized { continue }
        let problem = BodyProblem(
          path: "body", kind: .form,
          expectation: "a strict JSON object of at most 262,144 bytes in which no name occurs twice", section: "none")
        return OutgoingBody(body: body, text: text, problems: [problem])
      }
    }
    return nil
  }
}

extension OutgoingBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "OutgoingBody(\(body.name), \(problems.count) problems)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
