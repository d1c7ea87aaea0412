import Minting
import PaymentToken

extension Mutation {
  static let signingTime = Mutation(
    "signing-time", .attributes,
    hunts: "signing times: calendars, centuries, both forms, the edges of the window; signed anew"
  ) { draft, random in
    guard var tree = draft.cms, let place = CMSPlaces.attributeValue(OID.signingTime, in: tree) else { return false }
    let time = draft.circumstances.now.advanced(
      by: random.pick([-301, -300, -299, 299, 300, 301, 0, -1, 1, -86_400, 86_400, -3_600]))
    let value: ASN1Node =
      switch random.below(5) {
      case 0: random.pick(ASN1Edits.times)
      case 1: .generalizedTime(time.generalizedTimeText)
      case 2:
        ASN1Node(identifier: [0x17], body: .primitive(OctetEdits.changed(Array(time.utcTimeText.utf8), using: &random)))
      default: .time(time)
      }
    tree.edit(path: place) { $0 = value }
    draft.cms = tree
    draft.touch(.attributes)
    return true
  }
}
