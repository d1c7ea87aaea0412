/// The member names on paths from the outermost object of a request, as a tree: paths with a common beginning share
/// nodes.
struct NameTree: Sendable {
  private struct Node {
    /// The range of the name in `bytes`.
    let name: Range<Int>
    let parent: Int
    var firstChild: Int?
    let nextSibling: Int?
  }

  /// The outermost object.
  static var root: Int { 0 }

  private var bytes: [UInt8] = []
  private var nodes: [Node]

  /// A tree of the root alone.
  init() {
    nodes = [Node(name: bytes.indices, parent: Self.root, firstChild: nil, nextSibling: nil)]
  }

  /// The number of nodes. They are numbered from 0, the root.
  var count: Int { nodes.count }

  /// Returns the node of a path, and adds the missing nodes.
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

  /// The child of a node with a name from a request, compared after unescaping; nil if there is none.
  func child(_ name: JSONString, of parent: Int, in input: Span<UInt8>) -> Int? {
    var sibling = nodes[parent].firstChild
    while let node = sibling {
      if name.equals(bytes.span.extracting(nodes[node].name), in: input) { return node }
      sibling = nodes[node].nextSibling
    }
    return nil
  }

  /// The previous node of the path.
  func parent(of node: Int) -> Int { nodes[node].parent }
}
