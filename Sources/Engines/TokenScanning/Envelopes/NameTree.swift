/// Member names along paths from the outermost object of a request, as one tree: paths that begin alike share nodes.
struct NameTree: Sendable {
  private struct Node {
    /// Where the name lies among the bytes.
    let name: Range<Int>
    let parent: Int
    var firstChild: Int?
    let nextSibling: Int?
  }

  /// The outermost object.
  static var root: Int { 0 }

  private var bytes: [UInt8] = []
  private var nodes = [Node(name: 0..<0, parent: 0, firstChild: nil, nextSibling: nil)]

  /// How many nodes there are, numbered from the root's 0.
  var count: Int { nodes.count }

  /// The node that a path leads to, made where there is none yet.
  mutating func insert(_ path: [String], below start: Int = NameTree.root) -> Int {
    path.reduce(start) { insert(Array($1.utf8), below: $0) }
  }

  private mutating func insert(_ name: [UInt8], below parent: Int) -> Int {
    var sibling = nodes[parent].firstChild
    while let node = sibling {
      if bytes[nodes[node].name].elementsEqual(name) { return node }
      sibling = nodes[node].nextSibling
    }
    let start = bytes.count
    bytes += name
    nodes.append(
      Node(name: start..<bytes.count, parent: parent, firstChild: nil, nextSibling: nodes[parent].firstChild))
    nodes[parent].firstChild = count - 1
    return count - 1
  }

  /// The node of a name as it stands in a request, compared after unescaping.
  func child(_ name: JSONString, of parent: Int, in input: Span<UInt8>) -> Int? {
    var sibling = nodes[parent].firstChild
    while let node = sibling {
      if name.equals(bytes.span.extracting(nodes[node].name), in: input) { return node }
      sibling = nodes[node].nextSibling
    }
    return nil
  }

  /// Whether any path goes on beyond this node.
  func hasChildren(_ node: Int) -> Bool { nodes[node].firstChild != nil }

  /// The node before this one on its path.
  func parent(of node: Int) -> Int { nodes[node].parent }
}
