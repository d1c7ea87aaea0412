import StrictJSON

/// The check of a body against its gateway's document.
public struct BodyCheck: Sendable {
  /// Why a body cannot be checked.
  @nonexhaustive
  public enum Refusal: Error, Hashable, Sendable {
    /// Not a strict JSON object (duplicate names, more than 65,536 bytes, beyond the limits of depth or count).
    case malformed
    /// It matches none of the gateway's bodies.
    case unrecognized
    /// The gateway has no body of this name.
    case unknownBody
  }

  /// The description that it was checked against.
  public let body: BodyDescription
  /// Problems of fields in document order, then those of rules.
  public let problems: [BodyProblem]
  /// Notes that are not problems: what else the gateway requires, or what a value means for the payment; one sentence
  /// each.
  public let remarks: [String]

  /// Checks a body; the content of a token in it is left to an engine.
  ///
  /// - Parameters:
  ///   - text: the body, strict JSON.
  ///   - bodies: a gateway's bodies.
  ///   - name: the expected body; nil detects it by the members it has or lacks.
  /// - Throws: `Refusal`.
  public init(_ text: Span<UInt8>, among bodies: [BodyDescription], as name: String? = nil) throws(Refusal) {
    guard text.count <= 65_536, let tree = try? JSON(reading: text), case .object = tree else { throw .malformed }
    if let name {
      guard let body = bodies.first(where: { $0.name == name }) else { throw .unknownBody }
      self.body = body
    } else {
      guard let body = bodies.first(where: { $0.fits(tree) }) else { throw .unrecognized }
      self.body = body
    }
    remarks = body.remarksOn(tree)
    problems = body.fields.compactMap { Self.problem($0, in: tree) } + body.rules.compactMap { $0(tree) }
  }

  private static func problem(_ field: BodyField, in body: JSON) -> BodyProblem? {
    func problem(_ kind: BodyProblem.Kind, _ error: AmountError? = nil) -> BodyProblem {
      let expectation = field.form.expectation + (error.map { ": \($0.reason)" } ?? "")
      return BodyProblem(path: field.path, kind: kind, expectation: expectation, section: field.section)
    }
    guard let value = body.value(at: field.path) else { return isRequired(field, in: body) ? problem(.missing) : nil }
    return field.form.accepts(value, in: body) ? nil : problem(.form, field.form.amountError(of: value, in: body))
  }

  private static func isRequired(_ field: BodyField, in body: JSON) -> Bool {
    switch field.presence {
    case .required: return true
    case .optional: return false
    case .requiredInside:
      let parent = field.path.split(separator: ".").dropLast().joined(separator: ".")
      return body.value(at: parent) != nil
    }
  }
}
