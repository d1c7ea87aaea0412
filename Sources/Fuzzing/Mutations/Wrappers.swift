import Minting

extension Mutation {
  static let wrappers = Mutation(
    "wrappers", .signature, hunts: "wrappers of every form of length, which must not matter, and one that must"
  ) { draft, random in
    guard var tree = draft.cms else { return false }
    WrapperLengths.change(&tree, using: &random)
    if random.chance(6) {
      let length = random.pick(ASN1Edits.lengths)
      tree.edit(path: random.pick(WrapperLengths.paths(in: tree))) { $0.length = length }
    }
    draft.cms = tree
    draft.touch(.signature)
    return true
  }
}

/// The seven values whose length may have any form (Docs/Verification.md 5.2).
enum WrapperLengths {
  static func paths(in tree: ASN1Node) -> [[Int]] {
    guard let data = tree.node(at: CMSPlaces.signedData) else { return [[]] }
    let inside = data.children.indices.filter {
      $0 > 0 && (data[$0].has(0x30) || data[$0].has(0x31) || data[$0].has(0xA0))
    }
    return [[], [1], CMSPlaces.signedData] + inside.map { CMSPlaces.signedData + [$0] }
  }

  /// Gives each another sound form.
  static func change(_ tree: inout ASN1Node, using random: inout QuickGenerator) {
    for path in paths(in: tree) where random.chance(2) {
      let length = random.pick([.indefinite, .shortest, .long(octets: 3), .long(octets: 4)] as [ASN1Node.Length])
      tree.edit(path: path) { $0.length = length }
    }
  }
}
