import Minting
import PaymentToken

extension Mutation {
  static let certificateDates = Mutation(
    "certificate-dates", .certificates,
    hunts: "dates of certificates: the edges to the second, both forms, pivots, verdicts from a cache that outlive them"
  ) { draft, random throws(MintingError) in
    var stream = random
    defer { random = stream }
    let now = draft.circumstances.now
    let part: CertificateEdits.Part = random.chance(2) ? .leaf : .intermediate
    return try CertificateEdits.edit(part, of: &draft, using: &random) { certificate in
      let index = stream.below(2)
      let time = now.advanced(by: stream.pick([-1, 0, 1, -1, 0, 1, 60, -60, 86_400, -86_400]))
      certificate.edit(path: CertificateEdits.validity + [index]) { node in
        switch stream.below(5) {
        case 0: node = stream.pick(ASN1Edits.times)
        case 1: node = .generalizedTime(time.generalizedTimeText)
        default: node = .time(time)
        }
      }
    }
  }
}
