import Minting
import TestCases

/// A tree whose nodes are numbered in depth-first order, the root with 0, so that mutations can pick any of them.
package protocol EditableTree {
  /// The nodes directly below this one, in order.
  var children: [Self] { get set }
}

extension EditableTree {
  /// The number of nodes in the tree.
  package var nodeCount: Int { children.reduce(1) { $0 + $1.nodeCount } }

  /// Edits the node with this number.
  package mutating func edit(at position: Int, _ change: (inout Self) -> Void) {
    guard position > 0 else { return change(&self) }
    var rest = position - 1
    var nodes = children
    for index in nodes.indices {
      let count = nodes[index].nodeCount
      guard rest >= count else {
        nodes[index].edit(at: rest, change)
        children = nodes
        return
      }
      rest -= count
    }
  }

  /// The node with this number.
  func node(at position: Int) -> Self {
    var (tree, found) = (self, self)
    tree.edit(at: position) { found = $0 }
    return found
  }
}

extension ASN1Node: EditableTree {}
extension JSONPiece: EditableTree {}
