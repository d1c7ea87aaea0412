/// A member of a body as its gateway's document describes it.
public struct BodyField: Sendable {
  /// Whether it must be there.
  public enum Presence: String, Hashable, Sendable {
    case required, optional
    /// Required where the object that holds it is there.
    case requiredInside
  }

  /// Names from the outermost object, joined by full stops.
  public let path: String
  /// Whether it must be there.
  public let presence: Presence
  /// What stands there.
  public let form: FieldForm
  /// What it is, or where its value comes from: one line, without a full stop.
  public let meaning: String
  /// Where in the gateway's document.
  public internal(set) var section: String
  /// What the gateway asks for otherwise than we do, and why; nil for nothing.
  public let departure: String?

  /// - Parameter section: empty for that of the body.
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
