import Minting
import PaymentToken

extension Mutation {
  static let revocation = Mutation(
    "revocation", .circumstances,
    hunts: "revoked certificates and keys: of the leaf, of the intermediate, not looked at again for what is cached"
  ) { draft, random in
    guard let cms = draft.cms, let path = CMSPlaces.certificates(in: cms), let bag = cms.node(at: path) else {
      return false
    }
    var digests: [Octets32] = []
    for certificate in bag.children {
      let parts = [certificate.encoded, certificate.node(at: CertificateEdits.key)?.encoded ?? []]
      digests += parts.compactMap { Octets32(Hashing.sha256($0)) }
    }
    guard let digest = random.pick(from: digests) else { return false }
    var list = [digest]
    if random.chance(3) { list = Octets32(OctetEdits.nearly(digest.bytes, using: &random)).map { [$0] } ?? [] }
    if random.chance(3) { list += Octets32(random.octets(32)).map { [$0] } ?? [] }
    if random.chance(4) { list.append(random.pick(digests)) }
    draft.circumstances.policy.revoked = list
    return true
  }
}
