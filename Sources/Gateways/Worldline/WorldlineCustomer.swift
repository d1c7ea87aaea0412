extension OrderFields {
  /// What `capture` means to Worldline; an authorization where nothing is said.
  var authorizationMode: WorldlineRequest.AuthorizationMode { capture == .purchase ? .sale : .finalAuthorization }

  /// Worldline's `order.customer`: the request's own, else what the contacts say; nil for nothing.
  var worldlineCustomer: [UInt8]? {
    if let customer { return customer }
    let contacts = contacts
    return contacts.members.isEmpty ? nil : JSONValue.object(contacts).text()
  }

  private var contacts: JSONObject {
    var customer = JSONObject()
    let billing = billingContact
    // Apple Pay sheets ask for the e-mail address as part of the shipping contact.
    customer["contactDetails"] = Self.contactDetails([billing, shippingContact])
    if let name = billing?.nameJSON ?? shippingContact?.nameJSON {
      customer["personalInformation"] = .nested(["name"], name)
    }
    customer["billingAddress"] = billing?.addressJSON
    if var address = shippingContact?.addressJSON {
      var object = JSONObject()
      object["name"] = shippingContact?.nameJSON
      object.members += address.object.members
      address.object = object
      customer["shippingAddress"] = address
    }
    return customer
  }

  private static func contactDetails(_ contacts: [PaymentContact?]) -> JSONValue? {
    let contacts = contacts.compactMap { $0 }
    var details = JSONObject()
    details["emailAddress"] = contacts.first { !$0.emailAddress.isEmpty }.map { .string($0.emailAddress) }
    details["phoneNumber"] = contacts.first { !$0.phoneNumber.isEmpty }.map { .string($0.phoneNumber) }
    return details.members.isEmpty ? nil : .object(details)
  }
}

extension PaymentContact {
  /// `personalInformation.name`; nil when there is none.
  fileprivate var nameJSON: JSONValue? {
    JSONObject.text([("firstName", givenName), ("surname", familyName)])
  }

  /// An address as Worldline writes it; nil when there is none.
  fileprivate var addressJSON: JSONValue? {
    JSONObject.text([
      ("street", addressLines.first ?? ""),
      ("additionalInfo", addressLines.dropFirst().filter { !$0.isEmpty }.joined(separator: ", ")),
      ("city", locality), ("state", administrativeArea), ("zip", postalCode), ("countryCode", countryCode),
    ])
  }
}

extension JSONObject {
  /// Those of the strings that are not empty; nil when all are.
  fileprivate static func text(_ members: [(name: String, text: String)]) -> JSONValue? {
    let members = members.filter { !$0.text.isEmpty }.map { Member($0.name, .string($0.text)) }
    return members.isEmpty ? nil : .object(JSONObject(members))
  }
}
