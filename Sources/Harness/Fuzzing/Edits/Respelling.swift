import TestCases

/// Respells, repeats or moves what another mutation changed. The engines often have separate code for escaped text, for
/// the last member and for nested values.
enum Respelling {
  /// Changes one of the members and elements that differ from an earlier tree, or any of them if none differs.
  static func change(_ tree: inout JSONPiece, since old: JSONPiece?, using random: inout QuickGenerator) -> Bool {
    var changes: [[Int]] = []
    if let old { tree.collectChanges(since: old, at: [], into: &changes) }
    if changes.isEmpty { tree.collectMembers(at: [], into: &changes) }
    guard let path = random.pick(from: changes), let index = path.last else { return false }
    tree.edit(path: path.dropLast()) { piece in
      switch piece {
      case .object(var members):
        change(&members, index, using: &random)
        piece = .object(members)
      case .array(var elements):
        elements[index] = respelled(elements[index], using: &random)
        piece = .array(elements)
      case .scalar: break
      }
    }
    return true
  }

  private static func change(_ members: inout [JSONPiece.Member], _ index: Int, using random: inout QuickGenerator) {
    let member = members[index]
    let kind = random.below(8)
    switch kind {
    case 0, 1: members[index].name = respelled(member.name, using: &random)
    case 2, 3, 4: members[index].value = respelled(member.value, using: &random)
    case 5:
      members[index].name = respelled(member.name, using: &random)
      members[index].value = respelled(member.value, using: &random)
    case 6:
      // Repeat the member, spelled in another way.
      var again = member
      again.name = respelled(member.name, using: &random)
      if random.chance(2) { again.value = respelled(member.value, using: &random) }
      members.insert(again, at: random.pick([0, members.count, members.count]))
      return
    default: break
    }
    guard kind == 7 || random.chance(3) else { return }
    let moved = members.remove(at: index)
    members.insert(moved, at: random.pick([0, members.count / 2, members.count]))
  }

  private static func respelled(_ name: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    guard let content = JSONPiece.content(of: name) else { return name }
    return StringSpelling.text(of: content, using: &random)
  }

  private static func respelled(_ value: JSONPiece, using random: inout QuickGenerator) -> JSONPiece {
    switch value {
    case .scalar(let text):
      guard text.first == UInt8(ascii: "\"") else { return .scalar(AmountEdges.spelled(text, using: &random)) }
      return .scalar(respelled(text, using: &random))
    case .array, .object: return random.chance(2) ? deeper(value) : shallower(value)
    }
  }

  /// Adds a level around the innermost value on the path of first children.
  private static func deeper(_ value: JSONPiece) -> JSONPiece {
    guard let first = value.children.first, case .scalar = first else {
      guard let first = value.children.first else { return .array([value]) }
      var changed = value
      changed.children[0] = deeper(first)
      return changed
    }
    var changed = value
    changed.children[0] = .array([first])
    return changed
  }

  /// Removes a level: the first inner container replaces its parent.
  private static func shallower(_ value: JSONPiece) -> JSONPiece {
    let inner = value.children.first { if case .scalar = $0 { false } else { true } }
    return inner ?? value
  }
}

extension JSONPiece {
  /// Paths of child indices to the innermost members and elements that an earlier tree lacks, or has with another text.
  fileprivate func collectChanges(since old: JSONPiece, at path: [Int], into changes: inout [[Int]]) {
    switch (self, old) {
    case (.object(let members), .object(let before)):
      for (index, member) in members.enumerated() {
        // The member is usually at the same index.
        let known =
          before.indices.contains(index) && before[index].name == member.name
          ? before[index] : before.first { $0.name == member.name }
        guard let known else {
          changes.append(path + [index])
          continue
        }
        member.value.collectChanges(since: known.value, at: path + [index], into: &changes)
      }
    case (.array(let elements), .array(let before)):
      for (index, element) in elements.enumerated() {
        guard before.indices.contains(index) else {
          changes.append(path + [index])
          continue
        }
        element.collectChanges(since: before[index], at: path + [index], into: &changes)
      }
    case (.scalar(let text), .scalar(let before)): if text != before, !path.isEmpty { changes.append(path) }
    default: if !path.isEmpty { changes.append(path) }
    }
  }

  /// Paths of child indices to members and elements near the root, at most 70 of each container.
  fileprivate func collectMembers(at path: [Int], into paths: inout [[Int]]) {
    guard path.count < 4 else { return }
    for (index, child) in children.enumerated().prefix(70) {
      paths.append(path + [index])
      child.collectMembers(at: path + [index], into: &paths)
    }
  }

  /// Edits the node at a path of child indices; does nothing if it does not exist.
  mutating func edit(path: some Collection<Int>, _ change: (inout JSONPiece) -> Void) {
    guard let first = path.first else { return change(&self) }
    var nodes = children
    guard nodes.indices.contains(first) else { return }
    nodes[first].edit(path: path.dropFirst(), change)
    children = nodes
  }
}
