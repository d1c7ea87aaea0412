import PaymentToken

/// The values of a request at the paths of a `NameTree`, found in one pass.
struct RequestMembers: Sendable {
  enum Value: Sendable {
    case absent
    case string(JSONString)
    case number(Range<Int>)
    /// From its `{` to its `}`.
    case object(Range<Int>)
    case other
  }

  private struct Member {
    /// The value at the first occurrence of the name.
    var value = Value.absent
    /// Whether the name occurs twice in one object.
    var isRepeated = false
    /// The start of the object in which the name occurred last.
    var object: Int?
  }

  private let tree: NameTree
  /// One for each node.
  private var members: [Member]

  init(at tree: NameTree) {
    self.tree = tree
    members = Array(repeating: Member(), count: tree.count)
  }

  /// Scans a request, which must be strict JSON (Docs/Verification.md 0.2).
  mutating func scan(_ request: Span<UInt8>) throws(MalformedJSON) {
    for node in members.indices { members[node] = Member() }
    var scanner = JSONScanner(request)
    scanner.skipWhitespace()
    try scanObject(&scanner, at: NameTree.root, depth: 1)
    try scanner.expectEnd()
  }

  /// Recurses at most one level deeper than the tree, and never deeper than JSON may nest.
  private mutating func scanObject(
    _ scanner: inout JSONScanner, at node: Int, depth: Int
  ) throws(MalformedJSON) {
    guard depth <= JSONScanner.maximumDepth else { throw MalformedJSON() }
    let start = scanner.position
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      if let child = tree.child(name, of: node, in: scanner.input) {
        if members[child].object == start { members[child].isRepeated = true }
        members[child].object = start
        let value = try scanValue(&scanner, at: child, depth: depth)
        if case .absent = members[child].value { members[child].value = value }
      } else {
        try scanner.skipValue(depth: depth)
      }
      more = try scanner.continuesObject()
    }
  }

  private mutating func scanValue(
    _ scanner: inout JSONScanner, at node: Int, depth: Int
  ) throws(MalformedJSON) -> Value {
    let start = scanner.position
    switch scanner.next {
    case UInt8(ascii: "\""):
      return .string(try scanner.string())
    case UInt8(ascii: "{"):
      try scanObject(&scanner, at: node, depth: depth + 1)
      return .object(start..<scanner.position)
    case UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      try scanner.skipValue(depth: depth)
      return .other
    default:
      return .number(try scanner.number())
    }
  }

  /// The first value at a path.
  func value(at node: Int) -> Value { members[node].value }

  /// Whether there is a value of any type at a path.
  func has(_ node: Int) -> Bool {
    if case .absent = members[node].value { return false }
    return true
  }

  /// Whether a name on the path to `node` occurs twice in its object (Docs/Verification.md 0.3).
  func repeatsName(onPathTo node: Int) -> Bool {
    var node = node
    while node != NameTree.root {
      if members[node].isRepeated { return true }
      node = tree.parent(of: node)
    }
    return false
  }
}
