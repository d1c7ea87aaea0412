/// How a gateway's request wraps a token: data that each engine interprets on its own (Docs/Verification.md stage 0).
public struct Envelope: Hashable, Sendable {
  /// The name as users choose it, and as results report it.
  public let name: String
  /// Where the token may be; exactly one route is taken. None means that the request is the token.
  public let routes: [Route]
  /// What a request must have, or lack, to be taken for this envelope when the caller does not name it.
  public let marks: [Mark]

  public init(name: String, routes: [Route], marks: [Mark]) {
    self.name = name
    self.routes = routes
    self.marks = marks
  }

  /// The token itself, `PKPaymentToken.paymentData`, in no envelope at all.
  public static let apple = Envelope(
    name: "apple", routes: [],
    marks: ["version", "data", "signature", "header"].map { Mark([$0], isPresent: true) })

  /// Whether a token comes in parts, and so perhaps unsigned.
  public var isInParts: Bool { routes.contains(where: \.isInParts) }

  /// One way from the request to the token: along the members of `path`, then out of `wrapping`.
  public struct Route: Hashable, Sendable {
    /// Member names, the outermost first; at least one.
    public let path: [String]
    /// What stands at the end of the path.
    public let wrapping: Wrapping
    /// Fields beside the token that must not contradict it.
    public let fields: [Field]

    public init(_ path: [String], _ wrapping: Wrapping, fields: [Field] = []) {
      self.path = path
      self.wrapping = wrapping
      self.fields = fields
    }

    /// Whether the token comes in parts.
    public var isInParts: Bool {
      switch wrapping {
      case .object, .text, .base64: false
      case .parts: true
      }
    }
  }

  /// The form in which a request carries the token.
  public enum Wrapping: Hashable, Sendable {
    /// The token object itself.
    case object
    /// A string that holds the token's JSON.
    case text
    /// A string that holds base64 of the token's JSON.
    case base64
    /// An object whose members are parts of an EC_v1 token; what it has no name for is absent. Two parts may stand for one
    /// member: either is read, and both only where they agree.
    case parts([Part])
  }

  /// A member of the gateway's that stands for one of the token's.
  public struct Part: Hashable, Sendable {
    /// The gateway's name for it.
    public let name: String
    public let member: TokenMember

    public init(_ name: String, _ member: TokenMember) {
      self.name = name
      self.member = member
    }
  }

  /// A field that may be absent, but must not contradict its gateway or the token.
  public struct Field: Hashable, Sendable {
    /// Member names from the outermost object of the request.
    public let path: [String]
    public let rule: Rule

    public init(_ path: [String], _ rule: Rule) {
      self.path = path
      self.rule = rule
    }

    public enum Rule: Hashable, Sendable {
      /// A string with this content (stage 0).
      case text(String)
      /// A number written exactly so (stage 0).
      case number(String)
      /// A string: the token's transactionId in hexadecimal digits of either case (stage 14).
      case transactionId
    }
  }

  /// Tells requests of one gateway from those of another by their shape.
  public struct Mark: Hashable, Sendable {
    /// Member names from the outermost object of the request.
    public let path: [String]
    /// Whether the member, of whatever type, must be there or must not.
    public let isPresent: Bool

    public init(_ path: [String], isPresent: Bool) {
      self.path = path
      self.isPresent = isPresent
    }
  }

  /// The largest request, in bytes.
  public static var maximumRequestSize: Int { 262_144 }
}

/// Which envelope a request is read by.
public enum EnvelopeSelection: Hashable, Sendable {
  case named(Envelope)
  /// The one of these that fits by its marks and routes; the token itself where none does.
  case automatic([Envelope])
}
