import Minting

extension Mutation {
  static let derLength = Mutation(
    "der-length", .signature, hunts: "lengths not minimal, indefinite where they must not be, too large, overflowing"
  ) { draft, random in
    guard var tree = draft.cms else { return false }
    for _ in 0..<random.pick([1, 1, 2]) {
      let length = random.pick(ASN1Edits.lengths)
      let high: UInt8 = random.pick([1, 1, 2, 0x80])
      let isOverflow = random.chance(4)
      let paths = WrapperLengths.paths(in: tree)
      let path = random.pick(paths)
      let change = { (node: inout ASN1Node) in
        let count = node.contents.count
        let low = [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        // True but for what 16 or 24 bits cannot hold.
        node.length = isOverflow ? .verbatim(high < 0x80 ? [0x83, high] + low : [0x84, 1, 0] + low) : length
      }
      if random.chance(3) { tree.edit(path: path, change) } else { tree.edit(at: random.below(tree.nodeCount), change) }
    }
    draft.cms = tree
    draft.touch(.signature)
    return true
  }
}
