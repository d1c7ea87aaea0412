import TestCases

/// Edits that bring a JSON document to the limit of an object's members or of nesting, or one off it, or close to the
/// limit of a document's values. An engine may have separate code for each object that it reads, so the edits apply to
/// any container of a document.
enum LimitEdits {
  /// Brings one container of the tree to the limit of nesting, of members or of values.
  ///
  /// - Parameter names: the names to choose from for a new nested member.
  static func change(_ tree: inout JSONPiece, names: [String], using random: inout QuickGenerator) {
    var paths: [[Int]] = []
    collect(tree, [], into: &paths)
    guard let path = random.pick(from: paths) else { return }
    let isDepth = random.chance(2)
    // The nesting level of the container: the outermost object is at level 1.
    let depth = path.count + 1
    tree.edit(path: path) { piece in
      switch piece {
      case .object(var members):
        if isDepth {
          deepen(&members, at: depth, names: names, using: &random)
        } else {
          fill(&members, using: &random)
        }
        piece = .object(members)
      case .array(var elements):
        elements.append(nested(below: depth, using: &random))
        piece = .array(elements)
      case .scalar: break
      }
    }
  }

  /// Adds the paths of child indices to a container and to those inside it, down to four levels. It stops descending at
  /// 16 paths.
  private static func collect(_ piece: JSONPiece, _ path: [Int], into paths: inout [[Int]]) {
    if case .scalar = piece { return }
    paths.append(path)
    guard path.count < 4, paths.count < 16 else { return }
    for (index, child) in piece.children.enumerated() { collect(child, path + [index], into: &paths) }
  }

  /// A value for a container at level `depth` that ends at the deepest level allowed, or one level before or after it.
  private static func nested(below depth: Int, using random: inout QuickGenerator) -> JSONPiece {
    let deepest = RuleLimits.nesting + random.pick([-1, 0, 0, 1, 1])
    return JSONTextEdits.nested(deepest - depth, using: &random)
  }

  private static func deepen(
    _ members: inout [JSONPiece.Member], at depth: Int, names: [String], using random: inout QuickGenerator
  ) {
    var value = nested(below: depth, using: &random)
    // Give the value to an existing member, or else to a member with one of the names.
    if random.chance(3), let index = random.pick(from: members.indices) {
      members[index].value = value
      return
    }
    let name = random.pick(names)
    // Prefer objects, because most containers in the members that the engines know are objects.
    if case .array(let elements) = value, random.chance(2) {
      value = .object(elements.map { JSONPiece.Member("a", $0) })
    }
    members.removeAll { JSONPiece.has($0.name, name) }
    members.insert(JSONPiece.Member(name, value), at: random.pick([0, members.count / 2, members.count]))
  }

  /// Adds members up to the limit or one off it, or an array with about as many values as a document may have.
  private static func fill(_ members: inout [JSONPiece.Member], using random: inout QuickGenerator) {
    let count = RuleLimits.members + random.pick([-1, 0, 0, 1, 1])
    let value: JSONPiece = random.pick([.scalar([0x30]), .scalar([0x22, 0x22]), .object([])])
    let isFirst = random.chance(2)
    if random.chance(4) {
      // The document has at most a few dozen other values, so the total is near the limit, on either side.
      let values = [JSONPiece](repeating: value, count: RuleLimits.values - random.below(50))
      members.insert(JSONPiece.Member("x", .array(values)), at: isFirst ? 0 : members.count)
      return
    }
    let prefix = random.chance(2) ? "x" : String(repeating: "n", count: 40)
    for number in members.count..<max(members.count, count) {
      members.insert(JSONPiece.Member("\(prefix)\(number)", value), at: isFirst ? 0 : members.count)
    }
    if random.chance(4) { members.append(random.pick(members)) }
  }
}
