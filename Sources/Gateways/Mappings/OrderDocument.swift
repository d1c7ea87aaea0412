import PaymentToken

/// The JSON document of `assay gateway request --order`: the order details that a gateway's request has beside the
/// token.
public enum OrderDocument {
  /// Why an order cannot be read.
  @nonexhaustive
  public enum Refusal: Error, Hashable, Sendable {
    /// Longer than 65,536 bytes, not a strict JSON object, or with a name that occurs twice.
    case malformed
    /// All problems of its members.
    case problems([BodyProblem])
    /// A malformed contact.
    case contact(RequestError)
  }

  /// The members that an order document may have, all optional, and its rules.
  public static let body: BodyDescription = BodyDescription(
    "order", "an order, for gateway request", .incoming, marks: [], section: "gateway request",
    fields: [
      field("amount", .minorUnits, "what is to be paid"), field("currency", .currency, "its currency"),
      field("reference", .nonEmptyText, "the merchant's order reference"),
      field("summary", .nonEmptyText, "a description of the order"),
      field("paymentIdentifier", .nonEmptyText, "the gateway's name for the order"),
      field("customerIdentifier", .nonEmptyText, "the merchant's customer identifier"),
      field("merchantIdentifier", .nonEmptyText, "Apple's merchant identifier"),
      field("capture", .choice(OrderFields.Capture.allCases.map(\.rawValue)), "whether the money is taken at once"),
      field("billingContact", .object, "the payer, in the form of Apple Pay JS or PassKit"),
      field("shippingContact", .object, "the recipient of the goods, likewise"),
      field("telephoneNumber", .nonEmptyText, "the telephone number that the order came from"),
      field("phoneModel", .nonEmptyText, "the device that was used"),
      field(
        "terminalLocation", .choice(MastercardRequest.TerminalLocation.allCases.map(\.rawValue)), "where the device is"),
      field("returnAddress", .address, "the address that the customer returns to"),
      field("notificationAddress", .address, "where the gateway reports the payment"),
      field("locale", .text(2...6), "the customer's language"),
    ],
    rules: [noUnknownMembers, currencyBesideAmount])

  private static func field(_ name: String, _ form: FieldForm, _ meaning: String) -> BodyField {
    BodyField(name, .optional, form, meaning)
  }

  /// Rejects unknown members, because the value of a misspelt one would be dropped without notice.
  private static let noUnknownMembers: BodyDescription.Rule = { order in
    guard case .object(let members) = order else { return nil }
    let known = Set(body.fields.map(\.path))
    guard let other = members.first(where: { !known.contains($0.name) }) else { return nil }
    return BodyProblem(
      path: other.name, kind: .exclusion, expectation: "one of " + body.fields.map(\.path).joined(separator: ", "),
      section: "gateway request")
  }

  private static let currencyBesideAmount: BodyDescription.Rule = { order in
    guard order["amount"] != nil, order["currency"] == nil else { return nil }
    return BodyProblem(
      path: "currency", kind: .missing, expectation: "a currency of ISO 4217, three letters, beside an amount",
      section: "gateway request")
  }
}

extension OrderFields {
  /// Reads an order (`OrderDocument`); absent members stay nil.
  ///
  /// - Throws: `OrderDocument.Refusal`.
  public init(readingOrder text: Span<UInt8>) throws(OrderDocument.Refusal) {
    let check: BodyCheck
    do {
      check = try BodyCheck(text, among: [OrderDocument.body], as: OrderDocument.body.name)
    } catch {
      throw .malformed
    }
    guard check.problems.isEmpty else { throw .problems(check.problems) }
    self.init()
    do {
      try read(text)
    } catch {
      throw .contact(error)
    }
  }

  /// Reads an order that passed `BodyCheck`, which does not look inside the contacts.
  private mutating func read(_ text: Span<UInt8>) throws(RequestError) {
    let fields = try RequestFields(OrderDocument.body.fields.map(\.path) + PaymentContact.paths, of: text)
    let amount = try RequestFields.minorUnits(try fields.number("amount"))
    terms = RequestTerms(amount: amount.map { .minorUnits($0) }, currency: try fields.currency("currency"))
    for text in Self.texts { self[keyPath: text.member] = try fields.string(text.name) }
    capture = try fields.choice("capture", Capture.self)
    billingContact = try PaymentContact(fields, at: "billingContact")
    shippingContact = try PaymentContact(fields, at: "shippingContact")
    terminalLocation = try fields.choice("terminalLocation", MastercardRequest.TerminalLocation.self)
  }
}
