import Gateways
import Minting
import NamedCases
import PaymentToken
import TestCases

extension Mutation {
  static let splice = Mutation(
    "splice", .members, \.token,
    hunts: "members of one token combined with the signature of another"
  ) { token, draft, random throws(MintingError) in
    guard let other = try draft.sampleSigner.donor(using: &random).token else { return false }
    for _ in 0..<random.pick([1, 1, 2, 3]) {
      let path = random.pick(TokenNames.paths)
      token[path[...]] = other[path[...]]
    }
    return true
  }

  static let envelopes = Mutation(
    "envelopes", .requestText,
    hunts: "tokens in the requests of every gateway, in every style, read as the right envelope and as others"
  ) { draft, random in
    guard !draft.tokenText.isEmpty else { return false }
    let gateway = random.pick(Gateway.all)
    let form = random.pick(gateway.forms)
    let details = RequestDetails.random(using: &random)
    draft.request =
      random.chance(2)
      ? form.request(around: draft.tokenText, details)
      : form.request(around: draft.tokenText, details, in: .random(using: &random), using: &random)
    draft.context.policy.envelope =
      switch random.below(8) {
      case 0: .named(random.pick(Envelope.all))
      case 1, 2, 3: .automatic
      default: .named(gateway.envelope)
      }
    draft.context.policy.isUnsigned = !form.isSigned || random.chance(4)
    return true
  }

  static let time = Mutation(
    "time", .context,
    hunts: "edges of the window and of certificate dates, to the second; dates not checked again for cached chains"
  ) { draft, random in
    let signedAt = draft.signedAt ?? draft.sampleSigner.minter.time
    let pki = draft.sampleSigner.minter.time
    let year = TestPKI.year
    let edges: [UnixTime] = [
      signedAt.advanced(by: 300), signedAt.advanced(by: -300), signedAt, pki.advanced(by: -year),
      pki.advanced(by: 4 * year), pki.advanced(by: -5 * year), pki.advanced(by: 10 * year), pki.advanced(by: 15 * year),
    ]
    let all = edges + draft.certificateTimes + draft.certificateTimes
    draft.context.now = random.pick(all).advanced(by: random.pick([-1, 0, 0, 0, 1, 1]))
    // A window refuses the token at these times, whatever the certificates' dates: remove or widen it half of the time.
    if random.chance(2) {
      draft.context.policy.freshness = random.pick([
        .windowOff, .signingTime, .window(seconds: .max, replay: nil),
      ])
    }
    return true
  }

  static let revocation = Mutation(
    "revocation", .context,
    hunts: "revoked certificates and keys, of leaf and intermediate; revocation not checked again for cached chains"
  ) { draft, random in
    guard let bag = draft[.certificates] else { return false }
    var digests: [Bytes32] = []
    for certificate in bag.children {
      let parts = [certificate.encoded, certificate.node(at: CertificateEdits.key)?.encoded ?? []]
      digests += parts.compactMap { Bytes32(Hashing.sha256($0)) }
    }
    guard let digest = random.pick(from: digests) else { return false }
    var list = [digest]
    if random.chance(3) { list = Bytes32(ByteEdits.nearly(digest.bytes, using: &random)).map { [$0] } ?? [] }
    if random.chance(3) { list += Bytes32(random.bytes(32)).map { [$0] } ?? [] }
    if random.chance(4) { list.append(random.pick(digests)) }
    draft.context.policy.revoked = list
    return true
  }

  static let expectations = Mutation(
    "expectations", .context,
    hunts: "expected amounts, currencies and application data that nearly match, or are partly compared"
  ) { draft, random in
    var expected = Expectations()
    let payload = draft.payload.flatMap { JSONPiece($0) }
    if random.chance(2) {
      let data = draft.fields.applicationData ?? random.bytes(32)
      expected.applicationData = Bytes32(random.chance(2) ? data : ByteEdits.nearly(data, using: &random))
    }
    if random.chance(2) {
      let text = payload?.content(at: ["currencyCode"]).map { String(decoding: $0, as: UTF8.self) } ?? "978"
      let near = String(decoding: ByteEdits.nearly(Array(text.utf8), using: &random), as: UTF8.self)
      expected.currencyCode = random.pick([text, text, near, String(text.dropLast()), text + "0", "840"])
    }
    if random.chance(2) {
      var amount: Int64 = 1_250
      if case .scalar(let text)? = payload?["transactionAmount"] {
        amount = Int64(String(decoding: text, as: UTF8.self)) ?? amount
      }
      expected.transactionAmount = amount &+ random.pick([0, 0, 0, 1, -1, 1 << 32, 10])
    }
    draft.context.policy.expectations = expected
    return true
  }

  static let replay = Mutation(
    "replay", .context,
    hunts: "repeated transactions: remembered too early, too late, by another key or not at all; full and silent stores"
  ) { draft, random throws(MintingError) in
    draft.context.policy.freshness = .window(
      seconds: random.pick([300, 300, 300, 1, 0, 86_400]),
      replay: random.pick([.capacity(0), .capacity(1), .capacity(1), .capacity(2), .capacity(4), .silent]))
    let other = try draft.sampleSigner.donor(using: &random)
    switch random.below(8) {
    case 0: draft.context.prelude = []
    case 1, 2: draft.context.prelude = [draft.request]
    case 3: draft.context.prelude = [other.request]
    case 4 where draft.has(.content): draft.context.prelude = [try sibling(of: draft, using: &random)]
    // A refused request must not be remembered.
    case 4: draft.context.prelude = [ByteEdits.changed(draft.request, using: &random)]
    default: draft.context.prelude = [other.request, draft.request].shuffled(using: &random)
    }
    return true
  }

  /// Makes a signed token of the same transaction with another payload, or of another transaction with the same
  /// payload.
  private static func sibling(of draft: Draft, using random: inout QuickGenerator) throws(MintingError) -> [UInt8] {
    var draft = draft
    draft.isLeftStale = false
    if random.chance(2), let payload = draft.payload {
      draft.replacePayload(with: payload + [0x20])
    } else {
      draft.fields.transactionId = random.bytes(32)
      draft.touch(.content)
    }
    try draft.settle(to: .context, using: &random)
    return draft.request
  }

  static let policy = Mutation(
    "policy", .context,
    hunts:
      "windows of every width, archived tokens, the unsigned policy with a signature present, envelopes by name and shape"
  ) { draft, random in
    switch random.below(4) {
    case 0:
      draft.context.policy.freshness = random.pick([
        .windowOff, .signingTime, .window(seconds: 0, replay: nil), .window(seconds: 300, replay: nil),
        .window(seconds: 299, replay: nil), .window(seconds: .max, replay: nil),
      ])
    case 1: draft.context.policy.isUnsigned.toggle()
    case 2:
      draft.context.policy.envelope = random.chance(3) ? .automatic : .named(random.pick(Envelope.all))
    default:
      // The default policy.
      draft.context = TestContext(
        now: draft.sampleSigner.minter.time, policy: TestPolicy(envelope: draft.context.policy.envelope))
    }
    return true
  }

  static let namedCase = Mutation(
    "named-case", .requestText,
    hunts: "the minter's named cases, also as a base for further mutations"
  ) { draft, random throws(MintingError) in
    let minter = draft.sampleSigner.minter
    let made = try minter.make(random.pick(CaseRecipe.all))
    // A case that needs other roots would only be refused.
    guard made.anchors == minter.anchors.certificates else { return false }
    draft.request = made.test.request
    draft.context = made.test.context
    draft.expected = made.test.expected
    if made.test.expected?.isAccepted == true {
      for draft in Draft.all(of: draft.sample, in: draft.sampleSigner) {
        draft.sampleSigner.remember(draft, plaintext: draft.payload)
      }
    }
    return true
  }
}

extension Draft {
  /// The signingTime; nil if it is malformed.
  var signedAt: UnixTime? { self[.attribute(OID.signingTime)].flatMap { Self.time($0) } }

  /// The validity dates of all certificates.
  var certificateTimes: [UnixTime] {
    (self[.certificates]?.children ?? []).flatMap { certificate in
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
