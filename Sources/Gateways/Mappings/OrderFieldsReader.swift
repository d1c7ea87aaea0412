/// Reads fields of a request by their paths; what is absent or null is nil, what is of another type is an error.
struct OrderFieldsReader {
  private let document: JSONTree

  init(_ document: JSONTree) {
    self.document = document
  }

  func text(_ path: [String]) throws(MappingError) -> String? {
    guard let value = value(path) else { return nil }
    guard case .string(let text) = value else { throw malformed(path) }
    return text
  }

  func boolean(_ path: [String]) throws(MappingError) -> Bool? {
    guard let value = value(path) else { return nil }
    guard case .boolean(let boolean) = value else { throw malformed(path) }
    return boolean
  }

  func capture(
    _ path: [String], _ meanings: [String: OrderFields.Capture]
  ) throws(MappingError) -> OrderFields.Capture? {
    guard let text = try text(path) else { return nil }
    guard let capture = meanings[text] else { throw malformed(path) }
    return capture
  }

  func terminalLocation(_ path: [String]) throws(MappingError) -> MastercardRequest.TerminalLocation? {
    guard let text = try text(path) else { return nil }
    guard let location = MastercardRequest.TerminalLocation(rawValue: text) else { throw malformed(path) }
    return location
  }

  /// A contact with the names of Apple Pay JS (`givenName`, `addressLines`), or with those of PassKit (`name.givenName`,
  /// `postalAddress.street`).
  func contact(_ path: [String]) throws(MappingError) -> PaymentContact? {
    guard let value = value(path) else { return nil }
    guard case .object = value else { throw malformed(path) }
    func text(_ names: [[String]]) throws(MappingError) -> String {
      for name in names {
        if let text = try self.text(path + name) { return text }
      }
      return ""
    }
    var contact = PaymentContact()
    contact.givenName = try text([["givenName"], ["name", "givenName"]])
    contact.familyName = try text([["familyName"], ["name", "familyName"]])
    contact.emailAddress = try text([["emailAddress"]])
    contact.phoneNumber = try text([["phoneNumber"]])
    contact.addressLines = try lines(path)
    contact.locality = try text([["locality"], ["postalAddress", "city"]])
    contact.administrativeArea = try text([["administrativeArea"], ["postalAddress", "state"]])
    contact.postalCode = try text([["postalCode"], ["postalAddress", "postalCode"]])
    contact.countryCode = try text([["countryCode"], ["postalAddress", "isoCountryCode"]])
    return contact
  }

  /// `addressLines`, or the lines of `postalAddress.street`.
  private func lines(_ path: [String]) throws(MappingError) -> [String] {
    guard let value = value(path + ["addressLines"]) else {
      let street = try text(path + ["postalAddress", "street"]) ?? ""
      return street.split(whereSeparator: \.isNewline).map(String.init)
    }
    guard case .array(let elements) = value else { throw malformed(path + ["addressLines"]) }
    var lines: [String] = []
    for element in elements {
      guard case .string(let line) = element else { throw malformed(path + ["addressLines"]) }
      if !line.isEmpty { lines.append(line) }
    }
    return lines
  }

  private func value(_ path: [String]) -> JSONTree? {
    guard let value = document.value(at: path), value != .null else { return nil }
    return value
  }

  private func malformed(_ path: [String]) -> MappingError { .malformedField(path.joined(separator: ".")) }
}
