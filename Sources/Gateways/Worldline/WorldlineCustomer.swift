extension OrderFields {
  /// Worldline's authorization mode for `capture`: a sale for a purchase, otherwise a final authorization.
  var authorizationMode: WorldlineRequest.AuthorizationMode { capture == .purchase ? .sale : .finalAuthorization }

  /// Worldline's `order.customer` as JSON text: `customer` if it is set, otherwise an object made from the contacts.
  /// Nil if the contacts contain nothing for it.
  var worldlineCustomer: [UInt8]? { customer ?? contacts.nonEmpty.map { JSONValue.object($0).text() } }

  private var contacts: JSONObject {
    // The billing contact alone is not enough: Apple Pay sheets ask for the e-mail address as part of the shipping
    // contact.
    let contacts = [billingContact, shippingContact].compactMap { $0 }
    let details: JSONObject = [
      "emailAddress": contacts.lazy.compactMap(\.emailAddress.nonEmpty).first,
      "phoneNumber": contacts.lazy.compactMap(\.phoneNumber.nonEmpty).first,
    ]
    let name = billingContact?.nameJSON ?? shippingContact?.nameJSON
    let shipping = shippingContact?.addressJSON.map { address in
      JSONObject(JSONObject(["name": shippingContact?.nameJSON]).members + address.members)
    }
    return [
      "contactDetails": details.nonEmpty, "personalInformation": JSONObject(["name": name]).nonEmpty,
      "billingAddress": billingContact?.addressJSON, "shippingAddress": shipping,
    ]
  }
}

extension PaymentContact {
  /// Worldline's `personalInformation.name`; nil if the contact has no name.
  fileprivate var nameJSON: JSONObject? {
    JSONObject(["firstName": givenName.nonEmpty, "surname": familyName.nonEmpty]).nonEmpty
  }

  /// The contact's address in Worldline's form; nil if it has none.
  fileprivate var addressJSON: JSONObject? {
    let more = addressLines.dropFirst().filter { !$0.isEmpty }.joined(separator: ", ")
    return JSONObject([
      "street": addressLines.first?.nonEmpty, "additionalInfo": more.nonEmpty, "city": locality.nonEmpty,
      "state": administrativeArea.nonEmpty, "zip": postalCode.nonEmpty, "countryCode": countryCode.nonEmpty,
    ]).nonEmpty
  }
}
