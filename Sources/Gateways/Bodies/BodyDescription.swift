import StrictJSON

/// A body that a gateway's document describes: what a merchant's server sends or receives.
public struct BodyDescription: Sendable {
  /// Who sends it.
  public enum Direction: String, Hashable, Sendable {
    /// The customer's app or page, to the merchant's server.
    case incoming
    /// The merchant's server, to the gateway.
    case outgoing
    /// The gateway, in its answer.
    case answer
  }

  /// Where a body is sent.
  public struct Endpoint: Hashable, Sendable {
    /// `POST`
    public let method: String
    /// With words in braces for what is the merchant's.
    public let address: String
    /// Header lines, with words in braces for credentials.
    public let headers: [String]
  }

  /// Tells it from the gateway's other bodies.
  struct Mark: Sendable {
    /// One of these is there, or none is.
    let paths: [String]
    let isPresent: Bool
  }

  /// A rule about several members: the path to name, and what is expected; nil when it holds.
  typealias Rule = @Sendable (JSON) -> BodyProblem?

  /// What it is called, `preorder-response`.
  public let name: String
  /// What it is, one line.
  public let title: String
  /// Who sends it.
  public let direction: Direction
  /// Where it goes; nil for what is received.
  public let endpoint: Endpoint?
  /// How it is made; nil for what others send.
  let making: Making?
  let marks: [Mark]
  /// Its members, in the order of the document.
  public let fields: [BodyField]
  let rules: [Rule]

  /// - Parameter section: where the document describes those of the fields that do not say so themselves.
  init(
    _ name: String, _ title: String, _ direction: Direction, endpoint: Endpoint? = nil, making: Making? = nil,
    marks: [Mark], section: String, fields: [BodyField], rules: [Rule] = []
  ) {
    self.name = name
    self.title = title
    self.direction = direction
    self.endpoint = endpoint
    self.making = making
    self.marks = marks
    self.fields = fields.map { field in
      var field = field
      if field.section.isEmpty { field.section = section }
      return field
    }
    self.rules = rules
  }

  /// Whether its amount is one of a currency that it does not name.
  public var omitsCurrency: Bool {
    fields.contains { field in
      if case .decimal = field.form { true } else { false }
    }
  }

  /// A rule that members are absent; the first that is there is named.
  static func absent(_ paths: [String], _ expectation: String, section: String) -> Rule {
    { body in
      guard let path = paths.first(where: { body.value(at: $0) != nil }) else { return nil }
      return BodyProblem(path: path, kind: .exclusion, expectation: expectation, section: section)
    }
  }

  /// Whether a body looks like one of these.
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
  /// What kind of problem it is: stable, for programs.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A required member is not there.
    case missing
    /// A value is not what it must be.
    case form
    /// Members that must agree do not.
    case disagreement
    /// Members that exclude each other are there.
    case exclusion
  }

  /// Names joined by full stops.
  public let path: String
  /// What kind of problem it is.
  public let kind: Kind
  /// What is expected, for people; nothing of what the body holds.
  public let expectation: String
  /// Where in the gateway's document.
  public let section: String
}
