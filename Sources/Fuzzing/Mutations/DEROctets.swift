import Minting

extension Mutation {
  static let derOctets = Mutation(
    "der-octets", .signature, hunts: "whatever trees cannot say: octets of the CMS changed, added behind it, cut"
  ) { draft, random in
    guard let tree = draft.cms else { return false }
    var octets = tree.encoded
    switch random.below(6) {
    case 0: octets += random.pick([[0], [0, 0], [0x30, 0x00], [0x05, 0x00]])
    case 1: octets = Array(octets.prefix(random.below(octets.count)))
    default: octets = OctetEdits.changed(octets, using: &random)
    }
    draft.cms = .raw(octets)
    draft.touch(.signature)
    return true
  }
}
