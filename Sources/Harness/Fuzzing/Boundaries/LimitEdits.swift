import TestCases

/// Objects with one member less than allowed, as many as allowed, and one more; values nested as deep as allowed and
/// one level more or less. Engines count both separately in each place.
enum LimitEdits {
  /// Where the containers of a document are.
  private struct Place {
    let path: [Int]
    /// The nesting depth of the container; the outermost object is 1.
    let depth: Int
  }

  /// Brings one container of the tree to the limit of nesting or of members.
  ///
  /// - Parameters:
  ///   - outer: the number of containers around the tree.
  ///   - names: names of members that hold containers.
  static func change(
    _ tree: inout JSONPiece, outer: Int = 0, names: [String], using random: inout QuickGenerator
  ) {
    var places: [Place] = []
    collect(tree, Place(path: [], depth: 1 + outer), into: &places)
    guard let place = random.pick(from: places) else { return }
    var stream = random
    defer { random = stream }
    let isDepth = stream.chance(2)
    tree.edit(path: place.path) { piece in
      switch piece {
      case .object(var members):
        if isDepth {
          deepen(&members, at: place.depth, names: names, using: &stream)
        } else {
          fill(&members, using: &stream)
        }
        piece = .object(members)
      case .array(var elements):
        elements.append(nested(below: place.depth, using: &stream))
        piece = .array(elements)
      case .scalar: break
      }
    }
  }

  private static func collect(_ piece: JSONPiece, _ place: Place, into places: inout [Place]) {
    if case .scalar = piece { return }
    places.append(place)
    guard place.path.count < 4, places.count < 16 else { return }
    for (index, child) in piece.children.enumerated() {
      collect(child, Place(path: place.path + [index], depth: place.depth + 1), into: &places)
    }
  }

  /// Containers that reach the deepest level, or end one level before or after it.
  private static func nested(below depth: Int, using random: inout QuickGenerator) -> JSONPiece {
    let deepest = RuleLimits.nesting + random.pick([-1, 0, 0, 1, 1])
    return JSONTextEdits.nested(deepest - depth, using: &random)
  }

  private static func deepen(
    _ members: inout [JSONPiece.Member], at depth: Int, names: [String], using random: inout QuickGenerator
  ) {
    var value = nested(below: depth, using: &random)
    // An existing member, one with a name that the engines know, or an unknown one.
    if random.chance(3), let index = random.pick(from: members.indices) {
      members[index].value = value
      return
    }
    let name = random.pick(names)
    // Most members that hold containers hold objects.
    if case .array(let elements) = value, random.chance(2) {
      value = .object(elements.map { JSONPiece.Member("a", $0) })
    }
    members.removeAll { JSONPiece.has($0.name, name) }
    members.insert(JSONPiece.Member(name, value), at: random.pick([0, members.count / 2, members.count]))
  }

  private static func fill(_ members: inout [JSONPiece.Member], using random: inout QuickGenerator) {
    let count = RuleLimits.members + random.pick([-1, 0, 0, 1, 1])
    let value: JSONPiece = random.pick([.scalar([0x30]), .scalar([0x22, 0x22]), .object([])])
    let isFirst = random.chance(2)
    if random.chance(4) {
      // The document has up to some dozens of others.
      let values = [JSONPiece](repeating: value, count: RuleLimits.values - random.below(50))
      members.insert(JSONPiece.Member("x", .array(values)), at: isFirst ? 0 : members.count)
      return
    }
    for number in members.count..<max(members.count, count) {
      members.insert(JSONPiece.Member("x\(number)", value), at: isFirst ? 0 : members.count)
    }
  }
}
