/// A member of a body, as its gateway's document describes it.
public struct BodyField: Sendable {
  /// Whether the member must be present.
  public enum Presence: String, Hashable, Sendable {
    case required, optional
    /// Required if the object that contains it is present.
    case requiredInside
  }

  /// Member names from the outermost object, joined by full stops.
  public let path: String
  /// Whether the member must be present.
  public let presence: Presence
  /// The allowed values.
  public let form: FieldForm
  /// What it is or where its value comes from, one line without a full stop.
  public let meaning: String
  /// The section of the gateway's document.
  public internal(set) var section: String
  /// How assay departs from the document, and why; nil if it does not.
  public let departure: String?

  /// - Parameter section: empty for the body's section.
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
