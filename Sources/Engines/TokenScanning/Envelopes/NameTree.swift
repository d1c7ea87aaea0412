/// The member names on paths from the outermost object of a request, as a tree: paths with a common beginning share
/// nodes.
struct NameTree: Sendable {
  private struct Node {
    /// The range of the name in `bytes`.
    let name: Range<Int>
    let parent: Int
    var firstChild: Int?
    let nextSibling: Int?
    /// A bit for each length of a child's name, the last one for all that are longer.
    var childLengths: UInt64 = 0
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
    nodes[parent].childLengths |= Self.bit(ofLength: name.count)
    return count - 1
  }

  /// The child of a node with a name from a request, compared after unescaping; nil if there is none.
  @inline(__always)
  func child(_ name: JSONString, of parent: Int, in input: Span<UInt8>) -> Int? {
    // A hostile request can have thousands of members, so a name is compared only if it can have a child's length. An
    // escape has at most six bytes and stands for at least one.
    let length = name.end &- name.start
    let lengths = name.hasEscapes ? Self.bits(upToLength: length) : Self.bit(ofLength: length)
    guard nodes[parent].childLengths & lengths != 0 else { return nil }
    return knownChild(name, of: parent, in: input)
  }

  @inline(never)
  private func knownChild(_ name: JSONString, of parent: Int, in input: Span<UInt8>) -> Int? {
    let length = name.end &- name.start
    var sibling = nodes[parent].firstChild
    while let node = sibling {
      let known = nodes[node].name
      if known.count <= length, name.equals(bytes.span.extracting(known), in: input) {
        return node
      }
      sibling = nodes[node].nextSibling
    }
    return nil
  }

  @inline(__always)
  private static func bit(ofLength length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

  /// The bits of the lengths that a name of `length` bytes with escapes can have after unescaping.
  @inline(__always)
  private static func bits(upToLength length: Int) -> UInt64 {
    let longest = bit(ofLength: length)
    return (longest | (longest &- 1)) & ~(bit(ofLength: length / 6) &- 1)
  }

  func parent(of node: Int) -> Int { nodes[node].parent }
}
