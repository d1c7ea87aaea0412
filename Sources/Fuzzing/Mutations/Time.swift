import Minting
import PaymentToken

extension Mutation {
  static let time = Mutation(
    "time", .circumstances,
    hunts: "edges of the window and of certificates' dates, to the second; dates not looked at again for what is cached"
  ) { draft, random in
    let signedAt = draft.signedAt ?? draft.workshop.minter.time
    let pki = draft.workshop.minter.time
    let year = TestPKI.year
    let edges: [UnixTime] = [
      signedAt.advanced(by: 300), signedAt.advanced(by: -300), signedAt, pki.advanced(by: -year),
      pki.advanced(by: 4 * year), pki.advanced(by: -5 * year), pki.advanced(by: 10 * year), pki.advanced(by: 15 * year),
    ]
    let all = edges + draft.certificateTimes + draft.certificateTimes
    draft.circumstances.now = random.pick(all).advanced(by: random.pick([-1, 0, 0, 0, 1, 1]))
    // Beyond the window only what is not measured by it shows anything else.
    if random.chance(2) {
      draft.circumstances.policy.freshness = random.pick([
        .windowOff, .signingTime, .window(seconds: .max, replayCapacity: nil),
      ])
    }
    return true
  }
}

extension Draft {
  /// The signingTime, where it is in the usual form.
  var signedAt: UnixTime? {
    guard let cms, let place = CMSPlaces.attributeValue(OID.signingTime, in: cms) else { return nil }
    return cms.node(at: place).flatMap { Self.time($0) }
  }

  /// The dates of the certificates.
  var certificateTimes: [UnixTime] {
    guard let cms, let path = CMSPlaces.certificates(in: cms), let bag = cms.node(at: path) else { return [] }
    return bag.children.flatMap { certificate in
      (certificate.node(at: CertificateEdits.validity)?.children ?? []).compactMap { Self.time($0) }
    }
  }

  private static func time(_ node: ASN1Node) -> UnixTime? {
    var digits = node.contents.dropLast().map { Int($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    if node.has(0x17), digits.count == 12 { digits = (digits[0] < 5 ? [2, 0] : [1, 9]) + digits }
    guard digits.count == 14 else { return nil }
    let numbers = stride(from: 4, to: 14, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    let year = digits[0] * 1_000 + digits[1] * 100 + digits[2] * 10 + digits[3]
    return UnixTime(
      year: year, month: numbers[0], day: numbers[1], hour: numbers[2], minute: numbers[3], second: numbers[4])
  }
}
