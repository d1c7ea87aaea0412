/// `billingContact` and `shippingContact` of Apple Pay JS ("ApplePayPaymentContact") or PassKit ("PKContact", with
/// `name` and `postalAddress`); empty members are omitted.
public struct PaymentContact: Hashable, Sendable {
  public var givenName = ""
  public var familyName = ""
  public var emailAddress = ""
  public var phoneNumber = ""
  public var addressLines: [String] = []
  public var locality = ""
  public var administrativeArea = ""
  public var postalCode = ""
  /// ISO 3166, two letters.
  public var countryCode = ""

  /// An empty contact.
  public init() {}

  /// The text members, with their names in Apple Pay JS and their paths in PassKit.
  private static let texts: [(name: String, path: String, member: WritableKeyPath<PaymentContact, String> & Sendable)] =
    [
      ("givenName", "name.givenName", \.givenName), ("familyName", "name.familyName", \.familyName),
      ("emailAddress", "emailAddress", \.emailAddress), ("phoneNumber", "phoneNumber", \.phoneNumber),
      ("locality", "postalAddress.city", \.locality),
      ("administrativeArea", "postalAddress.state", \.administrativeArea),
      ("postalCode", "postalAddress.postalCode", \.postalCode),
      ("countryCode", "postalAddress.isoCountryCode", \.countryCode),
    ]

  /// Apple Pay JS uses an array of lines, PassKit one text with line breaks.
  private static let lines = (name: "addressLines", path: "postalAddress.street")

  private static let names = Array(Set(texts.flatMap { [$0.name, $0.path] } + [lines.name, lines.path]))

  /// The paths read for both contacts of a payment.
  static let paths = ["billingContact", "shippingContact"].flatMap { contact in
    [contact] + names.map { "\(contact).\($0)" }
  }

  /// Nil if there is no contact.
  ///
  /// - Throws: `wrongType`; `contradiction` if both forms exist and differ.
  init?(_ fields: RequestFields, at path: String) throws(RequestError) {
    guard fields.has(path), !fields.isNull(path) else { return nil }
    for text in Self.texts {
      let (name, other) = ("\(path).\(text.name)", "\(path).\(text.path)")
      self[keyPath: text.member] =
        try Self.one(try Self.text(fields, name), name, try Self.text(fields, other), other) ?? ""
    }
    let (name, other) = ("\(path).\(Self.lines.name)", "\(path).\(Self.lines.path)")
    let street = try fields.string(other)?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(
      String.init)
    addressLines = try Self.one(try fields.strings(name), name, street, other) ?? []
  }

  /// Empty texts and null count as absent, since forms send them for empty fields.
  private static func text(_ fields: RequestFields, _ path: String) throws(RequestError) -> String? {
    fields.isNull(path) ? nil : try fields.string(path)?.nonEmpty
  }

  private static func one<Value: Equatable>(
    _ first: Value?, _ name: String, _ second: Value?, _ other: String
  ) throws(RequestError) -> Value? {
    guard let first, let second, first != second else { return first ?? second }
    throw .contradiction(path: name, other: other)
  }

  /// The object's JSON, in Apple Pay JS's form.
  var json: JSONValue {
    var object = JSONObject()
    for text in Self.texts where !self[keyPath: text.member].isEmpty {
      object.append(text.name, .string(self[keyPath: text.member]))
    }
    if !addressLines.isEmpty { object.append(Self.lines.name, .array(addressLines.map(JSONValue.string))) }
    return .object(object)
  }
}
