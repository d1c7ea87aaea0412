import Synchronization

/// How a gateway's request wraps a token (rules 0.2 to 0.11). Each engine interprets this with its own code.
///
/// Equal envelopes share one object, so they are compared by address. Engines thus find the reader of an envelope
/// without comparing names and paths.
public struct Envelope: Hashable, Sendable {
  private let contents: Unmanaged<EnvelopeContents>

  /// The name that users choose and that results report.
  public var name: String { contents._withUnsafeGuaranteedRef(\.name) }
  /// The places where the token may be, exactly one of which must have a value. Empty when the request is the token.
  public var routes: [Route] { contents._withUnsafeGuaranteedRef(\.routes) }
  /// The members that a request must have, or must not have, for automatic selection to choose this envelope.
  public var marks: [Mark] { contents._withUnsafeGuaranteedRef(\.marks) }

  /// An envelope from its parts, which are kept until the program ends.
  public init(name: String, routes: [Route], marks: [Mark]) {
    contents = EnvelopeContents.kept(name: name, routes: routes, marks: marks)
  }

  public static func == (left: Envelope, right: Envelope) -> Bool {
    left.contents.toOpaque() == right.contents.toOpaque()
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(contents.toOpaque()) }

  /// No envelope: the request is the token itself, `PKPaymentToken.paymentData`.
  public static let apple = Envelope(
    name: "apple", routes: [],
    marks: ["version", "data", "signature", "header"].map { Mark([$0], isPresent: true) })

  fileprivate var bareName: String? { contents._withUnsafeGuaranteedRef { $0.routes.isEmpty ? $0.name : nil } }

  /// Whether a token may come in parts, and so may be unsigned.
  package var isInParts: Bool { routes.contains(where: \.isInParts) }

  /// A path from the request to the token, and the form of the token at its end.
  public struct Route: Hashable, Sendable {
    /// Member names, the outermost first; at least one.
    public let path: [String]
    /// The form of the token at the end of the path.
    public let wrapping: Wrapping
    /// Fields of the request that must not contradict the token or the gateway.
    public let fields: [Field]

    /// A route from its parts.
    public init(_ path: [String], _ wrapping: Wrapping, fields: [Field] = []) {
      self.path = path
      self.wrapping = wrapping
      self.fields = fields
    }

    /// Whether the token comes in parts.
    package var isInParts: Bool {
      switch wrapping {
      case .object, .text, .base64: false
      case .parts: true
      }
    }
  }

  /// The form in which a request carries the token.
  @nonexhaustive
  public enum Wrapping: Hashable, Sendable {
    /// The token object itself.
    case object
    /// A string with the token's JSON.
    case text
    /// A string with base64 of the token's JSON.
    case base64
    /// An object whose members are parts of an EC_v1 token. Two parts may stand for one member: either may be present,
    /// or both if they are equal.
    case parts([Part])
  }

  /// A member of the gateway's object that stands for a member of the token.
  public struct Part: Hashable, Sendable {
    /// The gateway's name.
    public let name: String
    /// The member of the token.
    public let member: TokenMember

    /// A part from its names.
    public init(_ name: String, _ member: TokenMember) {
      self.name = name
      self.member = member
    }
  }

  /// A field of the request that may be absent, but must not contradict the gateway or the token.
  public struct Field: Hashable, Sendable {
    /// Member names from the outermost object of the request.
    public let path: [String]
    /// The value that it must have.
    public let rule: Rule

    /// A field from its parts.
    public init(_ path: [String], _ rule: Rule) {
      self.path = path
      self.rule = rule
    }

    /// The only valid value of a field.
    @nonexhaustive
    public enum Rule: Hashable, Sendable {
      /// A string with this content (stage 0).
      case text(String)
      /// A number with exactly this text (stage 0).
      case number(String)
      /// A string: the token's transactionId in hexadecimal of either case (stage 14).
      case transactionId
    }
  }

  /// A structural feature that distinguishes the requests of one gateway from those of others.
  public struct Mark: Hashable, Sendable {
    /// Member names from the outermost object of the request.
    public let path: [String]
    /// Whether the member, of any type, must be present or absent.
    public let isPresent: Bool

    /// A mark from its parts.
    public init(_ path: [String], isPresent: Bool) {
      self.path = path
      self.isPresent = isPresent
    }
  }

  /// The maximum size of a request: 65,536 bytes (rule 0.1).
  public static var maximumRequestSize: Int { 65_536 }
}

/// The envelope that a request is read as.
@nonexhaustive
public enum EnvelopeSelection: Hashable, Sendable {
  /// This envelope.
  case named(Envelope)
  /// The one of these that the request matches by its marks and routes; the token itself if none does (rule 0.9).
  case automatic([Envelope])

  /// The envelope's name if every request is the token itself; nil if the token must be looked for.
  package var bareName: String? {
    switch self {
    case .named(let envelope): envelope.bareName
    case .automatic: nil
    }
  }
}

/// The parts of an envelope, which are never released: threads that share a policy would otherwise count references to
/// the same memory for every token. A program has few envelopes, and equal ones are kept once.
private final class EnvelopeContents: Sendable {
  let name: String
  let routes: [Envelope.Route]
  let marks: [Envelope.Mark]
  /// The latest of the envelopes that were kept before this one.
  private let earlier: Unmanaged<EnvelopeContents>?

  private static let latest = Atomic<Unmanaged<EnvelopeContents>?>(nil)

  private init(
    name: String, routes: [Envelope.Route], marks: [Envelope.Mark], earlier: Unmanaged<EnvelopeContents>?
  ) {
    self.name = name
    self.routes = routes
    self.marks = marks
    self.earlier = earlier
  }

  static func kept(name: String, routes: [Envelope.Route], marks: [Envelope.Mark]) -> Unmanaged<EnvelopeContents> {
    while true {
      let latest = latest.load(ordering: .acquiring)
      var next = latest
      while let one = next {
        let contents = one.takeUnretainedValue()
        if contents.areSame(name, routes, marks) { return one }
        next = contents.earlier
      }
      let made = Unmanaged.passRetained(EnvelopeContents(name: name, routes: routes, marks: marks, earlier: latest))
      if Self.latest.compareExchange(expected: latest, desired: made, ordering: .acquiringAndReleasing).exchanged {
        return made
      }
      made.release()
    }
  }

  /// Whether these are the parts, byte for byte. `==` is not enough: Swift strings are equal if they are canonically
  /// equivalent, but "é" as one code point and as two are different member names. So descriptions are compared, too.
  private func areSame(_ name: String, _ routes: [Envelope.Route], _ marks: [Envelope.Mark]) -> Bool {
    self.name.utf8.elementsEqual(name.utf8) && self.routes == routes && self.marks == marks
      && String(describing: (self.routes, self.marks)).utf8.elementsEqual(String(describing: (routes, marks)).utf8)
  }
}
