import StrictJSON

/// The JSON body of a request or response, as a gateway's document describes it. A merchant's server sends or receives
/// it.
public struct BodyDescription: Sendable {
  /// Who sends the body, and to whom.
  package enum Direction: String, Hashable, Sendable {
    /// The customer's app or page sends it to the merchant's server.
    case incoming
    /// The merchant's server sends it to the gateway.
    case outgoing
    /// The gateway sends it in its response to the merchant's server.
    case answer
  }

  /// The address that a body is sent to.
  package struct Endpoint: Hashable, Sendable {
    /// The HTTP method, such as `POST`.
    package let method: String
    /// The URL, with placeholders in braces for the merchant's own values.
    package let address: String
    /// Header lines, with placeholders in braces for credentials.
    package let headers: [String]
  }

  /// A condition that distinguishes the body from the gateway's other bodies.
  struct Mark: Sendable {
    /// Paths of members. If `isPresent`, the body has at least one of them; otherwise it has none.
    let paths: [String]
    let isPresent: Bool
  }

  /// A rule about several members; nil if the body satisfies it.
  typealias Rule = @Sendable (JSON) -> BodyProblem?

  /// The name, such as `preorder-response`.
  public let name: String
  /// What the body is, in one line.
  public let title: String
  /// Who sends the body, and to whom.
  package let direction: Direction
  /// Where the merchant's server sends it; nil for bodies that it receives, and if the document names no address.
  package let endpoint: Endpoint?
  /// How assay makes the body; nil if it cannot make it.
  let making: Making?
  /// The conditions that together recognize the body.
  let marks: [Mark]
  /// The only currency that the gateway takes, if the body has no member that names it; nil otherwise.
  let onlyCurrency: Currency?
  /// Its members, in the order of the document.
  package let fields: [BodyField]
  /// Rules about several members, checked after the fields.
  let rules: [Rule]
  /// The remarks on a body, one sentence each: what the document asks for beside the members, and what the body's
  /// values mean for the payment.
  let remarksOn: @Sendable (JSON) -> [String]

  /// - Parameter section: the section of the document for fields without a section of their own.
  init(
    _ name: String, _ title: String, _ direction: Direction, endpoint: Endpoint? = nil, making: Making? = nil,
    onlyCurrency: Currency? = nil, marks: [Mark], section: String, fields: [BodyField], rules: [Rule] = [],
    remarksOn: @escaping @Sendable (JSON) -> [String] = { _ in [] }
  ) {
    self.name = name
    self.title = title
    self.direction = direction
    self.endpoint = endpoint
    self.making = making
    self.onlyCurrency = onlyCurrency
    self.marks = marks
    self.fields = fields.map { field in
      var field = field
      if field.section.isEmpty { field.section = section }
      return field
    }
    self.rules = rules
    self.remarksOn = remarksOn
  }

  /// The remarks that apply to every body of this kind, whatever its values; one sentence each.
  public var remarks: [String] { remarksOn(.object([])) }

  /// The member for the order's amount; nil if it has none.
  private var amountField: BodyField? { fields.first(where: \.form.isAmount) }

  /// The path of the member for the order's amount; nil if it has none.
  package var amountPath: String? { amountField?.path }

  /// Whether it contains an amount in major units without a currency (`FieldForm.decimal`).
  package var omitsCurrency: Bool {
    fields.contains { field in
      if case .decimal = field.form { true } else { false }
    }
  }

  /// A rule that none of these members is present. Its problem names the first that is.
  static func absent(_ paths: [String], _ expectation: String, section: String) -> Rule {
    { body in
      guard let path = paths.first(where: { body.value(at: $0) != nil }) else { return nil }
      return BodyProblem(path: path, kind: .exclusion, expectation: expectation, section: section)
    }
  }

  /// Returns the problems found, and the problem of the order's amount or currency if there is one. A check of the body
  /// does not see an amount that could not be written.
  ///
  /// - Parameters:
  ///   - found: the problems that the check of the body found.
  ///   - order: the order from which the body was made.
  func problems(_ found: [BodyProblem], of order: OrderFields) -> [BodyProblem] {
    guard let problem = problem(of: order) else { return found }
    guard case .minorUnits? = order.terms.amount, order.terms.currency != nil else {
      // The order has an amount, which cannot be written: its member is not reported as missing.
      return found.filter { $0.path != problem.path } + [problem]
    }
    // Minor units that do not fit their currency are not written: the problem of their member states the reason.
    let explained = found.map { other in
      guard other.path == problem.path else { return other }
      return BodyProblem(
        path: other.path, kind: other.kind, expectation: problem.expectation, section: other.section)
    }
    return explained + (omitsCurrency || problem.path != amountPath ? [problem] : [])
  }

  private func problem(of order: OrderFields) -> BodyProblem? {
    let currency = order.terms.currency
    func problem(_ path: String, _ expectation: String) -> BodyProblem {
      BodyProblem(path: path, kind: .form, expectation: expectation, section: fields.first?.section ?? "none")
    }
    if let onlyCurrency, let currency, onlyCurrency != currency {
      return problem("currency", "\(onlyCurrency.alphabeticCode), the only currency")
    }
    guard !needsOpenedToken, order.terms.amount != nil, let field = amountField else { return nil }
    if let currency, let error = order.amountError {
      return problem(field.path, "an amount in \(currency.alphabeticCode): \(error.reason)")
    }
    let isInMinorUnits = [.minorUnits, .minorUnitsText].contains(field.form)
    let isWritten = isInMinorUnits ? order.minorUnits != nil : order.decimalAmount != nil
    return isWritten ? nil : problem(field.path, "an amount whose currency is named")
  }

  /// A rule that two members have the same value if both are present.
  ///
  /// - Parameter ignoringCase: whether strings that differ only in case count as the same, as hexadecimal digits do.
  static func same(_ path: String, as other: String, ignoringCase: Bool = false, section: String) -> Rule {
    { body in
      guard let value = body.value(at: path), let expected = body.value(at: other), value != expected else {
        return nil
      }
      if ignoringCase, case .string(let text) = value, case .string(let otherText) = expected,
        text.lowercased() == otherText.lowercased()
      {
        return nil
      }
      return BodyProblem(path: path, kind: .disagreement, expectation: "the same as \(other)", section: section)
    }
  }

  /// Whether all marks match, so that this description is the one for the body.
  func fits(_ body: JSON) -> Bool {
    marks.allSatisfy { mark in mark.paths.contains { body.value(at: $0) != nil } == mark.isPresent }
  }
}

extension BodyDescription.Mark {
  static func has(_ paths: String...) -> Self { Self(paths: paths, isPresent: true) }
  static func lacks(_ paths: String...) -> Self { Self(paths: paths, isPresent: false) }
}

/// Something in a body that its gateway's document does not allow.
public struct BodyProblem: Hashable, Sendable {
  /// The kind of problem; stable, for programs.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A required member is absent.
    case missing
    /// A value has the wrong form.
    case form
    /// Members that must agree do not.
    case disagreement
    /// Members that exclude each other are present.
    case exclusion
  }

  /// The names of the members from the outermost object to this one, joined by full stops.
  public let path: String
  /// The kind of problem.
  public let kind: Kind
  /// What is expected, as text for people. Of the body's values it contains at most the code of a currency.
  public let expectation: String
  /// The section of the gateway's document that requires it; `none` if none does.
  public let section: String
}

/// A member of a body, as its gateway's document describes it.
package struct BodyField: Sendable {
  /// Whether the member must be present.
  package enum Presence: String, Hashable, Sendable {
    case required, optional
    /// Required if the object that contains it is present.
    case requiredInside
  }

  /// The names of the members from the outermost object to this one, joined by full stops.
  package let path: String
  /// Whether the member must be present.
  package let presence: Presence
  /// The allowed values.
  package let form: FieldForm
  /// What the member is or where its value comes from, in one line without a full stop at its end.
  package let meaning: String
  /// The section of the gateway's document that describes it; `none` if none does.
  package internal(set) var section: String
  /// How assay departs from the document, and why; nil if it does not.
  package let departure: String?

  init(
    _ path: String, _ presence: Presence, _ form: FieldForm, _ meaning: String, section: String = "",
    departure: String? = nil
  ) {
    self.path = path
    self.presence = presence
    self.form = form
    self.meaning = meaning
    self.section = section
    self.departure = departure
  }
}
