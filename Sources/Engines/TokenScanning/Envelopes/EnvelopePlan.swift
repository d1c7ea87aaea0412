import PaymentToken

/// An envelope whose paths are nodes of a `NameTree`.
struct EnvelopePlan: Sendable {
  struct Route: Sendable {
    let end: Int
    let wrapping: Wrapping
    let fields: [Field]
  }

  enum Wrapping: Sendable {
    case object
    case text
    case base64
    case parts([Part])
  }

  struct Part: Sendable {
    let node: Int
    let member: TokenMember
    /// The node of an earlier part for the same member, if any.
    let twin: Int?
  }

  struct Field: Sendable {
    let node: Int
    let rule: Envelope.Field.Rule
  }

  struct Mark: Sendable {
    let node: Int
    let isPresent: Bool
  }

  let name: String
  let routes: [Route]
  let marks: [Mark]

  /// Adds the envelope's paths to `tree`.
  init(_ envelope: Envelope, in tree: inout NameTree) {
    name = envelope.name
    marks = envelope.marks.map { Mark(node: tree.insert($0.path), isPresent: $0.isPresent) }
    routes = envelope.routes.map { route in
      let end = tree.insert(route.path)
      let wrapping: Wrapping =
        switch route.wrapping {
        case .object: .object
        case .text: .text
        case .base64: .base64
        case .parts(let parts): .parts(Self.parts(parts, below: end, in: &tree))
        }
      let fields = route.fields.map { Field(node: tree.insert($0.path), rule: $0.rule) }
      return Route(end: end, wrapping: wrapping, fields: fields)
    }
  }

  private static func parts(_ parts: [Envelope.Part], below end: Int, in tree: inout NameTree) -> [Part] {
    var planned: [Part] = []
    for part in parts {
      let twin = planned.first { $0.member == part.member }?.node
      planned.append(Part(node: tree.insert([part.name], below: end), member: part.member, twin: twin))
    }
    return planned
  }
}
